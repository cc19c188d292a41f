import { kim, lee, lunch, menu, presentMessage } from "../fixtures";
import type { InteractionsByOperation } from "../interaction";
import { type NewMessage, type World, worldTime } from "../world";
import { dateCases, dates } from "./exports-dates";
import { pageCases, pages } from "./exports-pages";

const at = worldTime + 1_000;
const greeting: NewMessage = { channel_id: "room_1", user_id: "kim_01", content: "Hi", at };
const menuMessage: NewMessage = { channel_id: "room_1", user_id: "lee_02", file: menu, at: at + 1 };
/** Text that is hard to store, to escape in JSON and to copy through COPY. */
const hostile: NewMessage = {
  ...greeting,
  content: `"\\\n\u2028</script>😀\u0001\ufffe`,
  meta: { ["__proto__"]: "kept", constructor: `"\\\n😀` },
};
const world: World = { users: [kim, lee], channels: [{ ...lunch, members: ["kim_01", "lee_02"] }] };

export const exports = {
  "exports.messages": {
    "responds with the messages, newest first, with their senders and files": {
      given: { ...world, messages: [greeting, menuMessage] },
      request: { params: { channel_id: "room_1" } },
      response: {
        status: 200,
        body: {
          messages: [presentMessage(menuMessage, lee), presentMessage(greeting, kim)],
          timezone: "UTC",
        },
      },
    },
    "responds with no messages": {
      given: world,
      request: { params: { channel_id: "room_1" } },
      response: { status: 200, body: { messages: [], timezone: "UTC" } },
    },
    "lists messages with the same creation time in reverse order of creation": {
      given: { ...world, messages: [greeting, { ...menuMessage, at }] },
      request: { params: { channel_id: "room_1" } },
      response: {
        status: 200,
        body: {
          messages: [presentMessage({ ...menuMessage, at }, lee), presentMessage(greeting, kim)],
          timezone: "UTC",
        },
      },
    },
    "includes a sender who was deleted": {
      given: { ...world, messages: [greeting, menuMessage], deletedUsers: ["lee_02"] },
      request: { params: { channel_id: "room_1" } },
      response: {
        status: 200,
        body: {
          messages: [presentMessage(menuMessage, lee), presentMessage(greeting, kim)],
          timezone: "UTC",
        },
      },
    },
    "omits the messages of other channels": {
      given: {
        users: [kim],
        channels: [
          { ...lunch, members: ["kim_01"] },
          { ...lunch, channel_id: "room_2", members: ["kim_01"] },
        ],
        messages: [greeting, { ...greeting, channel_id: "room_2" }],
      },
      request: { params: { channel_id: "room_1" } },
      response: { status: 200, body: { messages: [presentMessage(greeting, kim)], timezone: "UTC" } },
    },
    "keeps hostile text unchanged": {
      given: { ...world, messages: [hostile] },
      request: { params: { channel_id: "room_1" } },
      response: { status: 200, body: { messages: [presentMessage(hostile, kim)], timezone: "UTC" } },
    },
    ...pages,
    ...pageCases,
    ...dates,
    ...dateCases,
  },
} satisfies InteractionsByOperation;

import { cursorCases, pageSizeCases } from "../cases/page-cases";
import { valueCases } from "../cases/value-cases";
import { kim, lunch, menu, park, presentMessage } from "../fixtures";
import type { Interactions, InteractionsByOperation } from "../interaction";
import { next } from "../placeholders";
import { invalid, problem } from "../problem";
import { type NewMessage, type World, worldTime } from "../world";

const dinner = { channel_id: "room_2", name: "Dinner", members: ["kim_01"] };
const params = { user_id: "kim_01" };

const say = (second: number, more: Partial<NewMessage> = {}): NewMessage => ({
  channel_id: "room_1",
  user_id: "kim_01",
  content: `Second ${second}`,
  at: worldTime + second * 1_000,
  ...more,
});

const first = say(1);
const elsewhere = say(2, { channel_id: "room_2" });
const { content: _, ...unsaid } = say(3);
const file: NewMessage = { ...unsaid, file: menu };
const world: World = {
  users: [kim, park],
  channels: [{ ...lunch, members: ["kim_01", "park_03"] }, dinner],
  messages: [
    first,
    elsewhere,
    file,
    say(4, { user_id: "park_03" }),
    { channel_id: "room_1", content: "Park joined.", at: worldTime + 5_000 },
  ],
};
const firstPage: World = { ...world, page: { operation: "users.messages", params, query: { limit: "1" } } };

const listed = (...messages: NewMessage[]) => ({
  status: 200,
  body: { messages: messages.map((message) => presentMessage(message, kim)) },
});
const second = (count: number) => String(worldTime + count * 1_000);

const list = {
  "responds with what the user wrote in all channels, newest first": {
    given: world,
    request: { params },
    response: listed(file, elsewhere, first),
  },
  "responds with an empty page": { given: { users: [kim] }, request: { params }, response: listed() },
  "responds with the messages from a time on": {
    given: world,
    request: { params, query: { since: second(2) } },
    response: listed(file, elsewhere),
  },
  "responds with the messages before a time": {
    given: world,
    request: { params, query: { until: second(2) } },
    response: listed(first),
  },
  "responds with the messages between two times": {
    given: world,
    request: { params, query: { since: second(2), until: second(3) } },
    response: listed(elsewhere),
  },
  "leaves out a message that was deleted": {
    given: { ...world, deletedMessages: [3] },
    request: { params },
    response: listed(elsewhere, first),
  },
  "leaves out the messages of a deleted channel": {
    given: { ...world, deletedChannels: ["room_2"] },
    request: { params },
    response: listed(file, first),
  },
  "rejects a user that was deleted": {
    given: { ...world, deletedUsers: ["park_03"] },
    request: { params: { user_id: "park_03" } },
    response: problem(404, "user_not_found"),
  },
  "accepts limit 1, and responds with a cursor": {
    given: world,
    request: { params, query: { limit: "1" } },
    response: { status: 200, body: { ...listed(file).body, next: "cursor" } },
  },
  "accepts limit 100": {
    given: world,
    request: { params, query: { limit: "100" } },
    response: listed(file, elsewhere, first),
  },
  "has no cursor when the page is full and nothing is left": {
    given: world,
    request: { params, query: { limit: "3" } },
    response: listed(file, elsewhere, first),
  },
  "continues with only next": {
    given: firstPage,
    request: { params, query: { next } },
    response: { status: 200, body: { ...listed(elsewhere).body, next: "cursor" } },
  },
  "continues before the end of a range": {
    given: {
      ...world,
      page: {
        operation: "users.messages",
        params,
        query: { limit: "1", since: second(2), until: second(4) },
      },
    },
    request: { params, query: { next } },
    response: listed(elsewhere),
  },
  "rejects a range that differs from next": {
    given: firstPage,
    request: { params, query: { next, since: second(1) } },
    response: invalid("query", "since"),
  },
  "rejects a time that is not before the other": {
    given: world,
    request: { params, query: { since: second(1), until: second(1) } },
    response: invalid("query", "until"),
  },
  "rejects a user that does not exist": {
    request: { params: { user_id: "nobody_99" } },
    response: problem(404, "user_not_found"),
  },
} satisfies Interactions;

const times = { empty: "", negative: "-1", "with a fraction": "1.5", "that is a date": "2026-11-23" };

export const usersMessages = {
  "users.messages": {
    ...list,
    ...valueCases(list["responds with the messages from a time on"], "query", "since", { rejects: times }),
    ...valueCases(list["responds with the messages before a time"], "query", "until", { rejects: times }),
    ...pageSizeCases(list["responds with an empty page"], 1, 100),
    ...cursorCases(list["continues with only next"], {
      "another user": {
        ...world,
        page: { operation: "users.messages", params: { user_id: "park_03" }, query: { limit: "1" } },
        messages: [say(1, { user_id: "park_03" }), say(2, { user_id: "park_03" })],
      },
      "a search": { ...world, page: { operation: "messages.searchAll", query: { q: "second", limit: "1" } } },
    }),
  },
} satisfies InteractionsByOperation;

import { invalidMessageIds } from "../cases/id-cases";
import { valueCases } from "../cases/value-cases";
import { kim, lee, lunch, presentUser } from "../fixtures";
import type { Interactions, InteractionsByOperation } from "../interaction";
import { message } from "../placeholders";
import { invalid, problem } from "../problem";
import { type NewMessage, type World, worldTime } from "../world";

/** Kim has sent three messages, and Lee one in between. */
const messages: readonly NewMessage[] = ["kim_01", "lee_02", "kim_01", "kim_01"].map((user_id, index) => ({
  channel_id: "room_1",
  user_id,
  content: `Message ${index + 1}`,
  at: worldTime + 1_000 * (index + 1),
}));
const world: World = {
  users: [kim, lee],
  channels: [{ ...lunch, members: ["kim_01", "lee_02"] }],
  messages,
};
const params = { channel_id: "room_1", user_id: "lee_02" };

const marks = {
  "marks everything so far": {
    given: world,
    request: { params },
    response: { status: 200, body: { unread_count: 0, read_message_id: "1" } },
  },
  "marks everything so far for an empty body": {
    given: world,
    request: { params, body: {} },
    response: { status: 200, body: { unread_count: 0, read_message_id: "1" } },
  },
  "marks up to a message": {
    given: world,
    request: { params, body: { message_id: message(1) } },
    response: { status: 200, body: { unread_count: 2, read_message_id: "1" } },
  },
  "does not move back": {
    given: { ...world, readMarks: [{ channel_id: "room_1", user_id: "lee_02", message: 3 }] },
    request: { params, body: { message_id: message(1) } },
    response: { status: 200, body: { unread_count: 1, read_message_id: "1" } },
  },
  "accepts a message that was deleted": {
    given: { ...world, deletedMessages: [3] },
    request: { params, body: { message_id: message(3) } },
    response: { status: 200, body: { unread_count: 1, read_message_id: "1" } },
  },
  "rejects the message of another channel": {
    given: {
      ...world,
      channels: [...(world.channels ?? []), { ...lunch, channel_id: "room_2", members: ["kim_01"] }],
      messages: [...messages, { channel_id: "room_2", user_id: "kim_01", content: "Elsewhere" }],
    },
    request: { params, body: { message_id: message(5) } },
    response: problem(404, "message_not_found"),
  },
  "rejects a message id later than everything in the channel": {
    given: world,
    request: { params, body: { message_id: "9999999999999-1" } },
    response: problem(404, "message_not_found"),
  },
  "has no mark in an empty channel": {
    given: { ...world, messages: [] },
    request: { params },
    response: { status: 200, body: { unread_count: 0 } },
  },
  "rejects a user who is not a participant": {
    given: {
      ...world,
      channels: [{ ...lunch, members: ["kim_01"], formerMembers: ["lee_02"] }],
      messages: [],
    },
    request: { params },
    response: problem(403, "not_a_participant"),
  },
  "rejects a message id that the service did not assign": {
    given: world,
    request: { params, body: { message_id: "1042" } },
    response: problem(404, "message_not_found"),
  },
  "rejects message_id set to null": {
    request: { params, body: { message_id: null } },
    response: invalid("body", "message_id"),
  },
} satisfies Interactions;

const joined = { ...presentUser(lee), joined_at: worldTime + 1 };
const get = {
  "responds with the entry of the list, the mark and the number of unread messages": {
    given: { ...world, readMarks: [{ ...params, message: 1 }] },
    request: { params },
    response: { status: 200, body: { ...joined, unread_count: 2, read_message_id: "1" } },
  },
  "has no mark for a user who has read nothing": {
    given: world,
    request: { params },
    response: { status: 200, body: { ...joined, unread_count: 3 } },
  },
  "counts up to 100 unread messages": {
    given: {
      ...world,
      channels: [{ ...lunch, members: ["kim_01", "lee_02"], at: worldTime - 200_000 }],
      messages: [],
      history: { channel_id: "room_1", user_id: "kim_01", count: 101 },
    },
    request: { params },
    response: { status: 200, body: { ...joined, joined_at: worldTime - 199_999, unread_count: 100 } },
  },
  "shows who is muted": {
    given: { ...world, messages: [], mutes: [params] },
    request: { params },
    response: { status: 200, body: { ...joined, unread_count: 0, muted_until: 0 } },
  },
  "rejects a user who left": {
    given: { users: [kim, lee], channels: [{ ...lunch, members: ["kim_01"], formerMembers: ["lee_02"] }] },
    request: { params },
    response: problem(404, "member_not_found"),
  },
  "rejects a manager who is not a participant": {
    given: { users: [kim, lee], channels: [{ ...lunch, members: ["kim_01"], managers: ["lee_02"] }] },
    request: { params },
    response: problem(404, "member_not_found"),
  },
} satisfies Interactions;

export const readMarks = {
  "channels.members.get": get,
  "channels.members.markRead": {
    ...marks,
    ...valueCases(marks["marks up to a message"], "body", "message_id", {
      rejects: { "set to an empty string": "", "set to a number": 1, ...invalidMessageIds },
    }),
  },
} satisfies InteractionsByOperation;

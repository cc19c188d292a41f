import { metaCases } from "../cases/meta-cases";
import { textCases } from "../cases/text-cases";
import { unwrittenCases } from "../cases/user-cases";
import { valueCases } from "../cases/value-cases";
import { kim, lunch, menu, presentMessage } from "../fixtures";
import type { Interactions, InteractionsByOperation } from "../interaction";
import { message } from "../placeholders";
import { invalid, problem } from "../problem";
import { type NewMessage, requestTime, type World, worldTime } from "../world";
import { checkedEdits } from "./filters";
import { hookedEdits } from "./hooks";
import { importedMessage } from "./imports";
import { ownReactionsIn, shownReactions } from "./reactions";
import { editOfStreamed, streamedMessage } from "./streaming";

const noon: NewMessage = {
  channel_id: "room_1",
  user_id: "kim_01",
  content: "Noon?",
  meta: { floor: "two" },
};
const reply: NewMessage = {
  channel_id: "room_1",
  user_id: "kim_01",
  content: "Or later?",
  reply_to: message(1),
};
const menuMessage: NewMessage = { channel_id: "room_1", user_id: "kim_01", file: menu };
const joined: NewMessage = { channel_id: "room_1", content: "Kim joined.", mentions: ["kim_01"] };
const channels = [{ ...lunch, members: ["kim_01"] }];
const world: World = { users: [kim], channels, messages: [noon] };
const fileWorld: World = { users: [kim], channels, messages: [menuMessage] };
const params = { channel_id: "room_1", message_id: message(1) };
const edited = { updated_at: requestTime, edited_at: requestTime };

const update = {
  "replaces the content": {
    given: world,
    request: { params, body: { content: "One?" } },
    response: {
      status: 200,
      body: { ...presentMessage(noon, kim), content: "One?", ...edited },
    },
  },
  "replaces the metadata": {
    given: world,
    request: { params, body: { meta: { table: "five" } } },
    response: {
      status: 200,
      body: { ...presentMessage(noon, kim), meta: { table: "five" }, updated_at: requestTime },
    },
  },
  "replaces both": {
    given: world,
    request: { params, body: { content: "One?", meta: {} } },
    response: {
      status: 200,
      body: { ...presentMessage(noon, kim), content: "One?", meta: {}, ...edited },
    },
  },
  "with the same content is not edited": {
    given: world,
    request: { params, body: { content: "Noon?" } },
    response: { status: 200, body: { ...presentMessage(noon, kim), updated_at: requestTime } },
  },
  "replaces the content of a system message": {
    given: { ...world, messages: [joined] },
    request: { params, body: { content: "Kim left." } },
    response: { status: 200, body: { ...presentMessage(joined), content: "Kim left.", ...edited } },
  },
  "replaces the metadata of a file": {
    given: fileWorld,
    request: { params, body: { meta: { floor: "one" } } },
    response: {
      status: 200,
      body: { ...presentMessage(menuMessage, kim), meta: { floor: "one" }, updated_at: requestTime },
    },
  },
  "is allowed in a frozen channel": {
    given: { ...world, channels: [{ ...lunch, members: ["kim_01"], frozen: true }] },
    request: { params, body: { content: "One?" } },
    response: {
      status: 200,
      body: { ...presentMessage(noon, kim), content: "One?", ...edited },
    },
  },
  "replaces the content of the message that was read": {
    given: world,
    request: { params, body: { content: "One?", if_updated_at: worldTime } },
    response: {
      status: 200,
      body: { ...presentMessage(noon, kim), content: "One?", ...edited },
    },
  },
  "rejects an edit of a message that has changed, with the current one": {
    given: world,
    request: { params, body: { content: "One?", if_updated_at: worldTime - 1 } },
    response: problem(409, "message_changed", undefined, { current: presentMessage(noon, kim) }),
  },
  "rejects an if_updated_at that is no time": {
    request: {
      params: { channel_id: "room_1", message_id: "1-1" },
      body: { content: "One?", if_updated_at: 1.5 },
    },
    response: invalid("body", "if_updated_at"),
  },
  "rejects if_updated_at without content and meta": {
    request: { params: { channel_id: "room_1", message_id: "1-1" }, body: { if_updated_at: worldTime } },
    response: invalid("body", ""),
  },
  "replaces the parts": {
    given: { ...world, messages: [{ ...noon, parts: [{ type: "old" }] }] },
    request: { params, body: { parts: [{ type: "new" }] } },
    response: {
      status: 200,
      body: { ...presentMessage(noon, kim), parts: [{ type: "new" }], updated_at: requestTime },
    },
  },
  "removes the parts": {
    given: { ...world, messages: [{ ...noon, parts: [{ type: "old" }] }] },
    request: { params, body: { parts: [] } },
    response: { status: 200, body: { ...presentMessage(noon, kim), updated_at: requestTime } },
  },
  "keeps the parts": {
    given: { ...world, messages: [{ ...noon, parts: [{ type: "old" }] }] },
    request: { params, body: { content: "" } },
    response: {
      status: 200,
      body: { ...presentMessage({ ...noon, parts: [{ type: "old" }] }, kim), content: "", ...edited },
    },
  },
  "rejects an empty text without parts": {
    given: world,
    request: { params, body: { content: "" } },
    response: invalid("body", "content"),
  },
  "rejects removing the parts of a message without a text": {
    given: { ...world, messages: [{ ...noon, content: "", parts: [{ type: "old" }] }] },
    request: { params, body: { parts: [] } },
    response: invalid("body", "parts"),
  },
  "rejects parts for a file": {
    given: fileWorld,
    request: { params, body: { parts: [{ type: "new" }] } },
    response: invalid("body", "parts"),
  },
  "rejects content for a file": {
    given: fileWorld,
    request: { params, body: { content: "One?" } },
    response: invalid("body", "content"),
  },
  "rejects a body without content and meta": {
    request: { params: { channel_id: "room_1", message_id: "1-1" }, body: {} },
    response: invalid("body", ""),
  },
  "rejects a request without a body": {
    request: { params: { channel_id: "room_1", message_id: "1-1" } },
    response: invalid("body", ""),
  },
} satisfies Interactions;

/** Whether an empty content is rejected depends on the message. */
const { "rejects content set to an empty string": _, ...contentCases } = textCases(
  update["replaces the content"],
  "body",
  "content",
  65_536,
);

export const messagesOne = {
  "messages.get": {
    "responds with the message": {
      given: world,
      request: { params },
      response: { status: 200, body: presentMessage(noon, kim) },
    },
    "responds with a file": {
      given: fileWorld,
      request: { params },
      response: { status: 200, body: presentMessage(menuMessage, kim) },
    },
    "responds with the external_id of an imported message": importedMessage,
    "responds with the text so far of a message that is being written": streamedMessage,
    ...shownReactions,
    ...ownReactionsIn("messages.get"),
    "responds with a system message, which has no sender": {
      given: { ...world, messages: [joined] },
      request: { params },
      response: { status: 200, body: presentMessage(joined) },
    },
    "responds with the number of replies": {
      given: { ...world, messages: [noon, reply, reply] },
      request: { params },
      response: { status: 200, body: { ...presentMessage(noon, kim), reply_count: 2 } },
    },
    "does not count replies that were deleted": {
      given: { ...world, messages: [noon, reply, reply], deletedMessages: [2] },
      request: { params },
      response: { status: 200, body: { ...presentMessage(noon, kim), reply_count: 1 } },
    },
    "responds with a reply to a message that was deleted": {
      given: { ...world, messages: [noon, reply], deletedMessages: [1] },
      request: { params: { ...params, message_id: message(2) } },
      response: { status: 200, body: presentMessage(reply, kim) },
    },
    "responds with a sender who was deleted": {
      given: { ...world, deletedUsers: ["kim_01"] },
      request: { params },
      response: { status: 200, body: presentMessage(noon, kim) },
    },
  },
  "messages.update": {
    ...update,
    ...unwrittenCases(update["replaces the metadata"]),
    ...checkedEdits,
    ...hookedEdits,
    "rejects an edit of a message that is being written": editOfStreamed,
    ...contentCases,
    ...valueCases(update["replaces the parts"], "body", "parts", {
      rejects: {
        "of 201 objects": Array.from({ length: 201 }, () => ({ type: "item" })),
        "set to null": null,
      },
    }),
    ...metaCases(update["replaces the metadata"]),
  },
  "messages.delete": {
    "deletes the message": { given: world, request: { params }, response: { status: 200 } },
    "deletes a file": { given: fileWorld, request: { params }, response: { status: 200 } },
    "deletes a message in a frozen channel with a key": {
      given: { ...world, channels: [{ ...lunch, members: ["kim_01"], frozen: true }] },
      request: { params },
      response: { status: 200 },
    },
    "deletes a message of a manager in a frozen channel": {
      given: { ...world, channels: [{ ...lunch, managers: ["kim_01"], frozen: true }] },
      request: { params, as: "kim_01" },
      response: { status: 200 },
    },
    "deletes a message of its own for a user who was muted": {
      given: { ...world, mutes: [{ channel_id: "room_1", user_id: "kim_01" }] },
      request: { params, as: "kim_01" },
      response: { status: 200 },
    },
    "rejects a participant in a frozen channel": {
      given: { ...world, channels: [{ ...lunch, members: ["kim_01"], frozen: true }] },
      request: { params, as: "kim_01" },
      response: problem(403, "channel_frozen"),
    },
  },
} satisfies InteractionsByOperation;

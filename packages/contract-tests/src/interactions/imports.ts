import { requiredFieldCases } from "../cases/body-cases";
import { idCases } from "../cases/id-cases";
import { textCases } from "../cases/text-cases";
import { valueCases } from "../cases/value-cases";
import { kim, lunch, menu, numberedUsers, presentMessage } from "../fixtures";
import type { Interactions, InteractionsByOperation } from "../interaction";
import { file, message } from "../placeholders";
import { invalid, problem } from "../problem";
import { type NewFile, type NewMessage, requestTime, type World, worldTime } from "../world";
import { attached } from "./files";

const params = { channel_id: "room_1" };
/** Kim is not a participant. */
const world: World = { users: [kim], channels: [lunch] };
const noon = {
  external_id: "m-1",
  user_id: "kim_01",
  type: "text",
  content: "Noon?",
  meta: { floor: "two" },
  created_at: worldTime - 1_000,
};
const picture = { user_id: "kim_01", type: "file", file: menu, created_at: worldTime - 2_000 };
/** The same text, imported earlier. */
const known: NewMessage = {
  channel_id: "room_1",
  user_id: "kim_01",
  content: "Noon?",
  external_id: "m-1",
  at: worldTime - 1_000,
};
const plan: NewFile = {
  channel_id: "room_1",
  name: "plan.png",
  type: "image/png",
  size: 5,
};
const withFile = (id: string) => body({ ...noon, content: undefined, attachments: [{ file_id: id }] });
const ofFile = [{ in: "body", path: "messages.0.attachments" }] as const;
const imported = (count: number, skipped = 0) => ({ status: 200, body: { imported: count, skipped } });
const body = (...messages: readonly object[]) => ({ params, body: { messages } });
const texts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ ...noon, external_id: `m-${index}` }));
const mentionedIds = (count: number) => numberedUsers(count).map(({ user_id }) => user_id);
const without = (field: keyof typeof noon) => body(picture, { ...noon, [field]: undefined });

const messages = {
  "stores a text": { given: world, request: body(noon), response: imported(1) },
  "stores a text and a file": { given: world, request: body(noon, picture), response: imported(2) },
  "stores a message that has only a file": {
    given: { ...world, files: [plan] },
    request: withFile(file(1)),
    response: imported(1),
  },
  "rejects a file that does not exist": {
    given: world,
    request: withFile("file_none"),
    response: problem(404, "file_not_found", ofFile),
  },
  "rejects a file whose bytes have not arrived": {
    given: { ...world, files: [{ ...plan, waiting: true }] },
    request: withFile(file(1)),
    response: problem(409, "file_not_uploaded", ofFile),
  },
  "rejects a file of which the storage cannot say whether it has arrived": {
    given: { ...world, files: [{ ...plan, waiting: true }], settings: { files: "unavailable" } },
    request: withFile(file(1)),
    response: problem(503, "storage_unavailable"),
  },
  "rejects a file that another message has": {
    given: attached,
    request: withFile(file(1)),
    response: problem(409, "file_in_use", ofFile),
  },
  "stores messages without external_id each time": {
    given: { ...world, messages: [known] },
    request: body({ ...noon, external_id: undefined }, { ...noon, external_id: undefined }),
    response: imported(2),
  },
  "skips a message that was imported before": {
    given: { ...world, messages: [known] },
    request: body(noon, { ...noon, external_id: "m-2" }),
    response: imported(1, 1),
  },
  "skips a message that is in the request twice": {
    given: world,
    request: body(noon, noon),
    response: imported(1, 1),
  },
  "stores an external_id of another channel": {
    given: {
      users: [kim],
      channels: [lunch, { channel_id: "room_2", name: "Dinner" }],
      messages: [{ ...known, channel_id: "room_2" }],
    },
    request: body(noon),
    response: imported(1),
  },
  "stores a message that was imported and deleted": {
    given: { ...world, messages: [known], deletedMessages: [1] },
    request: body(noon),
    response: imported(1),
  },
  "is allowed in a frozen channel": {
    given: { users: [kim], channels: [{ ...lunch, frozen: true }] },
    request: body(noon),
    response: imported(1),
  },
  "accepts 500 messages": { given: world, request: body(...texts(500)), response: imported(500) },
  "rejects 501 messages": { request: body(...texts(501)), response: invalid("body", "messages") },
  "rejects an empty list": { request: body(), response: invalid("body", "messages") },
  "names the message that is invalid": {
    request: body(noon, { ...noon, content: "" }),
    response: invalid("body", "messages.1.content"),
  },
  "rejects a sender who does not exist": {
    given: world,
    request: body(noon, { ...picture, user_id: "missing_user" }),
    response: problem(404, "user_not_found", [{ in: "body", path: "messages.1.user_id" }]),
  },
  "rejects a sender who was deleted": {
    given: { ...world, deletedUsers: ["kim_01"] },
    request: body(noon),
    response: problem(404, "user_not_found", [{ in: "body", path: "messages.0.user_id" }]),
  },
  "stores a system message": {
    given: world,
    request: body({ type: "system", content: "Kim joined.", created_at: worldTime }),
    response: imported(1),
  },
  "stores a reply to a message of the request": {
    given: world,
    request: body(noon, { ...noon, external_id: "m-2", reply_to: "m-1" }),
    response: imported(2),
  },
  "stores a reply to a message that was imported before": {
    given: { ...world, messages: [known] },
    request: body({ ...noon, external_id: "m-2", reply_to: "m-1" }),
    response: imported(1),
  },
  "stores mentions of users who are not participants": {
    given: world,
    request: body({ ...noon, mentions: ["kim_01"] }),
    response: imported(1),
  },
  "stores parts, also of a system message, and without a text": {
    given: world,
    request: body(
      { ...noon, content: undefined, parts: [{ type: "card", title: "\0" }] },
      { type: "system", content: "Kim joined.", created_at: worldTime, parts: [{ type: "join" }] },
      { ...noon, external_id: "m-2", parts: [], mentions: ["kim_01"] },
    ),
    response: imported(3),
  },
  "rejects parts that are no list": {
    request: body({ ...noon, parts: { type: "card" } }),
    response: invalid("body", "messages.0.parts"),
  },
  "rejects a reply to a message that was not imported": {
    given: world,
    request: body(noon, { ...noon, external_id: "m-3", reply_to: "m-2" }),
    response: problem(404, "message_not_found", [{ in: "body", path: "messages.1.reply_to" }]),
  },
  "rejects a reply to a message that is later in the request": {
    given: world,
    request: body({ ...noon, external_id: "m-2", reply_to: "m-1" }, noon),
    response: problem(404, "message_not_found", [{ in: "body", path: "messages.0.reply_to" }]),
  },
  "rejects a reply to a message of another channel": {
    given: {
      users: [kim],
      channels: [lunch, { channel_id: "room_2", name: "Dinner" }],
      messages: [{ ...known, channel_id: "room_2" }],
    },
    request: body({ ...noon, external_id: "m-2", reply_to: "m-1" }),
    response: problem(404, "message_not_found", [{ in: "body", path: "messages.0.reply_to" }]),
  },
  "rejects a reply to a message that was imported and deleted": {
    given: { ...world, messages: [known], deletedMessages: [1] },
    request: body({ ...noon, external_id: "m-2", reply_to: "m-1" }),
    response: problem(404, "message_not_found", [{ in: "body", path: "messages.0.reply_to" }]),
  },
  "skips a reply that was imported before, to a message that was deleted since": {
    given: {
      ...world,
      messages: [known, { ...known, external_id: "m-2", reply_to: "m-1" }],
      deletedMessages: [1],
    },
    request: body({ ...noon, external_id: "m-2", reply_to: "m-1" }),
    response: imported(0, 1),
  },
  "rejects a system message that is a reply": {
    request: body({ type: "system", content: "Kim joined.", created_at: worldTime, reply_to: "m-1" }),
    response: invalid("body", "messages.0.reply_to"),
  },
  "rejects a system message with a sender": {
    request: body({ type: "system", content: "Kim joined.", created_at: worldTime, user_id: "kim_01" }),
    response: invalid("body", "messages.0.user_id"),
  },
  "accepts 50 mentions": {
    given: { ...world, users: [kim, ...numberedUsers(50)] },
    request: body({ ...noon, mentions: mentionedIds(50) }),
    response: imported(1),
  },
  "rejects 51 mentions": {
    request: body({ ...noon, mentions: mentionedIds(51) }),
    response: invalid("body", "messages.0.mentions"),
  },
  "rejects an empty list of mentions": {
    request: body({ ...noon, mentions: [] }),
    response: invalid("body", "messages.0.mentions"),
  },
  "rejects a mention of a user who does not exist": {
    given: world,
    request: body({ ...noon, mentions: ["kim_01", "missing_user"] }),
    response: problem(404, "user_not_found", [{ in: "body", path: "messages.0.mentions.1" }]),
  },
  "rejects a message from the future": {
    given: world,
    request: body(noon, { ...noon, created_at: requestTime + 1 }),
    response: invalid("body", "messages.1.created_at"),
  },
  "rejects a type that is neither text nor file": {
    request: body({ ...noon, type: "image" }),
    response: invalid("body", "messages.0.type"),
  },
  "rejects a message without content": {
    request: without("content"),
    response: invalid("body", "messages.1.content"),
  },
  "rejects a message without created_at": {
    request: without("created_at"),
    response: invalid("body", "messages.1.created_at"),
  },
  "rejects a message without user_id": {
    request: without("user_id"),
    response: invalid("body", "messages.1.user_id"),
  },
  "rejects a message with an unknown field": {
    request: body({ ...noon, unknown: true }),
    response: invalid("body", "messages.0.unknown"),
  },
} satisfies Interactions;

const accepted = messages["stores a text"];

export const imports = {
  "imports.messages": {
    ...messages,
    ...requiredFieldCases(accepted, ["messages"]),
    ...idCases(accepted, "body", "messages.0.user_id"),
    ...textCases(accepted, "body", "messages.0.content", 65_536),
    ...textCases(accepted, "body", "messages.0.external_id", 100),
    ...valueCases(
      messages["stores a reply to a message that was imported before"],
      "body",
      "messages.0.reply_to",
      {
        rejects: { "set to an empty string": "", "of 101 characters": "m".repeat(101), "set to null": null },
      },
    ),
    ...valueCases(accepted, "body", "messages.0.meta", {
      accepts: { "with Hangul and __proto__": JSON.parse('{"김":"1","__proto__":"2"}') },
      rejects: { "set to null": null, "set to an array": [] },
    }),
    ...valueCases(accepted, "body", "messages.0.created_at", {
      accepts: { "of 0": 0, "of now": requestTime },
      rejects: { "below 0": -1, "with a fraction": 0.5, "set to a string": "1", "set to null": null },
    }),
  },
} satisfies InteractionsByOperation;

/** How an imported message looks to those who read it. */
export const importedMessage = {
  given: { ...world, messages: [known] } satisfies World,
  request: { params: { ...params, message_id: message(1) } },
  response: { status: 200, body: presentMessage(known, kim) },
};

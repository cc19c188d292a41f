import { requiredFieldCases } from "../cases/body-cases";
import { bodyUserCases } from "../cases/id-cases";
import { metaCases } from "../cases/meta-cases";
import { cursorCases, pageSizeCases } from "../cases/page-cases";
import { textCases } from "../cases/text-cases";
import { valueCases } from "../cases/value-cases";
import { kim, lee, lunch, menu, numberedUsers, park, presentMessage } from "../fixtures";
import type { Interactions, InteractionsByOperation } from "../interaction";
import { message, next } from "../placeholders";
import { invalid, problem } from "../problem";
import { type NewMessage, requestTime, type World } from "../world";
import { blockedSends } from "./blocks";
import { attachedSends } from "./files";
import { checkedSends } from "./filters";
import { hookedSends } from "./hooks";
import { restrictedSends } from "./moderation";
import { ownReactionsIn } from "./reactions";
import { streamedSends } from "./streaming";

const greeting: NewMessage = { channel_id: "room_1", user_id: "kim_01", content: "Hi", at: requestTime };
const menuMessage: NewMessage = { channel_id: "room_1", user_id: "kim_01", file: menu, at: requestTime };

const many = (count: number) => numberedUsers(count).map(({ user_id }) => user_id);

const text = {
  "stores a text": {
    given: { users: [kim], channels: [{ ...lunch, members: ["kim_01"] }] },
    request: { params: { channel_id: "room_1" }, body: { user_id: "kim_01", type: "text", content: "Hi" } },
    response: { status: 201, body: presentMessage(greeting, kim) },
  },
  "rejects a type that does not exist": {
    request: { params: { channel_id: "room_1" }, body: { user_id: "kim_01", type: "image", content: "Hi" } },
    response: invalid("body", "type"),
  },
  "rejects a text with a file": {
    request: {
      params: { channel_id: "room_1" },
      body: { user_id: "kim_01", type: "text", content: "Hi", file: menu },
    },
    response: invalid("body", "file"),
  },
} satisfies Interactions;

const file = {
  "stores a file": {
    given: { users: [kim], channels: [{ ...lunch, members: ["kim_01"] }] },
    request: {
      params: { channel_id: "room_1" },
      body: { user_id: "kim_01", type: "file", file: menu, meta: { floor: "two" } },
    },
    response: { status: 201, body: { ...presentMessage(menuMessage, kim), meta: { floor: "two" } } },
  },
  "rejects a file without its fields": {
    request: { params: { channel_id: "room_1" }, body: { user_id: "kim_01", type: "file", file: {} } },
    response: problem(400, "invalid_request", [
      { in: "body", path: "file.type" },
      { in: "body", path: "file.name" },
      { in: "body", path: "file.url" },
      { in: "body", path: "file.size" },
    ]),
  },
} satisfies Interactions;

const params = { channel_id: "room_1" };
const room: World = {
  users: [kim, lee, park],
  channels: [{ ...lunch, members: ["kim_01", "lee_02"], managers: ["park_03"] }],
};
const noon: NewMessage = { channel_id: "room_1", user_id: "lee_02", content: "Noon?" };
const say = (fields: object) => ({
  params,
  body: { user_id: "kim_01", type: "text", content: "Hi", ...fields },
});
const announcement = { type: "system", content: "Lee joined." };
const announced: NewMessage = { channel_id: "room_1", content: "Lee joined.", at: requestTime };

const replies = {
  "stores a reply": {
    given: { ...room, messages: [noon] },
    request: say({ reply_to: message(1) }),
    response: { status: 201, body: presentMessage({ ...greeting, reply_to: message(1) }, kim) },
  },
  "stores a file as a reply that mentions the sender of the message": {
    given: { ...room, messages: [noon] },
    request: {
      params,
      body: { user_id: "kim_01", type: "file", file: menu, reply_to: message(1), mentions: ["lee_02"] },
    },
    response: {
      status: 201,
      body: presentMessage({ ...menuMessage, reply_to: message(1), mentions: ["lee_02"] }, kim),
    },
  },
  "stores a reply to a reply": {
    given: { ...room, messages: [noon, { ...noon, reply_to: message(1) }] },
    request: say({ reply_to: message(2) }),
    response: { status: 201, body: presentMessage({ ...greeting, reply_to: message(2) }, kim) },
  },
  "rejects a reply to a message that was deleted": {
    given: { ...room, messages: [noon], deletedMessages: [1] },
    request: say({ reply_to: message(1) }),
    response: problem(404, "message_not_found"),
  },
  "rejects a reply to a message of another channel": {
    given: {
      ...room,
      channels: [...(room.channels ?? []), { channel_id: "room_2", name: "Dinner", members: ["lee_02"] }],
      messages: [{ ...noon, channel_id: "room_2" }],
    },
    request: say({ reply_to: message(1) }),
    response: problem(404, "message_not_found"),
  },
  "rejects a reply to what is no message id": {
    given: room,
    request: say({ reply_to: "noon" }),
    response: problem(404, "message_not_found"),
  },
} satisfies Interactions;

const mentions = {
  "stores a message that mentions a participant and a manager": {
    given: room,
    request: say({ mentions: ["lee_02", "park_03"] }),
    response: { status: 201, body: presentMessage({ ...greeting, mentions: ["lee_02", "park_03"] }, kim) },
  },
  "counts a user that is mentioned twice once": {
    given: room,
    request: say({ mentions: ["lee_02", "kim_01", "lee_02"] }),
    response: { status: 201, body: presentMessage({ ...greeting, mentions: ["lee_02", "kim_01"] }, kim) },
  },
  "stores a message that mentions a muted and a suspended participant": {
    given: {
      ...room,
      mutes: [{ channel_id: "room_1", user_id: "lee_02" }],
      suspendedUsers: ["park_03"],
    },
    request: say({ mentions: ["lee_02", "park_03"] }),
    response: { status: 201, body: presentMessage({ ...greeting, mentions: ["lee_02", "park_03"] }, kim) },
  },
  "rejects a mention of a user who left": {
    given: { ...room, channels: [{ ...lunch, members: ["kim_01"], formerMembers: ["lee_02"] }] },
    request: say({ mentions: ["lee_02"] }),
    response: problem(404, "member_not_found"),
  },
  "rejects a mention of a user who is banned": {
    given: { ...room, bans: [{ channel_id: "room_1", user_id: "lee_02" }] },
    request: say({ mentions: ["lee_02"] }),
    response: problem(404, "member_not_found"),
  },
  "rejects a mention of a user who was deleted": {
    given: { ...room, deletedUsers: ["lee_02"] },
    request: say({ mentions: ["lee_02"] }),
    response: problem(404, "member_not_found"),
  },
  "rejects a mention of a user who does not exist": {
    given: room,
    request: say({ mentions: ["lee_02", "nobody_99"] }),
    response: problem(404, "member_not_found"),
  },
  "accepts 50 mentions": {
    given: { users: [kim, ...numberedUsers(50)], channels: [{ ...lunch, members: ["kim_01", ...many(50)] }] },
    request: say({ mentions: many(50) }),
    response: { status: 201, body: presentMessage({ ...greeting, mentions: many(50) }, kim) },
  },
  "rejects 51 mentions": {
    request: say({ mentions: many(51) }),
    response: invalid("body", "mentions"),
  },
  "rejects an empty list of mentions": {
    request: say({ mentions: [] }),
    response: invalid("body", "mentions"),
  },
  "rejects a mention of what is no user id": {
    request: say({ mentions: ["LEE_02"] }),
    response: invalid("body", "mentions.0"),
  },
} satisfies Interactions;

const system = {
  "stores a system message": {
    given: room,
    request: { params, body: announcement },
    response: { status: 201, body: presentMessage(announced) },
  },
  "stores a system message with metadata and mentions in a frozen channel": {
    given: { ...room, channels: [{ ...lunch, members: ["lee_02"], frozen: true }] },
    request: { params, body: { ...announcement, meta: { kind: "join" }, mentions: ["lee_02"] } },
    response: {
      status: 201,
      body: presentMessage({ ...announced, meta: { kind: "join" }, mentions: ["lee_02"] }),
    },
  },
  "rejects a system message that mentions a user who is not in the channel": {
    given: room,
    request: { params, body: { ...announcement, mentions: ["nobody_99"] } },
    response: problem(404, "member_not_found"),
  },
  "rejects a system message in a channel that does not exist": {
    request: { params, body: announcement },
    response: problem(404, "channel_not_found"),
  },
  "rejects a system message with a sender": {
    request: { params, body: { ...announcement, user_id: "kim_01" } },
    response: invalid("body", "user_id"),
  },
  "stores a system message of 65,536 characters": {
    given: room,
    request: { params, body: { type: "system", content: "😀".repeat(65_536) } },
    response: { status: 201, body: presentMessage({ ...announced, content: "😀".repeat(65_536) }) },
  },
  "rejects a system message of 65,537 characters": {
    request: { params, body: { type: "system", content: "n".repeat(65_537) } },
    response: invalid("body", "content"),
  },
  "rejects a system message without content": {
    request: { params, body: { type: "system" } },
    response: invalid("body", "content"),
  },
  "rejects a system message with invalid metadata": {
    request: { params, body: { ...announcement, meta: { key1: "v" } } },
    response: invalid("body", "meta.key1"),
  },
  "rejects a system message with a file": {
    request: { params, body: { type: "system", file: menu } },
    response: problem(400, "invalid_request", [
      { in: "body", path: "file" },
      { in: "body", path: "content" },
    ]),
  },
  "rejects a system message that is a reply": {
    request: { params, body: { ...announcement, reply_to: "1-1" } },
    response: invalid("body", "reply_to"),
  },
} satisfies Interactions;

const conversation: World = {
  ...room,
  messages: [noon, { ...greeting, reply_to: message(1) }, { ...noon, at: requestTime, reply_to: message(1) }],
};
/** 101 replies to the first message. */
const manyReplies = Array.from({ length: 101 }, (_, index) => ({
  ...noon,
  content: `Reply ${index + 1}`,
  at: requestTime,
  reply_to: message(1),
}));
const longThread: World = { ...room, messages: [noon, ...manyReplies] };
const firstReplies = (count: number) =>
  manyReplies.slice(0, count).map((reply) => presentMessage(reply, lee));
const firstReply = presentMessage({ ...greeting, reply_to: message(1) }, kim);
const secondReply = presentMessage({ ...noon, at: requestTime, reply_to: message(1) }, lee);
const ofNoon = { ...params, message_id: message(1) };
const firstPage: World = {
  ...conversation,
  page: { operation: "messages.replies", params: ofNoon, query: { limit: "1" } },
};

const listReplies = {
  "responds with the replies, oldest first": {
    given: conversation,
    request: { params: ofNoon },
    response: { status: 200, body: { messages: [firstReply, secondReply] } },
  },
  "responds with no replies": {
    given: { ...room, messages: [noon] },
    request: { params: ofNoon },
    response: { status: 200, body: { messages: [] } },
  },
  "omits replies that were deleted, and replies to replies": {
    given: {
      ...conversation,
      messages: [...(conversation.messages ?? []), { ...noon, at: requestTime, reply_to: message(2) }],
      deletedMessages: [3],
    },
    request: { params: ofNoon },
    response: { status: 200, body: { messages: [{ ...firstReply, reply_count: 1 }] } },
  },
  "accepts limit 1, and responds with a cursor": {
    given: conversation,
    request: { params: ofNoon, query: { limit: "1" } },
    response: { status: 200, body: { messages: [firstReply], next: "cursor" } },
  },
  "responds with 30 replies and a cursor": {
    given: longThread,
    request: { params: ofNoon },
    response: { status: 200, body: { messages: firstReplies(30), next: "cursor" } },
  },
  "accepts limit 100": {
    given: longThread,
    request: { params: ofNoon, query: { limit: "100" } },
    response: { status: 200, body: { messages: firstReplies(100), next: "cursor" } },
  },
  "continues with only next": {
    given: firstPage,
    request: { params: ofNoon, query: { next } },
    response: { status: 200, body: { messages: [secondReply] } },
  },
  "rejects a query that differs from next": {
    given: firstPage,
    request: { params: ofNoon, query: { next, limit: "2" } },
    response: invalid("query", "limit"),
  },
  "rejects a message that was deleted": {
    given: { ...conversation, deletedMessages: [1] },
    request: { params: ofNoon },
    response: problem(404, "message_not_found"),
  },
} satisfies Interactions;

const named: NewMessage = { ...greeting, external_id: "m-1" };
const imported: World = { ...room, messages: [{ ...noon, external_id: "m-1" }] };

const ownIds = {
  "stores a message with an id of the application": {
    given: room,
    request: say({ external_id: "m-1" }),
    response: { status: 201, body: presentMessage(named, kim) },
  },
  "stores a file and an id that another channel has": {
    given: {
      ...room,
      channels: [...(room.channels ?? []), { channel_id: "room_2", name: "Dinner", members: ["lee_02"] }],
      messages: [{ ...noon, channel_id: "room_2", external_id: "m-1" }],
    },
    request: { params, body: { user_id: "kim_01", type: "file", file: menu, external_id: "m-1" } },
    response: { status: 201, body: presentMessage({ ...menuMessage, external_id: "m-1" }, kim) },
  },
  "stores a system message with the id of a deleted message": {
    given: { ...imported, deletedMessages: [1] },
    request: { params, body: { ...announcement, external_id: "m-1" } },
    response: { status: 201, body: presentMessage({ ...announced, external_id: "m-1" }) },
  },
  "rejects the id of another message of the channel, and names that": {
    given: imported,
    request: say({ external_id: "m-1" }),
    response: problem(409, "external_id_exists", undefined, { message_id: "1" }),
  },
} satisfies Interactions;

const cards = [{ type: "card", title: "Lunch", price: 9.5, tags: ["김", null, { a: [] }] }, { type: "link" }];
const nested = (levels: number): unknown => (levels === 0 ? 1 : { of: nested(levels - 1) });
const withParts = (parts: unknown) => ({ params, body: { user_id: "kim_01", type: "text", parts } });
const partsOfBytes = (bytes: number) => {
  const one = { type: "card", text: "" };
  return [{ ...one, text: "n".repeat(bytes - JSON.stringify([one]).length) }];
};

const partsOfText = {
  "stores a text with parts": {
    given: room,
    request: say({ parts: cards }),
    response: { status: 201, body: presentMessage({ ...greeting, parts: cards }, kim) },
  },
  "stores parts alone": {
    given: room,
    request: withParts(cards),
    response: { status: 201, body: presentMessage({ ...greeting, content: "", parts: cards }, kim) },
  },
  "stores a system message of parts": {
    given: room,
    request: { params, body: { type: "system", content: "", parts: cards } },
    response: { status: 201, body: presentMessage({ ...announced, content: "", parts: cards }) },
  },
  "stores a text without parts if their list is empty": {
    given: room,
    request: say({ parts: [] }),
    response: { status: 201, body: presentMessage(greeting, kim) },
  },
  "stores parts with any text and any name of a field": {
    given: room,
    request: withParts([JSON.parse('{"type":"\\u0000\\ud83d","__proto__":{"a":1},"":"\\u0000"}')]),
    response: {
      status: 201,
      body: presentMessage(
        {
          ...greeting,
          content: "",
          parts: [JSON.parse('{"type":"\\u0000\\ud83d","__proto__":{"a":1},"":"\\u0000"}')],
        },
        kim,
      ),
    },
  },
  "rejects a text of no characters without parts": {
    request: say({ content: "", parts: [] }),
    response: invalid("body", "content"),
  },
  "rejects a file with parts": {
    request: { params, body: { user_id: "kim_01", type: "file", file: menu, parts: cards } },
    response: invalid("body", "parts"),
  },
  "rejects a number in parts that would be rounded": {
    request: withParts([{ type: "card" }, { type: "row", cells: [{ id: 2 ** 53 }] }]),
    response: invalid("body", "parts.1.cells.0.id"),
  },
} satisfies Interactions;

const partsCases = valueCases(partsOfText["stores parts alone"], "body", "parts", {
  accepts: {
    "of 200 objects": Array.from({ length: 200 }, (_, index) => ({ type: "item", index })),
    "of 65536 bytes": partsOfBytes(65_536),
    "of 5000 values": [{ type: "list", items: Array.from({ length: 4_997 }, () => 0) }],
    "of 20 levels": [{ type: "tree", of: nested(19) }],
    "with a type of 80 emoji": [{ type: "😀".repeat(80) }],
  },
  rejects: {
    "of 201 objects": Array.from({ length: 201 }, () => ({ type: "item" })),
    "of 65537 bytes": partsOfBytes(65_537),
    "of 5001 values": [{ type: "list", items: Array.from({ length: 4_998 }, () => 0) }],
    "of 21 levels": [{ type: "tree", of: nested(20) }],
    "set to an object": { type: "card" },
    "set to null": null,
  },
});

const partCases = {
  ...valueCases(partsOfText["stores parts alone"], "body", "parts.0.type", {
    rejects: { "set to an empty string": "", "of 81 characters": "n".repeat(81), "set to a number": 1 },
  }),
  ...valueCases(partsOfText["stores parts alone"], "body", "parts.0", {
    rejects: { "set to a string": "card", "set to an array": [], "set to null": null },
  }),
};

export const messages = {
  "messages.replies": {
    ...listReplies,
    ...ownReactionsIn("messages.replies"),
    ...pageSizeCases(listReplies["accepts limit 1, and responds with a cursor"], 1, 100),
    ...cursorCases(listReplies["continues with only next"], {
      "another message": {
        ...conversation,
        messages: [
          ...(conversation.messages ?? []),
          { ...noon, reply_to: message(2) },
          { ...noon, reply_to: message(2) },
        ],
        page: {
          operation: "messages.replies",
          params: { ...params, message_id: message(2) },
          query: { limit: "1" },
        },
      },
    }),
  },
  "messages.send": {
    ...text,
    ...file,
    ...replies,
    ...mentions,
    ...attachedSends,
    ...system,
    ...ownIds,
    ...textCases(ownIds["stores a message with an id of the application"], "body", "external_id", 100),
    ...partsOfText,
    ...partsCases,
    ...streamedSends,
    ...partCases,
    ...restrictedSends,
    ...blockedSends({
      params: { channel_id: "room_1" },
      body: { user_id: "kim_01", type: "text", content: "Hello" },
    }),
    ...checkedSends,
    ...hookedSends,
    "stores a message of a manager who is not a participant": {
      given: { users: [kim], channels: [{ ...lunch, managers: ["kim_01"] }] },
      request: { params: { channel_id: "room_1" }, body: { user_id: "kim_01", type: "text", content: "Hi" } },
      response: { status: 201, body: presentMessage(greeting, kim) },
    },
    "stores a message of a manager in a frozen channel": {
      given: {
        users: [kim],
        channels: [{ ...lunch, members: ["kim_01"], managers: ["kim_01"], frozen: true }],
      },
      request: { params: { channel_id: "room_1" }, body: { user_id: "kim_01", type: "text", content: "Hi" } },
      response: { status: 201, body: presentMessage(greeting, kim) },
    },
    "rejects a message of a participant in a frozen channel": {
      given: { users: [kim], channels: [{ ...lunch, members: ["kim_01"], frozen: true }] },
      request: { params: { channel_id: "room_1" }, body: { user_id: "kim_01", type: "text", content: "Hi" } },
      response: problem(403, "channel_frozen"),
    },
    "rejects a message of a former manager in a frozen channel": {
      given: {
        users: [kim],
        channels: [{ ...lunch, members: ["kim_01"], formerManagers: ["kim_01"], frozen: true }],
      },
      request: { params: { channel_id: "room_1" }, body: { user_id: "kim_01", type: "text", content: "Hi" } },
      response: problem(403, "channel_frozen"),
    },
    "rejects a message of a former participant": {
      given: { users: [kim], channels: [{ ...lunch, formerMembers: ["kim_01"] }] },
      request: { params: { channel_id: "room_1" }, body: { user_id: "kim_01", type: "text", content: "Hi" } },
      response: problem(403, "not_a_participant"),
    },
    ...bodyUserCases(text["stores a text"], "user_id"),
    ...textCases(text["stores a text"], "body", "content", 65_536),
    ...textCases(file["stores a file"], "body", "file.type", 255),
    ...textCases(file["stores a file"], "body", "file.name", 255),
    ...textCases(file["stores a file"], "body", "file.url", 2_048),
    ...valueCases(file["stores a file"], "body", "file.url", {
      accepts: {
        "set to an http address": "http://example.com/menu.png",
        "set to a path": "/files/menu:1.png",
        "without a scheme": "//example.com/menu.png",
      },
      rejects: {
        "set to a script": "javascript:alert(1)",
        "set to a script that only a browser recognises": " java\tscript:alert(1)",
        "set to data": "data:text/html,<b>",
        "of another scheme": "ftp://example.com/menu.png",
        "of no host": "https://",
      },
    }),
    ...valueCases(file["stores a file"], "body", "file.size", {
      accepts: { "of 0 bytes": 0, "of the largest safe integer": Number.MAX_SAFE_INTEGER },
      rejects: {
        "below 0": -1,
        "with a fraction": 0.5,
        "above the largest safe integer": 2 ** 53,
        "set to a string": "1",
        "set to null": null,
      },
    }),
    ...metaCases(text["stores a text"]),
    ...requiredFieldCases(text["stores a text"], ["type", "content"]),
  },
} satisfies InteractionsByOperation;

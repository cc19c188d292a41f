import { requiredFieldCases } from "../cases/body-cases";
import { textCases } from "../cases/text-cases";
import { unwrittenCases } from "../cases/user-cases";
import { valueCases } from "../cases/value-cases";
import { kim, lee, lunch, presentMessage, presentUser } from "../fixtures";
import type { Interactions, InteractionsByOperation, Response } from "../interaction";
import { message } from "../placeholders";
import { invalid, problem } from "../problem";
import { type NewMessage, requestTime, type World, worldTime } from "../world";
import { checkedAppends, checkedEndings } from "./filters";
import { hookedEndings } from "./hooks";

const begun: NewMessage = { channel_id: "room_1", user_id: "kim_01", content: "See ", appends: [] };
const written: NewMessage = { ...begun, appends: ["you ", "at "] };
const announced: NewMessage = { channel_id: "room_1", content: "Kim ", appends: ["joined"] };
const inRoom = (...messages: readonly NewMessage[]): World => ({
  users: [kim],
  channels: [{ ...lunch, members: ["kim_01"] }],
  messages,
});
const params = { channel_id: "room_1", message_id: message(1) };
const appended = (count: number): Response => ({ status: 200, body: { append_count: count } });
const send = (index: number, content: string) => ({ params, body: { index, content } });
const outOfOrder = (append_count: number) => problem(409, "append_out_of_order", undefined, { append_count });

const append = {
  "stores the first append": {
    given: inRoom(begun),
    request: send(0, "you"),
    response: appended(1),
  },
  "stores a further append": {
    given: inRoom(written),
    request: send(2, "noon."),
    response: appended(3),
  },
  "stores an append of a system message in a frozen channel": {
    given: { users: [kim], channels: [{ ...lunch, frozen: true }], messages: [announced] },
    request: send(1, "."),
    response: appended(2),
  },
  "changes nothing for the last append, sent again": {
    given: inRoom(written),
    request: send(1, "at "),
    response: appended(2),
  },
  "changes nothing for the last append, sent again by a sender who was muted": {
    given: { ...inRoom(written), mutes: [{ channel_id: "room_1", user_id: "kim_01" }] },
    request: send(1, "at "),
    response: appended(2),
  },
  "changes nothing for the same, sent with a token": {
    given: { ...inRoom(written), mutes: [{ channel_id: "room_1", user_id: "kim_01" }] },
    request: { ...send(1, "at "), as: "kim_01" },
    response: appended(2),
  },
  "rejects another text for the last index": {
    given: inRoom(written),
    request: send(1, "or "),
    response: outOfOrder(2),
  },
  "rejects an append before the last one": {
    given: inRoom(written),
    request: send(0, "you "),
    response: outOfOrder(2),
  },
  "rejects an append that leaves one out": {
    given: inRoom(written),
    request: send(3, "noon."),
    response: outOfOrder(2),
  },
  "rejects the largest index": {
    given: inRoom(written),
    request: send(Number.MAX_SAFE_INTEGER, "noon."),
    response: outOfOrder(2),
  },
  "stores 65,536 characters": {
    given: inRoom({ ...begun, content: "😀".repeat(65_535) }),
    request: send(0, "😀"),
    response: appended(1),
  },
  "rejects 65,537 characters": {
    given: inRoom({ ...begun, content: "😀".repeat(65_535) }),
    request: send(0, "😀!"),
    response: problem(409, "content_limit_exceeded"),
  },
  "rejects a message that was sent complete": {
    given: inRoom({ channel_id: "room_1", user_id: "kim_01", content: "Hi" }),
    request: send(0, "!"),
    response: problem(409, "message_not_streaming"),
  },
  "rejects a message that was finished, also for the last append": {
    given: inRoom({ ...written, finish: { state: "done" } }),
    request: send(1, "at "),
    response: problem(409, "message_not_streaming"),
  },
  "rejects a message that was deleted": {
    given: { ...inRoom(written), deletedMessages: [1] },
    request: send(2, "noon."),
    response: problem(404, "message_not_found"),
  },
  "rejects a sender who was deleted": {
    given: { ...inRoom(written), deletedUsers: ["kim_01"] },
    request: send(2, "noon."),
    response: problem(404, "user_not_found"),
  },
  "rejects a sender who was muted": {
    given: { ...inRoom(written), mutes: [{ channel_id: "room_1", user_id: "kim_01" }] },
    request: send(2, "noon."),
    response: problem(403, "member_muted"),
  },
  "rejects a participant of a channel that was frozen": {
    given: {
      users: [kim],
      channels: [{ ...lunch, members: ["kim_01"], frozen: true }],
      messages: [written],
    },
    request: send(2, "noon."),
    response: problem(403, "channel_frozen"),
  },
  "rejects a sender in a one-to-one channel with a block": {
    given: {
      users: [kim, lee],
      channels: [{ ...lunch, members: ["kim_01", "lee_02"] }],
      messages: [written],
      blocks: [{ user_id: "lee_02", blocked_user_id: "kim_01" }],
    },
    request: send(2, "noon."),
    response: problem(403, "user_blocked"),
  },
  "rejects a sender who has left": {
    given: { ...inRoom(written), left: [{ channel_id: "room_1", user_id: "kim_01" }] },
    request: send(2, "noon."),
    response: problem(403, "not_a_participant"),
  },
  "rejects a sender who was banned": {
    given: { ...inRoom(written), bans: [{ channel_id: "room_1", user_id: "kim_01" }] },
    request: send(2, "noon."),
    response: problem(403, "user_banned"),
  },
  "rejects a sender who was suspended": {
    given: { ...inRoom(written), suspendedUsers: ["kim_01"] },
    request: send(2, "noon."),
    response: problem(403, "user_suspended"),
  },
} satisfies Interactions;

const ended = (fields: object) => ({
  ...presentMessage({ channel_id: "room_1", user_id: "kim_01", content: "See you at " }, kim),
  updated_at: requestTime,
  ...fields,
});
const finishWith = (body: object) => ({ params, body });
const besideLee: World = {
  ...inRoom(written),
  users: [kim, lee],
  channels: [{ ...lunch, members: ["kim_01", "lee_02"] }],
};
const { updated_at: _, ...kimAsShownToLee } = presentUser(kim);

const finish = {
  "joins what was appended": {
    given: inRoom(written),
    request: finishWith({ state: "done" }),
    response: { status: 200, body: ended({}) },
  },
  "ends a message without any text": {
    given: inRoom({ ...begun, content: "" }),
    request: finishWith({ state: "done" }),
    response: { status: 200, body: ended({ content: "" }) },
  },
  "cancels a message": {
    given: inRoom(written),
    request: finishWith({ state: "cancelled" }),
    response: { status: 200, body: ended({ state: "cancelled" }) },
  },
  "cancels a message of a sender who was muted": {
    given: { ...inRoom(written), mutes: [{ channel_id: "room_1", user_id: "kim_01" }] },
    request: finishWith({ state: "cancelled" }),
    response: { status: 200, body: ended({ state: "cancelled" }) },
  },
  "cancels a message for another participant": {
    given: besideLee,
    request: { ...finishWith({ state: "cancelled" }), as: "lee_02" },
    response: {
      status: 200,
      body: ended({ state: "cancelled", created_at: worldTime + 1, user: kimAsShownToLee }),
    },
  },
  "rejects another participant who also changes the content": {
    given: besideLee,
    request: { ...finishWith({ state: "cancelled", content: "Never." }), as: "lee_02" },
    response: problem(403, "not_permitted"),
  },
  "rejects another participant who also changes the parts": {
    given: besideLee,
    request: { ...finishWith({ state: "cancelled", parts: [] }), as: "lee_02" },
    response: problem(403, "not_permitted"),
  },
  "rejects another participant who also changes the metadata": {
    given: besideLee,
    request: { ...finishWith({ state: "cancelled", meta: {} }), as: "lee_02" },
    response: problem(403, "not_permitted"),
  },
  "ends a message of its own for a user who was muted": {
    given: { ...inRoom(written), mutes: [{ channel_id: "room_1", user_id: "kim_01" }] },
    request: { ...finishWith({ state: "done" }), as: "kim_01" },
    response: { status: 200, body: ended({}) },
  },
  "replaces the content": {
    given: inRoom(written),
    request: finishWith({ state: "done", content: "Noon." }),
    response: { status: 200, body: ended({ content: "Noon." }) },
  },
  "replaces the parts and the metadata": {
    given: inRoom({ ...written, parts: [{ type: "draft" }], meta: { floor: "one" } }),
    request: finishWith({ state: "done", parts: [{ type: "card" }], meta: { floor: "two" } }),
    response: { status: 200, body: ended({ parts: [{ type: "card" }], meta: { floor: "two" } }) },
  },
  "removes the parts and empties the content": {
    given: inRoom({ ...written, parts: [{ type: "draft" }] }),
    request: finishWith({ state: "cancelled", content: "", parts: [], meta: {} }),
    response: { status: 200, body: ended({ state: "cancelled", content: "" }) },
  },
  "changes nothing for the same request": {
    given: inRoom({ ...written, finish: { state: "done", content: "Noon." } }),
    request: finishWith({ state: "done", content: "Noon." }),
    response: {
      status: 200,
      body: ended({ content: "Noon.", updated_at: worldTime + 1 }),
    },
  },
  "rejects another request after the end": {
    given: inRoom({ ...written, finish: { state: "done", content: "Noon." } }),
    request: finishWith({ state: "cancelled", content: "Noon." }),
    response: problem(409, "message_not_streaming"),
  },
  "rejects a message that was sent complete": {
    given: inRoom({ channel_id: "room_1", user_id: "kim_01", content: "Hi" }),
    request: finishWith({ state: "done" }),
    response: problem(409, "message_not_streaming"),
  },
  "rejects a message that was deleted": {
    given: { ...inRoom(written), deletedMessages: [1] },
    request: finishWith({ state: "done" }),
    response: problem(404, "message_not_found"),
  },
} satisfies Interactions;

/** In other operations. */
export const streamedSends = {
  "begins a message without a text": {
    given: inRoom(),
    request: {
      params: { channel_id: "room_1" },
      body: { user_id: "kim_01", type: "text", streaming: true },
    },
    response: {
      status: 201,
      body: presentMessage({ ...begun, content: "", at: requestTime }, kim),
    },
  },
  "begins a message with a text, parts and an id of the application": {
    given: inRoom(),
    request: {
      params: { channel_id: "room_1" },
      body: {
        user_id: "kim_01",
        type: "text",
        content: "See ",
        parts: [{ type: "draft" }],
        external_id: "m-1",
        streaming: true,
      },
    },
    response: {
      status: 201,
      body: presentMessage(
        { ...begun, parts: [{ type: "draft" }], external_id: "m-1", at: requestTime },
        kim,
      ),
    },
  },
  "begins a system message": {
    given: inRoom(),
    request: { params: { channel_id: "room_1" }, body: { type: "system", content: "Kim ", streaming: true } },
    response: { status: 201, body: presentMessage({ ...announced, appends: [], at: requestTime }) },
  },
  "stores a complete message if streaming is false": {
    given: inRoom(),
    request: {
      params: { channel_id: "room_1" },
      body: { user_id: "kim_01", type: "text", content: "Hi", streaming: false },
    },
    response: {
      status: 201,
      body: presentMessage({ channel_id: "room_1", user_id: "kim_01", content: "Hi", at: requestTime }, kim),
    },
  },
  "begins the twentieth message of a user with a token": {
    given: inRoom(...Array(19).fill(begun)),
    request: {
      params: { channel_id: "room_1" },
      body: { type: "text", content: "See ", streaming: true },
      as: "kim_01",
    },
    response: { status: 201, body: presentMessage({ ...begun, at: requestTime }, kim) },
  },
  "rejects the twenty-first message that a user with a token writes at once": {
    given: inRoom(...Array(20).fill(begun)),
    request: {
      params: { channel_id: "room_1" },
      body: { type: "text", content: "See ", streaming: true },
      as: "kim_01",
    },
    response: problem(409, "stream_limit_exceeded"),
  },
  "begins any number of messages of a user with a key": {
    given: inRoom(...Array(20).fill(begun)),
    request: {
      params: { channel_id: "room_1" },
      body: { user_id: "kim_01", type: "text", content: "See ", streaming: true },
    },
    response: { status: 201, body: presentMessage({ ...begun, at: requestTime }, kim) },
  },
  "rejects a file that is streamed": {
    request: {
      params: { channel_id: "room_1" },
      body: {
        user_id: "kim_01",
        type: "file",
        file: { type: "image/png", name: "menu.png", url: "/menu.png", size: 1 },
        streaming: true,
      },
    },
    response: invalid("body", "streaming"),
  },
} satisfies Interactions;

export const streamedMessage = {
  given: inRoom(written),
  request: { params },
  response: { status: 200, body: presentMessage(written, kim) },
};

export const editOfStreamed = {
  given: inRoom(written),
  request: { params, body: { meta: { floor: "two" } } },
  response: problem(409, "message_streaming"),
};

export const streaming = {
  "messages.append": {
    ...append,
    ...checkedAppends,
    ...textCases(append["stores the first append"], "body", "content", 16_384),
    ...valueCases(append["stores a further append"], "body", "index", {
      rejects: { "below 0": -1, "with a fraction": 0.5, "set to a string": "2", "set to null": null },
    }),
    ...requiredFieldCases(append["stores the first append"], ["index", "content"]),
  },
  "messages.finish": {
    ...finish,
    ...checkedEndings,
    ...hookedEndings,
    ...unwrittenCases(finish["replaces the content"]),
    ...valueCases(finish["joins what was appended"], "body", "state", {
      rejects: { "that does not exist": "streaming", "set to null": null },
    }),
    ...valueCases(finish["replaces the content"], "body", "content", {
      accepts: { "of 65536 emoji": "😀".repeat(65_536) },
      rejects: { "of 65537 letters": "n".repeat(65_537), "with a NUL": "\0", "set to null": null },
    }),
    ...valueCases(finish["replaces the parts and the metadata"], "body", "parts", {
      rejects: { "of 201 objects": Array.from({ length: 201 }, () => ({ type: "item" })) },
    }),
    ...requiredFieldCases(finish["joins what was appended"], ["state"]),
  },
} satisfies InteractionsByOperation;

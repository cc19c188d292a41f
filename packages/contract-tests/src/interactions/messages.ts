import { requiredFieldCases } from "../cases/body-cases";
import { bodyUserCases } from "../cases/id-cases";
import { metaCases } from "../cases/meta-cases";
import { textCases } from "../cases/text-cases";
import { valueCases } from "../cases/value-cases";
import { kim, lunch, menu, presentMessage } from "../fixtures";
import type { Interactions, InteractionsByOperation } from "../interaction";
import { invalid, problem } from "../problem";
import { type NewMessage, requestTime } from "../world";

const greeting: NewMessage = { channel_id: "room_1", user_id: "kim_01", content: "Hi", at: requestTime };
const menuMessage: NewMessage = { channel_id: "room_1", user_id: "kim_01", file: menu, at: requestTime };

const text = {
  "stores a text": {
    given: { users: [kim], channels: [{ ...lunch, members: ["kim_01"] }] },
    request: { params: { channel_id: "room_1" }, body: { user_id: "kim_01", type: "text", content: "Hi" } },
    response: { status: 201, body: presentMessage(greeting, kim) },
  },
  "rejects a type that is neither text nor file": {
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

export const messages = {
  "messages.send": {
    ...text,
    ...file,
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
    ...textCases(text["stores a text"], "body", "content", 8_192),
    ...textCases(file["stores a file"], "body", "file.type", 255),
    ...textCases(file["stores a file"], "body", "file.name", 255),
    ...textCases(file["stores a file"], "body", "file.url", 2_048),
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

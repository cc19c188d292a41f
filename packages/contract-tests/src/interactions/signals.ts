import { requiredFieldCases } from "../cases/body-cases";
import { bodyUserCases } from "../cases/id-cases";
import { valueCases } from "../cases/value-cases";
import { kim, lunch } from "../fixtures";
import type { Interactions, InteractionsByOperation } from "../interaction";
import { invalid, problem } from "../problem";
import type { World } from "../world";
import { blockedSends } from "./blocks";

const params = { channel_id: "room_1" };
const joined: World = { users: [kim], channels: [{ ...lunch, members: ["kim_01"] }] };
const request = { params, body: { user_id: "kim_01", type: "typing" } };
const restriction = { channel_id: "room_1", user_id: "kim_01" };
const dataOfBytes = (bytes: number) => ({ text: "n".repeat(bytes - '{"text":""}'.length) });

const send = {
  "sends a signal of a user": { given: joined, request, response: { status: 200 } },
  "sends a signal with data": {
    given: joined,
    request: {
      params,
      body: { user_id: "kim_01", type: "progress", data: { percent: 40, of: ["김", null] } },
    },
    response: { status: 200 },
  },
  "sends a signal of the application, also in a frozen channel": {
    given: { channels: [{ ...lunch, frozen: true }] },
    request: { params, body: { type: "agent.thinking" } },
    response: { status: 200 },
  },
  "sends a signal of a manager in a frozen channel": {
    given: { users: [kim], channels: [{ ...lunch, managers: ["kim_01"], frozen: true }] },
    request,
    response: { status: 200 },
  },
  "rejects a participant in a frozen channel": {
    given: { users: [kim], channels: [{ ...lunch, members: ["kim_01"], frozen: true }] },
    request,
    response: problem(403, "channel_frozen"),
  },
  "rejects a former participant": {
    given: { users: [kim], channels: [{ ...lunch, formerMembers: ["kim_01"] }] },
    request,
    response: problem(403, "not_a_participant"),
  },
  "rejects a muted participant": {
    given: { ...joined, mutes: [restriction] },
    request,
    response: problem(403, "member_muted"),
  },
  "rejects a banned user": {
    given: { ...joined, bans: [restriction] },
    request,
    response: problem(403, "user_banned"),
  },
  ...blockedSends(request),
  "rejects a suspended user": {
    given: { ...joined, suspendedUsers: ["kim_01"] },
    request,
    response: problem(403, "user_suspended"),
  },
  "rejects data set to an array": {
    request: { params, body: { type: "typing", data: [] } },
    response: invalid("body", "data"),
  },
  "rejects a number in data that would be rounded": {
    request: { params, body: { type: "progress", data: { items: [{ id: 2 ** 53 }] } } },
    response: invalid("body", "data.items.0.id"),
  },
} satisfies Interactions;

/** Without a sender it is a signal of the application. */
const { "rejects a body without user_id": _, ...userCases } = bodyUserCases(
  send["sends a signal of a user"],
  "user_id",
);

export const signals = {
  "signals.send": {
    ...send,
    ...userCases,
    ...valueCases(send["sends a signal of a user"], "body", "type", {
      accepts: { "of 1 character": "_", "of 40 characters": "a.0_".repeat(10) },
      rejects: {
        "of 41 characters": "n".repeat(41),
        "that is empty": "",
        "in upper case": "Typing",
        "with a space": "is typing",
        "set to null": null,
      },
    }),
    ...valueCases(send["sends a signal with data"], "body", "data", {
      accepts: { "of 1000 bytes": dataOfBytes(1_000), "of no fields": {} },
      rejects: { "of 1001 bytes": dataOfBytes(1_001), "set to null": null, "set to a string": "40" },
    }),
    ...requiredFieldCases(send["sends a signal of a user"], ["type"]),
  },
} satisfies InteractionsByOperation;

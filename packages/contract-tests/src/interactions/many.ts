import { requiredFieldCases } from "../cases/body-cases";
import { idCases } from "../cases/id-cases";
import { textCases } from "../cases/text-cases";
import { valueCases } from "../cases/value-cases";
import { kim, lee, lunch, menu, numberedChannels, numberedUsers, park, presentMessage } from "../fixtures";
import type { Interactions, InteractionsByOperation } from "../interaction";
import { invalid, problem } from "../problem";
import { requestTime, type World } from "../world";
import { checkedAnnouncements } from "./filters";
import { hookedAnnouncements } from "./hooks";

const params = { channel_id: "room_1" };
const hundred = numberedUsers(100);
const hundredIds = hundred.map(({ user_id }) => user_id);
const added = (joined: readonly string[], already_joined: readonly string[] = []) => ({
  status: 200,
  body: { joined, already_joined },
});
const all: World = { users: [kim, lee, park], channels: [lunch] };
const three = ["park_03", "kim_01", "lee_02"];

const addMany = {
  "adds the user": {
    given: all,
    request: { params, body: { members: ["kim_01"] } },
    response: added(["kim_01"]),
  },
  "adds users in the order of the request": {
    given: all,
    request: { params, body: { members: three } },
    response: added(three),
  },
  "reports who was a participant before": {
    given: { ...all, channels: [{ ...lunch, members: ["kim_01", "lee_02"] }] },
    request: { params, body: { members: three } },
    response: added(["park_03"], ["kim_01", "lee_02"]),
  },
  "counts duplicates once": {
    given: { ...all, channels: [{ ...lunch, members: ["kim_01"] }] },
    request: { params, body: { members: ["lee_02", "kim_01", "lee_02", "kim_01"] } },
    response: added(["lee_02"], ["kim_01"]),
  },
  "adds users who left before": {
    given: { ...all, channels: [{ ...lunch, members: ["kim_01"], formerMembers: ["lee_02"] }] },
    request: { params, body: { members: ["kim_01", "lee_02"] } },
    response: added(["lee_02"], ["kim_01"]),
  },
  "accepts 100 users": {
    given: { users: hundred, channels: [lunch] },
    request: { params, body: { members: hundredIds } },
    response: added(hundredIds),
  },
  "adds the last participants": {
    given: { users: hundred, channels: [{ ...lunch, members: hundredIds.slice(0, 98) }] },
    request: { params, body: { members: hundredIds.slice(97) } },
    response: added(["user_099", "user_100"], ["user_098"]),
  },
  "changes nothing for the participants of a full channel": {
    given: { users: hundred, channels: [{ ...lunch, members: hundredIds }] },
    request: { params, body: { members: hundredIds } },
    response: added([], hundredIds),
  },
  "does not count participants who were deleted": {
    given: {
      users: [...hundred, kim],
      channels: [{ ...lunch, members: hundredIds }],
      deletedUsers: ["user_001"],
    },
    request: { params, body: { members: ["kim_01"] } },
    response: added(["kim_01"]),
  },
  "changes nothing for a suspended participant": {
    given: { ...all, channels: [{ ...lunch, members: ["kim_01"] }], suspendedUsers: ["kim_01"] },
    request: { params, body: { members: ["kim_01", "lee_02"] } },
    response: added(["lee_02"], ["kim_01"]),
  },
  "rejects users of whom the last one is the hundred-and-first participant": {
    given: { users: [...hundred, kim], channels: [{ ...lunch, members: hundredIds.slice(0, 99) }] },
    request: { params, body: { members: ["user_100", "kim_01"] } },
    response: problem(409, "member_limit_exceeded"),
  },
  "rejects users one of whom does not exist": {
    given: all,
    request: { params, body: { members: ["kim_01", "missing_user"] } },
    response: problem(404, "user_not_found"),
  },
  "rejects users one of whom was deleted": {
    given: { ...all, deletedUsers: ["lee_02"] },
    request: { params, body: { members: ["kim_01", "lee_02"] } },
    response: problem(404, "user_not_found"),
  },
  "rejects users one of whom is banned": {
    given: { ...all, bans: [{ channel_id: "room_1", user_id: "lee_02" }] },
    request: { params, body: { members: ["kim_01", "lee_02"] } },
    response: problem(403, "user_banned"),
  },
  "rejects users one of whom is suspended": {
    given: { ...all, suspendedUsers: ["lee_02"] },
    request: { params, body: { members: ["kim_01", "lee_02"] } },
    response: problem(403, "user_suspended"),
  },
  "rejects an empty list": {
    request: { params, body: { members: [] } },
    response: invalid("body", "members"),
  },
  "rejects 101 users": {
    request: { params, body: { members: numberedUsers(101).map(({ user_id }) => user_id) } },
    response: invalid("body", "members"),
  },
  "rejects members set to an id": {
    request: { params, body: { members: "kim_01" } },
    response: invalid("body", "members"),
  },
} satisfies Interactions;

const rooms = ["room_1", "room_2"];
const hi = { user_id: "kim_01", type: "text", content: "Hi" };
const dinner = { channel_id: "room_2", name: "Dinner" };
/** Kim is a participant of both channels. */
const both: World = {
  users: [kim],
  channels: [lunch, dinner].map((channel) => ({ ...channel, members: ["kim_01"] })),
};
const sent = (channel_id: string, content = "Hi") => ({
  channel_id,
  message: presentMessage({ channel_id, user_id: "kim_01", content, at: requestTime }, kim),
});
const results = (...list: readonly object[]) => ({ status: 200, body: { results: list } });
/** The second channel gets no message for a reason that is no reason in the first one. */
const partly = (given: World, code: string) => ({
  given,
  request: { body: { channel_ids: rooms, ...hi } },
  response: results(sent("room_1"), { channel_id: "room_2", code }),
});
const neither = (given: World, code: string) => ({
  given,
  request: { body: { channel_ids: rooms, ...hi } },
  response: results(...rooms.map((channel_id) => ({ channel_id, code }))),
});
const inSecond = { channel_id: "room_2", user_id: "kim_01" };
const withSecond = (second: object): World => ({
  users: [kim],
  channels: [
    { ...lunch, members: ["kim_01"] },
    { ...dinner, ...second },
  ],
});
const hundredChannels = numberedChannels(100).map(({ channel_id, name }) => ({
  channel_id,
  name,
  members: ["kim_01"],
}));

const sendMany = {
  "sends a text to a channel": {
    given: both,
    request: { body: { channel_ids: ["room_1"], ...hi } },
    response: results(sent("room_1")),
  },
  "sends a text to several channels, with results in the order of the request": {
    given: both,
    request: { body: { channel_ids: ["room_2", "room_1"], ...hi } },
    response: results(sent("room_2"), sent("room_1")),
  },
  "counts duplicates once": {
    given: both,
    request: { body: { channel_ids: ["room_2", "room_1", "room_2"], ...hi } },
    response: results(sent("room_2"), sent("room_1")),
  },
  "sends a file": {
    given: both,
    request: {
      body: { channel_ids: ["room_1"], user_id: "kim_01", type: "file", file: menu, meta: { floor: "two" } },
    },
    response: results({
      channel_id: "room_1",
      message: {
        ...presentMessage({ channel_id: "room_1", user_id: "kim_01", file: menu, at: requestTime }, kim),
        meta: { floor: "two" },
      },
    }),
  },
  "accepts 100 channels": {
    given: { users: [kim], channels: hundredChannels },
    request: { body: { channel_ids: hundredChannels.map(({ channel_id }) => channel_id), ...hi } },
    response: results(...hundredChannels.map(({ channel_id }) => sent(channel_id))),
  },
  "sends as a manager to a frozen channel": {
    given: withSecond({ managers: ["kim_01"], frozen: true }),
    request: { body: { channel_ids: rooms, ...hi } },
    response: results(sent("room_1"), sent("room_2")),
  },
  "reports a channel that does not exist": partly(withSecond({ channel_id: "room_3" }), "channel_not_found"),
  "reports a channel that was deleted": partly({ ...both, deletedChannels: ["room_2"] }, "channel_not_found"),
  "reports a channel in which the sender does not participate": partly(
    withSecond({ formerMembers: ["kim_01"] }),
    "not_a_participant",
  ),
  "reports a frozen channel": partly(withSecond({ members: ["kim_01"], frozen: true }), "channel_frozen"),
  "reports a channel in which the sender is muted": partly({ ...both, mutes: [inSecond] }, "member_muted"),
  "reports a channel from which the sender is banned": partly({ ...both, bans: [inSecond] }, "user_banned"),
  "reports a suspended sender in each channel": neither(
    { ...both, suspendedUsers: ["kim_01"] },
    "user_suspended",
  ),
  "reports a sender who does not exist in each channel": neither(
    { users: [], channels: [lunch, dinner] },
    "user_not_found",
  ),
  "reports a sender who was deleted in each channel": neither(
    { ...both, deletedUsers: ["kim_01"] },
    "user_not_found",
  ),
  "rejects an empty list": {
    request: { body: { channel_ids: [], ...hi } },
    response: invalid("body", "channel_ids"),
  },
  "rejects 101 channels": {
    request: { body: { channel_ids: numberedChannels(101).map(({ channel_id }) => channel_id), ...hi } },
    response: invalid("body", "channel_ids"),
  },
  "rejects a text with a file": {
    request: { body: { channel_ids: rooms, ...hi, file: menu } },
    response: invalid("body", "file"),
  },
  "rejects a system message": {
    request: { body: { channel_ids: rooms, type: "system", content: "Hi" } },
    response: invalid("body", "type"),
  },
  "rejects a type that does not exist": {
    request: { body: { channel_ids: rooms, ...hi, type: "image" } },
    response: invalid("body", "type"),
  },
  "rejects mentions": {
    request: { body: { channel_ids: rooms, ...hi, mentions: ["kim_01"] } },
    response: invalid("body", "mentions"),
  },
  "sends parts": {
    given: both,
    request: { body: { channel_ids: ["room_1"], ...hi, parts: [{ type: "card" }] } },
    response: results({
      channel_id: "room_1",
      message: { ...Object(sent("room_1").message), parts: [{ type: "card" }] },
    }),
  },
  "rejects messages that have more than 8 MB together": {
    request: {
      body: {
        channel_ids: Array.from({ length: 43 }, (_, index) => `room_${index}`),
        ...hi,
        content: "김".repeat(65_536),
      },
    },
    response: invalid("body", "channel_ids"),
  },
  "rejects a reply": {
    request: { body: { channel_ids: rooms, ...hi, reply_to: "1-1" } },
    response: invalid("body", "reply_to"),
  },
} satisfies Interactions;

const one = sendMany["sends a text to a channel"];

export const many = {
  "channels.members.addMany": {
    ...addMany,
    ...idCases(addMany["adds the user"], "body", "members.0"),
    ...requiredFieldCases(addMany["adds the user"], ["members"]),
  },
  "messages.sendMany": {
    ...sendMany,
    ...checkedAnnouncements,
    ...hookedAnnouncements,
    ...idCases(one, "body", "channel_ids.0"),
    ...idCases(one, "body", "user_id"),
    ...textCases(one, "body", "content", 65_536),
    ...valueCases(sendMany["sends a file"], "body", "file.size", {
      accepts: { "of 0 bytes": 0 },
      rejects: { "below 0": -1, "set to null": null },
    }),
    ...requiredFieldCases(one, ["channel_ids", "user_id", "type", "content"]),
  },
} satisfies InteractionsByOperation;

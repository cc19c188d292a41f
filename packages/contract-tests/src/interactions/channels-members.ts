import { bodyUserCases } from "../cases/id-cases";
import { kim, lee, lunch, numberedUsers, park, presentMembers } from "../fixtures";
import type { Interactions, InteractionsByOperation } from "../interaction";
import { problem } from "../problem";
import { worldTime } from "../world";
import { mutedEntries, restrictedJoins } from "./moderation";

const hundredUsers = numberedUsers(100);
const hundredIds = hundredUsers.map(({ user_id }) => user_id);

const join = {
  "adds the user": {
    given: { users: [kim], channels: [lunch] },
    request: { params: { channel_id: "room_1" }, body: { member: "kim_01" } },
    response: { status: 200 },
  },
  "changes nothing for a participant": {
    given: { users: [kim], channels: [{ ...lunch, members: ["kim_01"] }] },
    request: { params: { channel_id: "room_1" }, body: { member: "kim_01" } },
    response: { status: 200 },
  },
  "adds a user who left before": {
    given: { users: [kim], channels: [{ ...lunch, formerMembers: ["kim_01"] }] },
    request: { params: { channel_id: "room_1" }, body: { member: "kim_01" } },
    response: { status: 200 },
  },
  "adds the hundredth participant": {
    given: { users: hundredUsers, channels: [{ ...lunch, members: hundredIds.slice(0, 99) }] },
    request: { params: { channel_id: "room_1" }, body: { member: "user_100" } },
    response: { status: 200 },
  },
  "rejects the hundred-and-first participant": {
    given: { users: [...hundredUsers, kim], channels: [{ ...lunch, members: hundredIds }] },
    request: { params: { channel_id: "room_1" }, body: { member: "kim_01" } },
    response: problem(409, "member_limit_exceeded"),
  },
  "changes nothing for a participant of a full channel": {
    given: { users: hundredUsers, channels: [{ ...lunch, members: hundredIds }] },
    request: { params: { channel_id: "room_1" }, body: { member: "user_001" } },
    response: { status: 200 },
  },
} satisfies Interactions;

const leave = {
  "removes the participant": {
    given: { users: [kim], channels: [{ ...lunch, members: ["kim_01"] }] },
    request: { params: { channel_id: "room_1" }, body: { member: "kim_01" } },
    response: { status: 200 },
  },
  "changes nothing for a user who is not a participant": {
    given: { users: [kim], channels: [lunch] },
    request: { params: { channel_id: "room_1" }, body: { member: "kim_01" } },
    response: { status: 200 },
  },
} satisfies Interactions;

export const channelsMembers = {
  "channels.members.list": {
    "lists the earliest participant first": {
      given: { users: [kim, lee, park], channels: [{ ...lunch, members: ["park_03", "lee_02", "kim_01"] }] },
      request: { params: { channel_id: "room_1" } },
      response: { status: 200, body: presentMembers([park, lee, kim]) },
    },
    "responds with an empty list": {
      given: { channels: [lunch] },
      request: { params: { channel_id: "room_1" } },
      response: { status: 200, body: [] },
    },
    "responds with 100 participants": {
      given: { users: hundredUsers, channels: [{ ...lunch, members: hundredIds }] },
      request: { params: { channel_id: "room_1" } },
      response: { status: 200, body: presentMembers(hundredUsers) },
    },
    "omits users who left and users who were deleted": {
      given: {
        users: [kim, lee, park],
        channels: [{ ...lunch, members: ["kim_01", "park_03"], formerMembers: ["lee_02"] }],
        deletedUsers: ["park_03"],
      },
      request: { params: { channel_id: "room_1" } },
      response: { status: 200, body: presentMembers([kim]) },
    },
    "shows the read marks": {
      given: {
        users: [kim, lee],
        channels: [{ ...lunch, members: ["kim_01", "lee_02"] }],
        messages: [{ channel_id: "room_1", user_id: "lee_02", content: "Noon?", at: worldTime + 5_000 }],
        readMarks: [{ channel_id: "room_1", user_id: "kim_01", message: 1 }],
      },
      request: { params: { channel_id: "room_1" } },
      response: {
        status: 200,
        body: presentMembers([kim, lee]).map((entry) =>
          entry.user_id === "kim_01" ? { ...entry, read_message_id: "1" } : entry,
        ),
      },
    },
    ...mutedEntries,
  },
  "channels.members.join": { ...join, ...restrictedJoins, ...bodyUserCases(join["adds the user"], "member") },
  "channels.members.leave": { ...leave, ...bodyUserCases(leave["removes the participant"], "member") },
} satisfies InteractionsByOperation;

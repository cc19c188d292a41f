import { bodyUserCases } from "../cases/id-cases";
import { kim, lee, lunch, numberedUsers, park, presentMembers } from "../fixtures";
import type { Interactions, InteractionsByOperation } from "../interaction";
import { problem } from "../problem";
import { restrictedManagers } from "./moderation";

const tenUsers = numberedUsers(10);
const tenIds = tenUsers.map(({ user_id }) => user_id);

const add = {
  "adds a user who is not a participant": {
    given: { users: [kim], channels: [lunch] },
    request: { params: { channel_id: "room_1" }, body: { manager: "kim_01" } },
    response: { status: 200 },
  },
  "adds a participant": {
    given: { users: [kim], channels: [{ ...lunch, members: ["kim_01"] }] },
    request: { params: { channel_id: "room_1" }, body: { manager: "kim_01" } },
    response: { status: 200 },
  },
  "changes nothing for a manager": {
    given: { users: [kim], channels: [{ ...lunch, managers: ["kim_01"] }] },
    request: { params: { channel_id: "room_1" }, body: { manager: "kim_01" } },
    response: { status: 200 },
  },
  "adds the tenth manager": {
    given: { users: tenUsers, channels: [{ ...lunch, managers: tenIds.slice(0, 9) }] },
    request: { params: { channel_id: "room_1" }, body: { manager: "user_010" } },
    response: { status: 200 },
  },
  "rejects the eleventh manager": {
    given: { users: [...tenUsers, kim], channels: [{ ...lunch, managers: tenIds }] },
    request: { params: { channel_id: "room_1" }, body: { manager: "kim_01" } },
    response: problem(409, "manager_limit_exceeded"),
  },
  "changes nothing for one of ten managers": {
    given: { users: tenUsers, channels: [{ ...lunch, managers: tenIds }] },
    request: { params: { channel_id: "room_1" }, body: { manager: "user_001" } },
    response: { status: 200 },
  },
} satisfies Interactions;

const remove = {
  "removes the manager": {
    given: { users: [kim], channels: [{ ...lunch, managers: ["kim_01"] }] },
    request: { params: { channel_id: "room_1" }, body: { manager: "kim_01" } },
    response: { status: 200 },
  },
  "rejects a user who is not a manager": {
    given: { users: [kim], channels: [{ ...lunch, members: ["kim_01"] }] },
    request: { params: { channel_id: "room_1" }, body: { manager: "kim_01" } },
    response: problem(404, "manager_not_found"),
  },
} satisfies Interactions;

export const channelsManagers = {
  "channels.managers.list": {
    "lists the earliest manager first": {
      given: { users: [kim, lee, park], channels: [{ ...lunch, managers: ["park_03", "lee_02", "kim_01"] }] },
      request: { params: { channel_id: "room_1" } },
      response: { status: 200, body: presentMembers([park, lee, kim]) },
    },
    "responds with an empty list": {
      given: { channels: [lunch] },
      request: { params: { channel_id: "room_1" } },
      response: { status: 200, body: [] },
    },
    "lists a manager who left as a participant": {
      given: { users: [kim], channels: [{ ...lunch, managers: ["kim_01"], formerMembers: ["kim_01"] }] },
      request: { params: { channel_id: "room_1" } },
      response: { status: 200, body: presentMembers([kim]) },
    },
    "omits participants, former managers and deleted users": {
      given: {
        users: [kim, lee, park],
        channels: [
          { ...lunch, managers: ["kim_01", "park_03"], members: ["lee_02"], formerManagers: ["lee_02"] },
        ],
        deletedUsers: ["park_03"],
      },
      request: { params: { channel_id: "room_1" } },
      response: { status: 200, body: presentMembers([kim]) },
    },
  },
  "channels.managers.add": {
    ...add,
    ...restrictedManagers,
    ...bodyUserCases(add["adds a participant"], "manager"),
  },
  "channels.managers.remove": { ...remove, ...bodyUserCases(remove["removes the manager"], "manager") },
  "channels.managers.removeByPath": {
    "removes the manager": {
      given: { users: [kim], channels: [{ ...lunch, managers: ["kim_01"] }] },
      request: { params: { channel_id: "room_1", user_id: "kim_01" } },
      response: { status: 200 },
    },
    "rejects a user who is not a manager": {
      given: { users: [kim], channels: [{ ...lunch, members: ["kim_01"] }] },
      request: { params: { channel_id: "room_1", user_id: "kim_01" } },
      response: problem(404, "manager_not_found"),
    },
  },
} satisfies InteractionsByOperation;

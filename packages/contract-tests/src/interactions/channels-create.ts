import { requiredFieldCases } from "../cases/body-cases";
import { idCases } from "../cases/id-cases";
import { metaCases } from "../cases/meta-cases";
import { profileUrlCases, textCases } from "../cases/text-cases";
import { valueCases } from "../cases/value-cases";
import { kim, lee, lunch, numberedUsers, park, presentChannel, presentUser } from "../fixtures";
import type { Interactions, InteractionsByOperation } from "../interaction";
import { invalid, problem } from "../problem";
import { requestTime } from "../world";
import { reuse } from "./channels-reuse";

const headers = { "x-channel-created": "true" };
/** Lunch in the response to its creation, without the members. */
const newLunch = presentChannel({ ...lunch, at: requestTime });
const hundredUsers = numberedUsers(100);
const hundredIds = hundredUsers.map(({ user_id }) => user_id);

const create = {
  "creates a channel": {
    given: { users: [kim, lee] },
    request: { body: { channel_id: "room_1", name: "Lunch", members: ["kim_01", "lee_02"] } },
    response: { status: 201, headers, body: { ...newLunch, members: [presentUser(kim), presentUser(lee)] } },
  },
  "creates a channel with every field": {
    given: { users: [kim, park] },
    request: {
      body: {
        channel_id: "room_1",
        name: "Lunch",
        profile_url: "https://example.com/lunch.png",
        members: ["kim_01", "park_03"],
        reuse: false,
        meta: { floor: "two" },
      },
    },
    response: {
      status: 201,
      headers,
      body: {
        ...newLunch,
        profile_url: "https://example.com/lunch.png",
        meta: { floor: "two" },
        members: [presentUser(kim), presentUser(park)],
      },
    },
  },
  "creates a channel with the id of a deleted channel": {
    given: {
      users: [kim, lee],
      channels: [{ ...lunch, members: ["kim_01", "lee_02"] }],
      deletedChannels: ["room_1"],
    },
    request: { body: { channel_id: "room_1", name: "Lunch", members: ["kim_01", "lee_02"] } },
    response: { status: 201, headers, body: { ...newLunch, members: [presentUser(kim), presentUser(lee)] } },
  },
  "rejects a channel_id that exists": {
    given: { channels: [lunch] },
    request: { body: { channel_id: "room_1", name: "Lunch", members: [] } },
    response: problem(409, "channel_exists"),
  },
} satisfies Interactions;

export const channelsCreate = {
  "channels.create": {
    ...create,
    "creates a channel without members": {
      request: { body: { channel_id: "room_1", name: "Lunch", members: [] } },
      response: { status: 201, headers, body: { ...newLunch, members: [] } },
    },
    "accepts 100 members": {
      given: { users: hundredUsers },
      request: { body: { channel_id: "room_1", name: "Lunch", members: hundredIds } },
      response: { status: 201, headers, body: { ...newLunch, members: hundredUsers.map(presentUser) } },
    },
    "accepts 100 members of whom one is given twice": {
      given: { users: hundredUsers },
      request: { body: { channel_id: "room_1", name: "Lunch", members: [...hundredIds, "user_001"] } },
      response: { status: 201, headers, body: { ...newLunch, members: hundredUsers.map(presentUser) } },
    },
    "rejects 101 members": {
      request: { body: { channel_id: "room_1", name: "Lunch", members: [...hundredIds, "user_101"] } },
      response: invalid("body", "members"),
    },
    "counts a member who is given twice once": {
      given: { users: [kim, lee] },
      request: { body: { channel_id: "room_1", name: "Lunch", members: ["kim_01", "lee_02", "kim_01"] } },
      response: {
        status: 201,
        headers,
        body: { ...newLunch, members: [presentUser(kim), presentUser(lee)] },
      },
    },
    "rejects a member that does not exist and creates nothing": {
      given: { users: [kim] },
      request: { body: { channel_id: "room_1", name: "Lunch", members: ["kim_01", "missing_user"] } },
      response: problem(404, "user_not_found"),
    },
    "rejects a member that is suspended and creates nothing": {
      given: { users: [kim, lee], suspendedUsers: ["lee_02"] },
      request: { body: { channel_id: "room_1", name: "Lunch", members: ["kim_01", "lee_02"] } },
      response: problem(403, "user_suspended"),
    },
    "rejects a member that was deleted": {
      given: { users: [kim, lee], deletedUsers: ["lee_02"] },
      request: { body: { channel_id: "room_1", name: "Lunch", members: ["kim_01", "lee_02"] } },
      response: problem(404, "user_not_found"),
    },
    ...reuse,
    ...valueCases(create["creates a channel with every field"], "body", "reuse", {
      rejects: { "set to a string": "true", "set to a number": 1, "set to null": null },
    }),
    ...idCases(create["creates a channel"], "body", "channel_id"),
    ...textCases(create["creates a channel"], "body", "name", 150),
    ...profileUrlCases(create["creates a channel with every field"]),
    ...idCases(create["creates a channel"], "body", "members.0"),
    ...valueCases(create["creates a channel"], "body", "members", {
      rejects: { "set to a string": "user_001", "set to null": null, "set to an object": {} },
    }),
    ...metaCases(create["creates a channel"]),
    ...requiredFieldCases(create["creates a channel"], ["channel_id", "name", "members"]),
  },
} satisfies InteractionsByOperation;

import { kim, lee, lunch, park, presentChannel, presentUser } from "../fixtures";
import type { Interactions } from "../interaction";
import { requestTime, worldTime } from "../world";

const users = [kim, lee, park];
const reusedLunch = {
  status: 201,
  headers: { "x-channel-created": "false" },
  body: { ...presentChannel(lunch), members: [presentUser(kim), presentUser(lee)] },
};
const createdDinner = {
  status: 201,
  headers: { "x-channel-created": "true" },
  body: {
    ...presentChannel({ channel_id: "room_2", name: "Dinner", at: requestTime }),
    members: [presentUser(kim), presentUser(lee)],
  },
};

/** `channels.create` with `reuse` responds with the channel that has only ever had exactly these two participants. */
export const reuse = {
  "reuses the channel of the same two users and ignores the other fields": {
    given: { users, channels: [{ ...lunch, members: ["kim_01", "lee_02"] }] },
    request: { body: { channel_id: "room_2", name: "Dinner", members: ["kim_01", "lee_02"], reuse: true } },
    response: reusedLunch,
  },
  "reuses the channel of the same two users in another order": {
    given: { users, channels: [{ ...lunch, members: ["kim_01", "lee_02"] }] },
    request: { body: { channel_id: "room_2", name: "Dinner", members: ["lee_02", "kim_01"], reuse: true } },
    response: reusedLunch,
  },
  "reuses a channel that one of the two left and joined again": {
    given: { users, channels: [{ ...lunch, formerMembers: ["lee_02"], members: ["kim_01", "lee_02"] }] },
    request: { body: { channel_id: "room_2", name: "Dinner", members: ["kim_01", "lee_02"], reuse: true } },
    response: reusedLunch,
  },
  "reuses the newest of several channels": {
    given: {
      users,
      channels: [
        { channel_id: "room_0", name: "Breakfast", members: ["kim_01", "lee_02"], at: worldTime - 1 },
        { ...lunch, members: ["kim_01", "lee_02"] },
      ],
    },
    request: { body: { channel_id: "room_2", name: "Dinner", members: ["kim_01", "lee_02"], reuse: true } },
    response: reusedLunch,
  },
  "creates a channel if reuse is omitted": {
    given: { users, channels: [{ ...lunch, members: ["kim_01", "lee_02"] }] },
    request: { body: { channel_id: "room_2", name: "Dinner", members: ["kim_01", "lee_02"] } },
    response: createdDinner,
  },
  "does not reuse a channel with a third participant": {
    given: { users, channels: [{ ...lunch, members: ["kim_01", "lee_02", "park_03"] }] },
    request: { body: { channel_id: "room_2", name: "Dinner", members: ["kim_01", "lee_02"], reuse: true } },
    response: createdDinner,
  },
  "does not reuse a channel that one of the two left": {
    given: { users, channels: [{ ...lunch, members: ["kim_01"], formerMembers: ["lee_02"] }] },
    request: { body: { channel_id: "room_2", name: "Dinner", members: ["kim_01", "lee_02"], reuse: true } },
    response: createdDinner,
  },
  "does not reuse a channel that a third participant left": {
    given: { users, channels: [{ ...lunch, members: ["kim_01", "lee_02"], formerMembers: ["park_03"] }] },
    request: { body: { channel_id: "room_2", name: "Dinner", members: ["kim_01", "lee_02"], reuse: true } },
    response: createdDinner,
  },
  "does not reuse a channel whose third participant was deleted": {
    given: {
      users,
      channels: [{ ...lunch, members: ["kim_01", "lee_02", "park_03"] }],
      deletedUsers: ["park_03"],
    },
    request: { body: { channel_id: "room_2", name: "Dinner", members: ["kim_01", "lee_02"], reuse: true } },
    response: createdDinner,
  },
  "does not reuse a channel with a manager": {
    given: { users, channels: [{ ...lunch, members: ["kim_01", "lee_02"], managers: ["kim_01"] }] },
    request: { body: { channel_id: "room_2", name: "Dinner", members: ["kim_01", "lee_02"], reuse: true } },
    response: createdDinner,
  },
  "does not reuse a channel that had a manager": {
    given: { users, channels: [{ ...lunch, members: ["kim_01", "lee_02"], formerManagers: ["kim_01"] }] },
    request: { body: { channel_id: "room_2", name: "Dinner", members: ["kim_01", "lee_02"], reuse: true } },
    response: createdDinner,
  },
  "does not reuse a deleted channel": {
    given: { users, channels: [{ ...lunch, members: ["kim_01", "lee_02"] }], deletedChannels: ["room_1"] },
    request: { body: { channel_id: "room_2", name: "Dinner", members: ["kim_01", "lee_02"], reuse: true } },
    response: createdDinner,
  },
  "does not reuse a channel of three participants": {
    given: { users, channels: [{ ...lunch, members: ["kim_01", "lee_02", "park_03"] }] },
    request: {
      body: { channel_id: "room_2", name: "Dinner", members: ["kim_01", "lee_02", "park_03"], reuse: true },
    },
    response: {
      ...createdDinner,
      body: { ...createdDinner.body, members: [presentUser(kim), presentUser(lee), presentUser(park)] },
    },
  },
} satisfies Interactions;

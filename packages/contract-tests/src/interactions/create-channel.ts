import type { Interaction, InteractionsByOperation } from "../interaction";
import { metaRule } from "../meta-rule";
import { kim, lee, park, people, presentUser, userIdOf } from "../people";
import { invalid, refusal } from "../refusal";
import { bodyRules, requestRules, requiredRules } from "../request-rules";
import { presentChannel, room } from "../rooms";
import { bodyIdRule, textRule } from "../text-rules";
import { rule } from "../variants";
import { type NewChannel, type NewUser, requestTime, type World, worldTime } from "../world";

const nameRule = textRule({ minLength: 1, maxLength: 150 });
const urlRule = textRule({ minLength: 0, maxLength: 2_048 });
const wasCreated = { "x-channel-created": "true" };
const wasReused = { "x-channel-created": "false" };

const create = (users: readonly NewUser[], body: object, stored: NewChannel): Interaction => ({
  given: { users },
  request: { body: { members: users.map(({ user_id }) => user_id), ...body } },
  response: {
    status: 201,
    headers: wasCreated,
    body: {
      ...presentChannel({ ...stored, at: requestTime }),
      members: users.map((user) => presentUser(user)),
    },
  },
});
const created = create([kim, lee], room, room);
/** An empty address says "none". */
const withUrl = (profile_url: string) => (profile_url === "" ? room : { ...room, profile_url });

const pair = [kim.user_id, lee.user_id];
const reuse = (channels: readonly NewChannel[], given: World = {}) => ({
  given: { users: [kim, lee, park], channels, ...given },
  request: { body: { channel_id: "room_new", name: "New", members: pair, reuse: true } },
});
const reused = (channel: NewChannel) => ({
  status: 201,
  headers: wasReused,
  body: { ...presentChannel(channel), members: [presentUser(kim), presentUser(lee)] },
});
const notReused = {
  status: 201,
  headers: wasCreated,
  body: {
    ...presentChannel({ channel_id: "room_new", name: "New", at: requestTime }),
    members: [presentUser(kim), presentUser(lee)],
  },
};

export const createChannel = {
  "channels.create": {
    "creates a channel": created,
    "creates a channel with everything": create(
      [kim, lee, park],
      { ...room, profile_url: "https://example.com/lunch.png", reuse: false, meta: { floor: "two" } },
      { ...room, profile_url: "https://example.com/lunch.png", meta: { floor: "two" } },
    ),
    "creates a channel without members": create([], room, room),
    "accepts 100 members": create(people(100), room, room),
    "accepts 101 names of 100 members": {
      ...create(people(100), room, room),
      request: { body: { ...room, members: [...people(100), ...people(1)].map(({ user_id }) => user_id) } },
    },
    "refuses 101 members": {
      request: { body: { ...room, members: people(101).map(({ user_id }) => user_id) } },
      response: invalid("body", "members"),
    },
    "counts a member named twice once": {
      ...created,
      request: { body: { ...room, members: [kim.user_id, lee.user_id, kim.user_id] } },
    },
    "refuses a member that nobody is, and creates nothing": {
      given: { users: [kim] },
      request: { body: { ...room, members: [kim.user_id, "nobody"] } },
      response: refusal(404, "user_not_found"),
    },
    "refuses a member who was deleted": {
      given: { users: [kim, lee], deletedUsers: [lee.user_id] },
      request: { body: { ...room, members: pair } },
      response: refusal(404, "user_not_found"),
    },
    "refuses an id that is taken": {
      given: { channels: [room] },
      request: { body: { ...room, members: [] } },
      response: refusal(409, "channel_exists"),
    },
    "creates a channel under the id of a deleted one": {
      ...created,
      given: {
        users: [kim, lee],
        channels: [{ ...room, members: pair }],
        deletedChannels: [room.channel_id],
      },
    },
    "reuses the channel of the same two, and ignores the rest of the request": {
      ...reuse([{ ...room, members: pair }]),
      response: reused(room),
    },
    "reuses the channel of the same two named in another order": {
      ...reuse([{ ...room, members: pair }]),
      request: { body: { channel_id: "room_new", name: "New", members: [...pair].reverse(), reuse: true } },
      response: reused(room),
    },
    "reuses the channel of two of whom one left and came back": {
      ...reuse([{ ...room, formerMembers: [lee.user_id], members: pair }]),
      response: reused(room),
    },
    "reuses the newest of several": {
      ...reuse([
        { ...room, members: pair },
        { channel_id: "room_2", name: "Later", members: pair, at: worldTime + 1 },
      ]),
      response: {
        ...reused(room),
        body: {
          ...presentChannel({ channel_id: "room_2", name: "Later", at: worldTime + 1 }),
          members: [presentUser(kim), presentUser(lee)],
        },
      },
    },
    "reuses no channel without reuse": {
      ...reuse([{ ...room, members: pair }]),
      request: { body: { channel_id: "room_new", name: "New", members: pair } },
      response: notReused,
    },
    "reuses no channel with a third": {
      ...reuse([{ ...room, members: [...pair, park.user_id] }]),
      response: notReused,
    },
    "reuses no channel that one of the two has left": {
      ...reuse([{ ...room, members: [kim.user_id], formerMembers: [lee.user_id] }]),
      response: notReused,
    },
    "reuses no channel in which a third once took part": {
      ...reuse([{ ...room, members: pair, formerMembers: [park.user_id] }]),
      response: notReused,
    },
    "reuses no channel in which a third took part who was deleted": {
      ...reuse([{ ...room, members: [...pair, park.user_id] }], { deletedUsers: [park.user_id] }),
      response: notReused,
    },
    "reuses no channel with a manager": {
      ...reuse([{ ...room, members: pair, managers: [kim.user_id] }]),
      response: notReused,
    },
    "reuses no channel that once had a manager": {
      ...reuse([{ ...room, members: pair, formerManagers: [kim.user_id] }]),
      response: notReused,
    },
    "reuses no deleted channel": {
      ...reuse([{ ...room, members: pair }], { deletedChannels: [room.channel_id] }),
      response: notReused,
    },
    "reuses no channel for three members": {
      given: { users: [kim, lee, park], channels: [{ ...room, members: [...pair, park.user_id] }] },
      request: {
        body: { channel_id: "room_new", name: "New", members: [...pair, park.user_id], reuse: true },
      },
      response: {
        ...notReused,
        body: { ...notReused.body, members: [kim, lee, park].map((user) => presentUser(user)) },
      },
    },
    ...rule(
      "body",
      "reuse",
      { accepts: {}, refuses: { "that is a text": "true", "that is a number": 1, "that is null": null } },
      (value) => create([kim], { ...room, reuse: value }, room),
    ),
    ...rule("body", "channel_id", bodyIdRule, (channel_id) =>
      create([kim], { ...room, channel_id }, { ...room, channel_id }),
    ),
    ...rule("body", "name", nameRule, (name) => create([kim], { ...room, name }, { ...room, name })),
    ...rule("body", "profile_url", urlRule, (profile_url) =>
      create([kim], { ...room, profile_url }, withUrl(profile_url)),
    ),
    ...rule("body", "members.0", bodyIdRule, (user_id) => create([{ ...kim, user_id }], room, room)),
    ...rule(
      "body",
      "members",
      {
        accepts: {},
        refuses: { "that are a text": userIdOf(0), "that are null": null, "that are an object": {} },
      },
      (members) => create([], { ...room, members }, room),
    ),
    ...metaRule((meta) => create([kim], { ...room, meta }, { ...room, meta })),
    ...requiredRules(created, ["channel_id", "name", "members"]),
    ...bodyRules(created),
    ...requestRules(created),
  },
} satisfies InteractionsByOperation;

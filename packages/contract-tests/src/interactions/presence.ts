import { idListCases } from "../cases/id-list-cases";
import { kim, lee, lunch, park } from "../fixtures";
import type { Interactions, InteractionsByOperation } from "../interaction";
import { problem } from "../problem";
import { type World, worldTime } from "../world";

const world: World = {
  users: [kim, lee, park],
  channels: [{ ...lunch, members: ["kim_01"], managers: ["lee_02"], formerMembers: ["park_03"] }],
};
const withKim: World = { ...world, online: ["kim_01"] };
const blocked: World = {
  ...world,
  online: ["kim_01", "lee_02"],
  blocks: [{ user_id: "kim_01", blocked_user_id: "lee_02" }],
};
const query = { user_ids: "lee_02,kim_01,park_03" };

type Shown = readonly [user_id: string, status: "online" | "offline", last_seen_at?: number];
const respond = (...shown: readonly Shown[]) => ({
  status: 200,
  body: {
    presence: shown.map(([user_id, status, last_seen_at]) => ({
      user_id,
      status,
      ...(last_seen_at !== undefined && { last_seen_at }),
    })),
  },
});

const list = {
  "lists users in the order of the request": {
    given: world,
    request: { query },
    response: respond(["lee_02", "offline"], ["kim_01", "offline"], ["park_03", "offline"]),
  },
  "lists each user once, without those that do not exist": {
    given: { ...world, deletedUsers: ["park_03"] },
    request: { query: { user_ids: "kim_01,park_03,nobody_9,lee_02,kim_01" } },
    response: respond(["kim_01", "offline"], ["lee_02", "offline"]),
  },
  "shows who is online": {
    given: withKim,
    request: { query },
    response: respond(["lee_02", "offline"], ["kim_01", "online"], ["park_03", "offline"]),
  },
  "lists as a user the user itself, and who is in a channel with it": {
    given: withKim,
    request: { query, as: "lee_02" },
    response: respond(["lee_02", "offline"], ["kim_01", "online"]),
  },
  "omits who is in a channel that the user has left": {
    given: withKim,
    request: { query, as: "park_03" },
    response: respond(["park_03", "offline"]),
  },
  "shows as offline who has blocked the user": {
    given: blocked,
    request: { query, as: "lee_02" },
    response: respond(["lee_02", "online"], ["kim_01", "offline"]),
  },
  "shows as offline whom the user has blocked": {
    given: blocked,
    request: { query, as: "kim_01" },
    response: respond(["lee_02", "offline"], ["kim_01", "online"]),
  },
  "shows users with a block to the application": {
    given: blocked,
    request: { query },
    response: respond(["lee_02", "online"], ["kim_01", "online"], ["park_03", "offline"]),
  },
  "shows when a user was last online": {
    given: {
      ...withKim,
      settings: { presence: "last_seen" },
      lastSeen: [
        { user_id: "kim_01", at: worldTime },
        { user_id: "lee_02", at: worldTime },
      ],
    },
    request: { query },
    response: respond(["lee_02", "offline", worldTime], ["kim_01", "online"], ["park_03", "offline"]),
  },
  "does not show when a blocked user was last online": {
    given: {
      ...world,
      settings: { presence: "last_seen" },
      blocks: [{ user_id: "kim_01", blocked_user_id: "lee_02" }],
      lastSeen: [{ user_id: "kim_01", at: worldTime }],
    },
    request: { query, as: "lee_02" },
    response: respond(["lee_02", "offline"], ["kim_01", "offline"]),
  },
  "does not show what was stored with another setting": {
    given: { ...world, lastSeen: [{ user_id: "kim_01", at: worldTime }] },
    request: { query },
    response: respond(["lee_02", "offline"], ["kim_01", "offline"], ["park_03", "offline"]),
  },
  "rejects a list where presence is turned off": {
    given: { users: [kim], settings: { presence: "off" } },
    request: { query },
    response: problem(409, "presence_disabled"),
  },
} satisfies Interactions;

export const presence = {
  "presence.list": {
    ...list,
    ...idListCases(list["lists users in the order of the request"], "user_ids", { others: [], max: 100 }),
  },
} satisfies InteractionsByOperation;

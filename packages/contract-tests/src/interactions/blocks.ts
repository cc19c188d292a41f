import { idCases } from "../cases/id-cases";
import { cursorCases, pageSizeCases } from "../cases/page-cases";
import { kim, lee, lunch, numberedUsers, park, presentUser } from "../fixtures";
import type { Interactions, InteractionsByOperation } from "../interaction";
import { next } from "../placeholders";
import { invalid, problem } from "../problem";
import { type NewBlock, type World, worldTime } from "../world";

const params = { user_id: "kim_01", blocked_user_id: "park_03" };
const two: World = { users: [kim, park] };
const blocked: World = { ...two, blocks: [params] };
const done = { status: 200 } as const;

const missingUsers = {
  "rejects a blocked_user_id that does not exist": {
    given: two,
    request: { params: { ...params, blocked_user_id: "missing_user" } },
    response: problem(404, "user_not_found"),
  },
  "rejects a blocked_user_id that was deleted": {
    given: { ...two, deletedUsers: ["park_03"] },
    request: { params },
    response: problem(404, "user_not_found"),
  },
} satisfies Interactions;

const many = numberedUsers(1_001);
const blocksOf = (count: number): NewBlock[] =>
  many.slice(0, count).map(({ user_id }) => ({ user_id: "kim_01", blocked_user_id: user_id }));
const last = { user_id: "kim_01", blocked_user_id: many.at(-1)?.user_id ?? "" };

const add = {
  "blocks a user": { given: two, request: { params }, response: done },
  "blocks for the user itself": { given: two, request: { params, as: "kim_01" }, response: done },
  "changes nothing for a user who is blocked": { given: blocked, request: { params }, response: done },
  "blocks a user who has blocked the other": {
    given: { ...two, blocks: [{ user_id: "park_03", blocked_user_id: "kim_01" }] },
    request: { params },
    response: done,
  },
  "rejects oneself": {
    given: two,
    request: { params: { ...params, blocked_user_id: "kim_01" } },
    response: invalid("path", "blocked_user_id"),
  },
  "accepts 1,000 blocks": {
    given: { users: [kim, ...many], blocks: blocksOf(999) },
    request: { params: last },
    response: done,
  },
  "rejects the 1,001st block": {
    given: { users: [kim, ...many], blocks: blocksOf(1_000) },
    request: { params: last },
    response: problem(409, "block_limit_exceeded"),
  },
  "changes nothing for one of 1,000 blocks": {
    given: { users: [kim, ...many], blocks: blocksOf(1_000) },
    request: { params: { ...params, blocked_user_id: many[0]?.user_id ?? "" } },
    response: done,
  },
} satisfies Interactions;

const remove = {
  "ends a block": { given: blocked, request: { params }, response: done },
  "changes nothing for a user who is not blocked": { given: two, request: { params }, response: done },
} satisfies Interactions;

const twoBlocks: World = {
  users: [kim, lee, park],
  blocks: [
    { ...params, at: worldTime + 1 },
    { ...params, blocked_user_id: "lee_02", at: worldTime + 2 },
    { user_id: "park_03", blocked_user_id: "kim_01" },
  ],
};
const ofPark = { user: presentUser(park), created_at: worldTime + 1 };
const ofLee = { user: presentUser(lee), created_at: worldTime + 2 };
const ofKim = (request: object) => ({ params: { user_id: "kim_01" }, ...request });
const firstPage: World = {
  ...twoBlocks,
  page: { operation: "users.blocks.list", params: { user_id: "kim_01" }, query: { limit: "1" } },
};
const presented = (count: number) =>
  many.slice(0, count).map((user, index) => ({ user: presentUser(user), created_at: worldTime - index }));
const manyBlocks = (count: number): World => ({
  users: [kim, ...many.slice(0, count)],
  blocks: blocksOf(count).map((block, index) => ({ ...block, at: worldTime - index })),
});

const list = {
  "lists the newest block first, and not who has blocked the user": {
    given: twoBlocks,
    request: ofKim({}),
    response: { status: 200, body: { blocks: [ofLee, ofPark] } },
  },
  "shows a user what it sees of others": {
    given: blocked,
    request: ofKim({ as: "kim_01" }),
    response: {
      status: 200,
      body: {
        blocks: [
          {
            user: { user_id: "park_03", name: "Park", meta: {}, created_at: worldTime },
            created_at: worldTime,
          },
        ],
      },
    },
  },
  "responds with an empty page": {
    given: two,
    request: ofKim({}),
    response: { status: 200, body: { blocks: [] } },
  },
  "omits a user who was deleted": {
    given: { ...twoBlocks, deletedUsers: ["lee_02"] },
    request: ofKim({}),
    response: { status: 200, body: { blocks: [ofPark] } },
  },
  "responds with 30 blocks and a cursor": {
    given: manyBlocks(31),
    request: ofKim({}),
    response: { status: 200, body: { blocks: presented(30), next: "cursor" } },
  },
  "accepts limit 1": {
    given: twoBlocks,
    request: ofKim({ query: { limit: "1" } }),
    response: { status: 200, body: { blocks: [ofLee], next: "cursor" } },
  },
  "accepts limit 100": {
    given: manyBlocks(100),
    request: ofKim({ query: { limit: "100" } }),
    response: { status: 200, body: { blocks: presented(100) } },
  },
  "continues with only next": {
    given: firstPage,
    request: ofKim({ query: { next } }),
    response: { status: 200, body: { blocks: [ofPark] } },
  },
} satisfies Interactions;

/** Kim and Lee in a one-to-one channel. */
const pair: World = { users: [kim, lee], channels: [{ ...lunch, members: ["kim_01", "lee_02"] }] };
const kimBlocksLee: World = { ...pair, blocks: [{ user_id: "kim_01", blocked_user_id: "lee_02" }] };
const leeBlocksKim: World = { ...pair, blocks: [{ user_id: "lee_02", blocked_user_id: "kim_01" }] };

/** How what a user would send to a one-to-one channel is rejected. */
export const blockedSends = (request: object): Interactions => ({
  "rejects a user who has blocked the other of a one-to-one channel": {
    given: kimBlocksLee,
    request,
    response: problem(403, "user_blocked"),
  },
  "rejects a user whom the other of a one-to-one channel has blocked": {
    given: leeBlocksKim,
    request,
    response: problem(403, "user_blocked"),
  },
});

export const blocks = {
  "users.blocks.add": {
    ...add,
    ...missingUsers,
    ...idCases(add["blocks a user"], "path", "blocked_user_id"),
  },
  "users.blocks.remove": { ...remove, ...missingUsers },
  "users.blocks.list": {
    ...list,
    ...pageSizeCases(list["responds with an empty page"], 1, 100),
    ...cursorCases(list["continues with only next"], {
      "the blocks of another user": {
        users: [kim, lee, park],
        blocks: [
          { user_id: "park_03", blocked_user_id: "kim_01" },
          { user_id: "park_03", blocked_user_id: "lee_02" },
        ],
        page: { operation: "users.blocks.list", params: { user_id: "park_03" }, query: { limit: "1" } },
      },
      "another list": {
        users: [kim],
        channels: [
          { ...lunch, channel_id: "room_2" },
          { ...lunch, channel_id: "room_3" },
        ],
        bans: [
          { channel_id: "room_2", user_id: "kim_01" },
          { channel_id: "room_3", user_id: "kim_01" },
        ],
        page: { operation: "users.bans", params: { user_id: "kim_01" }, query: { limit: "1" } },
      },
    }),
  },
} satisfies InteractionsByOperation;

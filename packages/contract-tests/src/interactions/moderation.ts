import { cursorCases, pageSizeCases } from "../cases/page-cases";
import { valueCases } from "../cases/value-cases";
import {
  kim,
  lee,
  lunch,
  numberedChannels,
  numberedUsers,
  park,
  presentChannel,
  presentMembers,
  presentUser,
} from "../fixtures";
import type { Interaction, Interactions, InteractionsByOperation } from "../interaction";
import { next } from "../placeholders";
import { problem } from "../problem";
import { type Ban, requestTime, type World, worldTime } from "../world";

/** In the year 2100, by the clock of the database. */
const until = 4_102_444_800_000;
const params = { channel_id: "room_1", user_id: "kim_01" };
const joined: World = { users: [kim], channels: [{ ...lunch, members: ["kim_01"] }] };
const notJoined: World = { users: [kim], channels: [lunch] };
const done = { status: 200 } as const;

const times = {
  accepts: { "in the far future": Number.MAX_SAFE_INTEGER },
  rejects: {
    "that has passed": worldTime,
    "that is 0": 0,
    "that is negative": -1,
    "with a fraction": until + 0.5,
    "set to a string": String(until),
    "set to null": null,
  },
};
export const reasons = {
  accepts: { "of 1 character": "김", "of 500 emoji": "😀".repeat(500) },
  rejects: {
    "that is empty": "",
    "of 501 characters": "r".repeat(501),
    "with a NUL": "r\0",
    "set to null": null,
  },
};

const mute = {
  "mutes without end": { given: joined, request: { params }, response: done },
  "mutes until a time": { given: joined, request: { params, body: { until } }, response: done },
  "mutes a manager who is a participant": {
    given: { users: [kim], channels: [{ ...lunch, members: ["kim_01"], managers: ["kim_01"] }] },
    request: { params },
    response: done,
  },
  "changes nothing for a user who is muted": {
    given: { ...joined, mutes: [params] },
    request: { params },
    response: done,
  },
  "rejects a user who is not a participant": {
    given: notJoined,
    request: { params },
    response: problem(404, "member_not_found"),
  },
  "rejects a manager who is not a participant": {
    given: { users: [kim], channels: [{ ...lunch, managers: ["kim_01"] }] },
    request: { params },
    response: problem(404, "member_not_found"),
  },
} satisfies Interactions;

const hello = { user_id: "kim_01", type: "text", content: "Hello" };
const send = (given: World, response: Interaction["response"]): Interaction => ({
  given,
  request: { params: { channel_id: "room_1" }, body: hello },
  response,
});
const managed: World = { users: [kim], channels: [{ ...lunch, members: ["kim_01"], managers: ["kim_01"] }] };

/** What moderation rejects in operations of other sections. */
export const restrictedSends = {
  "rejects a muted participant": send({ ...joined, mutes: [params] }, problem(403, "member_muted")),
  "rejects a muted participant until a time": send(
    { ...joined, mutes: [{ ...params, until }] },
    problem(403, "member_muted"),
  ),
  "rejects a muted manager": send({ ...managed, mutes: [params] }, problem(403, "member_muted")),
  "rejects a banned user": send({ ...managed, bans: [params] }, problem(403, "user_banned")),
  "rejects a suspended user": send(
    { ...managed, suspendedUsers: ["kim_01"] },
    problem(403, "user_suspended"),
  ),
} satisfies Interactions;

export const restrictedJoins = {
  "rejects a banned user": {
    given: { ...joined, bans: [params] },
    request: { params: { channel_id: "room_1" }, body: { member: "kim_01" } },
    response: problem(403, "user_banned"),
  },
  "rejects a suspended user": {
    given: { ...notJoined, suspendedUsers: ["kim_01"] },
    request: { params: { channel_id: "room_1" }, body: { member: "kim_01" } },
    response: problem(403, "user_suspended"),
  },
  "changes nothing for a suspended participant": {
    given: { ...joined, suspendedUsers: ["kim_01"] },
    request: { params: { channel_id: "room_1" }, body: { member: "kim_01" } },
    response: done,
  },
} satisfies Interactions;

export const restrictedManagers = {
  "rejects a banned user": {
    given: { ...joined, bans: [params] },
    request: { params: { channel_id: "room_1" }, body: { manager: "kim_01" } },
    response: problem(403, "user_banned"),
  },
  "registers a suspended user": {
    given: { ...notJoined, suspendedUsers: ["kim_01"] },
    request: { params: { channel_id: "room_1" }, body: { manager: "kim_01" } },
    response: done,
  },
} satisfies Interactions;

export const mutedEntries = {
  "shows who is muted, without and with an end": {
    given: {
      users: [kim, lee],
      channels: [{ ...lunch, members: ["kim_01", "lee_02"] }],
      mutes: [params, { channel_id: "room_1", user_id: "lee_02", until }],
    },
    request: { params: { channel_id: "room_1" } },
    response: {
      status: 200,
      body: presentMembers([kim, lee]).map((entry, index) => ({
        ...entry,
        muted_until: index === 0 ? 0 : until,
      })),
    },
  },
} satisfies Interactions;

const ban = {
  "bans a participant": {
    given: joined,
    request: { params, body: { until, reason: "Advertising" } },
    response: done,
  },
  "bans without end": { given: joined, request: { params }, response: done },
  "bans a user who is not a participant": { given: notJoined, request: { params, body: {} }, response: done },
  "changes nothing for a user who is banned": {
    given: { ...joined, bans: [params] },
    request: { params },
    response: done,
  },
} satisfies Interactions;

/** A manager, and a user who has no part in the channel. */
const besideStranger: World = {
  users: [kim, lee],
  channels: [{ ...lunch, managers: ["kim_01"] }],
};
const ofStranger = { channel_id: "room_1", user_id: "lee_02" };
/** A user does not learn whether the user exists whom it names. */
const strangers: Interactions = {
  "rejects a user who names a stranger": {
    given: besideStranger,
    request: { params: ofStranger, as: "kim_01" },
    response: problem(404, "user_not_found"),
  },
  "rejects a user who names nobody in the same way": {
    given: besideStranger,
    request: { params: { ...ofStranger, user_id: "missing_user" }, as: "kim_01" },
    response: problem(404, "user_not_found"),
  },
};
/** The sender of a message, who has left. */
const afterSpam: World = {
  ...besideStranger,
  channels: [{ ...lunch, managers: ["kim_01"], members: ["lee_02"] }],
  messages: [{ channel_id: "room_1", user_id: "lee_02", content: "Buy now" }],
  left: [ofStranger],
};

const presentBan = ({ until: end, reason, at = worldTime }: Ban, user: ReturnType<typeof presentUser>) => ({
  user,
  ...(end !== undefined && { until: end }),
  ...(reason !== undefined && { reason }),
  created_at: at,
});
const banned: readonly Ban[] = [
  { ...params, reason: "Advertising", at: worldTime + 1 },
  { channel_id: "room_1", user_id: "lee_02", until, at: worldTime + 2 },
];
const twoBans: World = { users: [kim, lee], channels: [lunch], bans: banned };
const [ofKim, ofLee] = [
  presentBan(banned[0] ?? params, presentUser(kim)),
  presentBan(banned[1] ?? params, presentUser(lee)),
];
const hundred = numberedUsers(100);
const hundredBans = hundred.map(({ user_id }, index) => ({
  channel_id: "room_1",
  user_id,
  at: worldTime - index,
}));
const presentedBans = (count: number) =>
  hundred
    .slice(0, count)
    .map((user, index) => presentBan({ ...params, at: worldTime - index }, presentUser(user)));
const page = (request: object) => ({ params: { channel_id: "room_1" }, ...request });
const firstPage: World = {
  ...twoBans,
  page: { operation: "channels.bans.list", params: { channel_id: "room_1" }, query: { limit: "1" } },
};

const list = {
  "lists the newest ban first": {
    given: twoBans,
    request: page({}),
    response: { status: 200, body: { bans: [ofLee, ofKim] } },
  },
  "does not show a user strangers whom the application has banned": {
    given: { ...besideStranger, bans: [ofStranger] },
    request: page({ as: "kim_01" }),
    response: { status: 200, body: { bans: [] } },
  },
  "shows a user the ban of a former participant": {
    given: {
      users: [kim, park],
      channels: [{ ...lunch, managers: ["kim_01"], members: ["park_03"] }],
      bans: [{ channel_id: "room_1", user_id: "park_03" }],
    },
    request: page({ as: "kim_01" }),
    response: {
      status: 200,
      body: {
        bans: [
          {
            user: { user_id: "park_03", name: "Park", meta: {}, created_at: worldTime },
            created_at: worldTime,
          },
        ],
      },
    },
  },
  "responds with an empty page": {
    given: notJoined,
    request: page({}),
    response: { status: 200, body: { bans: [] } },
  },
  "omits a user who was deleted": {
    given: { ...twoBans, deletedUsers: ["lee_02"] },
    request: page({}),
    response: { status: 200, body: { bans: [ofKim] } },
  },
  "responds with 30 bans and a cursor": {
    given: { users: hundred, channels: [lunch], bans: hundredBans.slice(0, 31) },
    request: page({}),
    response: { status: 200, body: { bans: presentedBans(30), next: "cursor" } },
  },
  "accepts limit 1": {
    given: twoBans,
    request: page({ query: { limit: "1" } }),
    response: { status: 200, body: { bans: [ofLee], next: "cursor" } },
  },
  "accepts limit 100": {
    given: { users: hundred, channels: [lunch], bans: hundredBans },
    request: page({ query: { limit: "100" } }),
    response: { status: 200, body: { bans: presentedBans(100) } },
  },
  "continues with only next": {
    given: firstPage,
    request: page({ query: { next } }),
    response: { status: 200, body: { bans: [ofKim] } },
  },
} satisfies Interactions;

const dinner = { channel_id: "room_2", name: "Dinner" };
const inTwoChannels: World = {
  users: [kim, lee],
  channels: [lunch, dinner],
  bans: [banned[0] ?? params, { ...params, channel_id: "room_2", until, at: worldTime + 2 }],
};
const ofLunch = { channel: presentChannel(lunch), reason: "Advertising", created_at: worldTime + 1 };
const ofDinner = { channel: presentChannel(dinner), until, created_at: worldTime + 2 };
const ofUser = (request: object) => ({ params: { user_id: "kim_01" }, ...request });
const firstOfUser: World = {
  ...inTwoChannels,
  page: { operation: "users.bans", params: { user_id: "kim_01" }, query: { limit: "1" } },
};
const rooms = numberedChannels(100);
const bansInAll = rooms.map(({ channel_id }, index) => ({ ...params, channel_id, at: worldTime - index }));
const presentedRooms = (count: number) =>
  rooms
    .slice(0, count)
    .map((room, index) => ({ channel: presentChannel(room), created_at: worldTime - index }));

const bansOfUser = {
  "lists the newest ban first": {
    given: inTwoChannels,
    request: ofUser({}),
    response: { status: 200, body: { bans: [ofDinner, ofLunch] } },
  },
  "responds with an empty page": {
    given: joined,
    request: ofUser({}),
    response: { status: 200, body: { bans: [] } },
  },
  "responds with 30 bans and a cursor": {
    given: { users: [kim], channels: rooms, bans: bansInAll },
    request: ofUser({}),
    response: { status: 200, body: { bans: presentedRooms(30), next: "cursor" } },
  },
  "accepts limit 1": {
    given: inTwoChannels,
    request: ofUser({ query: { limit: "1" } }),
    response: { status: 200, body: { bans: [ofDinner], next: "cursor" } },
  },
  "accepts limit 100": {
    given: { users: [kim], channels: rooms, bans: bansInAll },
    request: ofUser({ query: { limit: "100" } }),
    response: { status: 200, body: { bans: presentedRooms(100) } },
  },
  "continues with only next": {
    given: firstOfUser,
    request: ofUser({ query: { next } }),
    response: { status: 200, body: { bans: [ofLunch] } },
  },
  "rejects a user that does not exist": {
    request: { params: { user_id: "nobody_99" } },
    response: problem(404, "user_not_found"),
  },
} satisfies Interactions;

const suspended = { ...presentUser(kim), updated_at: requestTime, suspended_until: until };
const suspend = {
  "suspends until a time": {
    given: { users: [kim] },
    request: { params: { user_id: "kim_01" }, body: { until, reason: "Advertising" } },
    response: { status: 200, body: suspended },
  },
  "suspends without end": {
    given: { users: [kim] },
    request: { params: { user_id: "kim_01" } },
    response: { status: 200, body: { ...suspended, suspended_until: 0 } },
  },
  "changes nothing for a user who is suspended": {
    given: { users: [kim], suspendedUsers: ["kim_01"] },
    request: { params: { user_id: "kim_01" } },
    response: { status: 200, body: { ...presentUser(kim), suspended_until: 0 } },
  },
} satisfies Interactions;

export const moderation = {
  "channels.members.mute": {
    ...mute,
    ...valueCases(mute["mutes until a time"], "body", "until", times),
    ...strangers,
  },
  "channels.members.unmute": {
    "ends a mute": { given: { ...joined, mutes: [params] }, request: { params }, response: done },
    "changes nothing for a user who is not muted": { given: joined, request: { params }, response: done },
    "changes nothing for a user who is not a participant": {
      given: notJoined,
      request: { params },
      response: done,
    },
    ...strangers,
  },
  "channels.bans.add": {
    ...ban,
    "bans the sender of a message, who has left, for a manager": {
      given: afterSpam,
      request: { params: ofStranger, as: "kim_01" },
      response: done,
    },
    ...valueCases(ban["bans a participant"], "body", "until", times),
    ...valueCases(ban["bans a participant"], "body", "reason", reasons),
    ...strangers,
  },
  "channels.bans.remove": {
    "removes a ban": { given: { ...joined, bans: [params] }, request: { params }, response: done },
    "removes a ban for a manager": {
      given: {
        ...besideStranger,
        channels: [{ ...lunch, managers: ["kim_01"], members: ["lee_02"] }],
        bans: [ofStranger],
      },
      request: { params: ofStranger, as: "kim_01" },
      response: done,
    },
    "changes nothing for a user who is not banned": { given: joined, request: { params }, response: done },
    ...strangers,
  },
  "channels.bans.list": {
    ...list,
    ...pageSizeCases(list["lists the newest ban first"], 1, 100),
    ...cursorCases(list["continues with only next"], {
      "another channel": {
        ...firstPage,
        channels: [lunch, { channel_id: "room_2", name: "Dinner" }],
        page: { operation: "channels.bans.list", params: { channel_id: "room_2" } },
        bans: [{ channel_id: "room_2", user_id: "kim_01" }],
      },
    }),
  },
  "users.bans": {
    ...bansOfUser,
    ...pageSizeCases(bansOfUser["lists the newest ban first"], 1, 100),
    ...cursorCases(bansOfUser["continues with only next"], {
      "another user": {
        ...firstOfUser,
        page: { operation: "users.bans", params: { user_id: "lee_02" } },
        bans: [{ channel_id: "room_1", user_id: "lee_02" }],
      },
    }),
  },
  "users.suspend": {
    ...suspend,
    ...valueCases(suspend["suspends until a time"], "body", "until", times),
    ...valueCases(suspend["suspends until a time"], "body", "reason", reasons),
  },
  "users.unsuspend": {
    "ends a suspension": {
      given: { users: [kim], suspendedUsers: ["kim_01"] },
      request: { params: { user_id: "kim_01" } },
      response: { status: 200, body: { ...presentUser(kim), updated_at: requestTime } },
    },
    "changes nothing for a user who is not suspended": {
      given: { users: [kim] },
      request: { params: { user_id: "kim_01" } },
      response: { status: 200, body: presentUser(kim) },
    },
  },
} satisfies InteractionsByOperation;

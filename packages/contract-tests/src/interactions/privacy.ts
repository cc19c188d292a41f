import { requiredFieldCases } from "../cases/body-cases";
import { idCases } from "../cases/id-cases";
import { cursorCases, pageSizeCases } from "../cases/page-cases";
import { valueCases } from "../cases/value-cases";
import { kim, lee, lunch, menu, park, presentMessage, presentUser } from "../fixtures";
import type { Interactions, InteractionsByOperation } from "../interaction";
import { erasure as erasureId, next } from "../placeholders";
import { problem } from "../problem";
import { type NewErasure, type NewMessage, requestTime, type World, worldTime } from "../world";

const hello: NewMessage = {
  channel_id: "room_1",
  user_id: "kim_01",
  content: "Hello",
  at: worldTime + 1_000,
};
const picture: NewMessage = {
  channel_id: "room_1",
  user_id: "kim_01",
  file: menu,
  meta: { topic: "food" },
  at: worldTime + 2_000,
};
const answer: NewMessage = {
  channel_id: "room_1",
  user_id: "lee_02",
  content: "Hi",
  at: worldTime + 3_000,
};
const world: World = {
  users: [kim, lee],
  channels: [{ ...lunch, members: ["kim_01", "lee_02"], managers: ["kim_01"] }],
  messages: [hello, picture, answer],
};

const ofKim: NewErasure = { user_id: "kim_01", messages: "erase" };
const ofLee: NewErasure = { user_id: "lee_02", messages: "keep" };
const nothing = { messages: 0, memberships: 0, channels: 0 };
const rolesOfKim = { ...nothing, memberships: 2, channels: 1 };
const rolesOfLee = { ...nothing, memberships: 1, channels: 1 };

/** An erasure that has begun. It ends the roles of the user. */
const present = ({ user_id, messages }: NewErasure, at: number, erased: object = nothing) => ({
  erasure_id: "era_1",
  user_id,
  messages,
  status: "running",
  erased,
  created_at: at,
});
/** Those of the world, oldest first. */
const done = [
  {
    ...present(ofKim, worldTime),
    status: "done",
    erased: { messages: 2, memberships: 2, channels: 1 },
    completed_at: worldTime,
  },
  {
    ...present(ofLee, worldTime + 1_000),
    status: "done",
    erased: { messages: 0, memberships: 1, channels: 1 },
    completed_at: worldTime + 1_000,
  },
];
const erased: World = { ...world, erasures: [ofKim, ofLee] };

const erase = {
  "begins to erase a user with all messages": {
    given: world,
    request: { body: ofKim },
    response: { status: 202, body: present(ofKim, requestTime, rolesOfKim) },
  },
  "begins to erase a user and keeps the messages": {
    given: world,
    request: { body: ofLee },
    response: { status: 202, body: present(ofLee, requestTime, rolesOfLee) },
  },
  // Its roles have not ended yet.
  "begins to erase a user that was deleted": {
    given: { ...world, deletedUsers: ["kim_01"] },
    request: { body: ofKim },
    response: { status: 202, body: present(ofKim, requestTime, rolesOfKim) },
  },
  "erases again an id that was erased": {
    given: erased,
    request: { body: ofKim },
    response: { status: 202, body: present(ofKim, requestTime) },
  },
  "responds with the erasure of the id that is running": {
    given: { ...world, erasures: [{ ...ofKim, running: true }] },
    request: { body: ofKim },
    response: { status: 202, body: present(ofKim, worldTime, rolesOfKim) },
  },
  "responds with a running erasure that erases more": {
    given: { ...world, erasures: [{ ...ofKim, running: true }] },
    request: { body: { ...ofKim, messages: "keep" } },
    response: { status: 202, body: present(ofKim, worldTime, rolesOfKim) },
  },
  "begins another one if the running erasure keeps the messages": {
    given: { ...world, erasures: [{ ...ofLee, running: true }] },
    request: { body: { ...ofLee, messages: "erase" } },
    response: { status: 202, body: present({ ...ofLee, messages: "erase" }, requestTime) },
  },
  "rejects a user_id that no user ever had": {
    given: world,
    request: { body: { ...ofKim, user_id: "missing_user" } },
    response: problem(404, "user_not_found"),
  },
} satisfies Interactions;

const list = {
  "lists the newest erasure first": {
    given: erased,
    response: { status: 200, body: { erasures: done.toReversed() } },
  },
  "responds with an empty page": { response: { status: 200, body: { erasures: [] } } },
  "accepts limit 1": {
    given: erased,
    request: { query: { limit: "1" } },
    response: { status: 200, body: { erasures: done.slice(1), next: "cursor" } },
  },
  "accepts limit 100": {
    given: erased,
    request: { query: { limit: "100" } },
    response: { status: 200, body: { erasures: done.toReversed() } },
  },
  "continues with only next": {
    given: { ...erased, page: { operation: "privacy.list", query: { limit: "1" } } },
    request: { query: { next } },
    response: { status: 200, body: { erasures: done.slice(0, 1) } },
  },
} satisfies Interactions;

// `messages` comes first: the SDK lists the messages, and its pages have the rest.
const messages = [presentMessage(hello, kim), presentMessage(picture, kim)];
const roles = [
  { channel_id: "room_1", role: "participant", joined_at: worldTime },
  // After the other participant: the times of a channel never decrease.
  { channel_id: "room_1", role: "manager", joined_at: worldTime + 1 },
];
const nothingElse = {
  reactions: [],
  mentions: [],
  mutes: [],
  bans: [],
  reports: [],
  files: [],
  devices: [],
  blocks: [],
};
const params = { user_id: "kim_01" };
const onePerPage: World = {
  ...world,
  page: { operation: "privacy.export", params, query: { limit: "1" } },
};

const second = { ...lunch, channel_id: "room_2" };
/** What others stored about a user that has sent nothing. */
const judged: World = {
  users: [kim, lee, park],
  channels: [lunch, second].map((channel) => ({ ...channel, members: ["kim_01", "lee_02"] })),
  messages: [
    { channel_id: "room_1", user_id: "kim_01", content: "Hello", mentions: ["lee_02", "kim_01"] },
    { channel_id: "room_2", user_id: "kim_01", content: "Hello", mentions: ["lee_02"] },
  ],
  reactions: [
    { message: 1, reaction: "👍", user_id: "lee_02" },
    { message: 2, reaction: "🎉", user_id: "lee_02" },
    { message: 2, reaction: "🎉", user_id: "kim_01" },
  ],
  mutes: [
    { channel_id: "room_1", user_id: "lee_02" },
    { channel_id: "room_2", user_id: "lee_02", until: 4_102_444_800_000 },
  ],
  bans: [
    { channel_id: "room_1", user_id: "lee_02", reason: "Advertising" },
    { channel_id: "room_2", user_id: "lee_02", until: 4_102_444_800_000 },
  ],
  reports: [
    { channel_id: "room_1", reported_user_id: "lee_02", reporter_user_id: "kim_01", reason: "Noise" },
    { channel_id: "room_1", reported_user_id: "kim_01", reason: "Not of lee" },
    { channel_id: "room_2", reporter_user_id: "lee_02", reason: "Noise" },
  ],
  blocks: [
    { user_id: "lee_02", blocked_user_id: "kim_01" },
    { user_id: "lee_02", blocked_user_id: "park_03", at: worldTime + 1 },
    { user_id: "kim_01", blocked_user_id: "lee_02" },
  ],
};
const inRooms = ["room_1", "room_2"].map((channel_id) => ({ channel_id }));
const [inFirst, inSecond] = inRooms;
const ofReport = { report_id: "rep_1", status: "open", created_at: worldTime, updated_at: worldTime };
const ofLeeElsewhere = {
  reactions: [
    { ...inFirst, message_id: "1", reaction: "👍", created_at: worldTime },
    { ...inSecond, message_id: "1", reaction: "🎉", created_at: worldTime + 1 },
  ],
  mentions: inRooms.map((room) => ({ ...room, message_id: "1" })),
  mutes: [inFirst, { ...inSecond, until: 4_102_444_800_000 }],
  bans: [
    { ...inFirst, reason: "Advertising", created_at: worldTime },
    { ...inSecond, until: 4_102_444_800_000, created_at: worldTime },
  ],
  reports: [
    { ...ofReport, ...inFirst, reported_user_id: "lee_02", reporter_user_id: "kim_01", reason: "Noise" },
    { ...ofReport, ...inSecond, reporter_user_id: "lee_02", reason: "Noise" },
  ],
  files: [],
  devices: [],
  blocks: [
    { user_id: "kim_01", created_at: worldTime },
    { user_id: "park_03", created_at: worldTime + 1 },
  ],
};

const personal = {
  "responds with the user, its memberships and its messages": {
    given: world,
    request: { params },
    response: { status: 200, body: { messages, memberships: roles, ...nothingElse, user: presentUser(kim) } },
  },
  "shows what a participant has read, and wants of a channel": {
    given: {
      ...world,
      readMarks: [{ channel_id: "room_1", user_id: "lee_02", message: 2 }],
      preferences: [{ channel_id: "room_1", user_id: "lee_02", notify: "none", archived: true }],
    },
    request: { params: { user_id: "lee_02" } },
    response: {
      status: 200,
      body: {
        messages: [presentMessage(answer, lee)],
        memberships: [
          {
            channel_id: "room_1",
            role: "participant",
            joined_at: worldTime + 1,
            read_message_id: "1",
            preferences: { notify: "none", archived: true },
          },
        ],
        ...nothingElse,
        user: presentUser(lee),
      },
    },
  },
  "shows its reactions, mentions, mutes, bans, reports and blocks, and not who has blocked it": {
    given: judged,
    request: { params: { user_id: "lee_02" } },
    response: {
      status: 200,
      body: { messages: [], memberships: [], ...ofLeeElsewhere, user: presentUser(lee) },
    },
  },
  "continues in every list with only next": {
    given: {
      ...judged,
      page: { operation: "privacy.export", params: { user_id: "lee_02" }, query: { limit: "1" } },
    },
    request: { params: { user_id: "lee_02" }, query: { next } },
    response: {
      status: 200,
      body: {
        messages: [],
        memberships: [],
        reactions: ofLeeElsewhere.reactions.slice(1),
        mentions: ofLeeElsewhere.mentions.slice(1),
        mutes: ofLeeElsewhere.mutes.slice(1),
        bans: ofLeeElsewhere.bans.slice(1),
        reports: ofLeeElsewhere.reports.slice(1),
        files: [],
        devices: [],
        blocks: ofLeeElsewhere.blocks.slice(1),
        user: presentUser(lee),
      },
    },
  },
  "responds with a user that was deleted": {
    given: { users: [kim], deletedUsers: ["kim_01"] },
    request: { params },
    response: {
      status: 200,
      body: {
        messages: [],
        memberships: [],
        ...nothingElse,
        user: { ...presentUser(kim), deleted_at: worldTime },
      },
    },
  },
  "rejects a user that was erased": {
    given: { ...world, erasures: [ofKim] },
    request: { params },
    response: problem(404, "user_not_found"),
  },
  "accepts limit 1": {
    given: world,
    request: { params, query: { limit: "1" } },
    response: {
      status: 200,
      body: {
        messages: messages.slice(0, 1),
        memberships: roles.slice(0, 1),
        ...nothingElse,
        user: presentUser(kim),
        next: "cursor",
      },
    },
  },
  "accepts limit 1000": {
    given: world,
    request: { params, query: { limit: "1000" } },
    response: { status: 200, body: { messages, memberships: roles, ...nothingElse, user: presentUser(kim) } },
  },
  "continues with only next": {
    given: onePerPage,
    request: { params, query: { next } },
    response: {
      status: 200,
      body: {
        messages: messages.slice(1),
        memberships: roles.slice(1),
        ...nothingElse,
        user: presentUser(kim),
      },
    },
  },
} satisfies Interactions;

const oneErasure = { params: { erasure_id: erasureId } };

export const privacy = {
  "privacy.erase": {
    ...erase,
    ...idCases(erase["begins to erase a user with all messages"], "body", "user_id"),
    ...valueCases(erase["begins to erase a user with all messages"], "body", "messages", {
      rejects: { "that is unknown": "forget", "that is empty": "", "set to null": null },
    }),
    ...requiredFieldCases(erase["begins to erase a user with all messages"], ["user_id", "messages"]),
  },
  "privacy.list": {
    ...list,
    ...pageSizeCases(list["lists the newest erasure first"], 1, 100),
    ...cursorCases(list["continues with only next"], {
      "the list of users": {
        users: Array.from({ length: 6 }, (_, index) => ({ user_id: `user_${index}`, name: "User" })),
        page: { operation: "users.list", query: { limit: "5" } },
      },
    }),
  },
  "privacy.get": {
    "responds with an erasure": {
      given: erased,
      request: oneErasure,
      response: { status: 200, body: done[0] },
    },
    "responds with an erasure that waits for the end of a hold": {
      given: {
        ...world,
        channels: [
          {
            ...lunch,
            members: ["kim_01", "lee_02"],
            managers: ["kim_01"],
            retention: { days: null, hold: true },
          },
        ],
        erasures: [ofKim],
      },
      request: oneErasure,
      response: { status: 200, body: present(ofKim, worldTime, { ...rolesOfKim, held: 2 }) },
    },
    "responds with an erasure that is running": {
      given: { ...world, erasures: [{ ...ofKim, running: true }] },
      request: oneErasure,
      response: { status: 200, body: present(ofKim, worldTime, rolesOfKim) },
    },
  },
  "privacy.export": {
    ...personal,
    ...pageSizeCases(personal["responds with the user, its memberships and its messages"], 1, 1_000),
    ...cursorCases(personal["continues with only next"], {
      "another user": {
        ...world,
        messages: [answer, { ...answer, content: "Noon?" }],
        page: { operation: "privacy.export", params: { user_id: "lee_02" }, query: { limit: "1" } },
      },
    }),
  },
} satisfies InteractionsByOperation;

import { idListCases } from "../cases/id-list-cases";
import { cursorCases, pageSizeCases } from "../cases/page-cases";
import { valueCases } from "../cases/value-cases";
import {
  kim,
  lee,
  lunch,
  numberedChannels,
  numberedUsers,
  presentChannel,
  presentMembers,
  presentMessage,
  presentUser,
} from "../fixtures";
import type { Interactions, InteractionsByOperation } from "../interaction";
import { next } from "../placeholders";
import { invalid } from "../problem";
import { type NewMessage, type World, worldTime } from "../world";
import { blockedLines, listedPreferences, quietTotals } from "./preferences";

const params = { user_id: "kim_01" };
const hello: NewMessage = {
  channel_id: "room_1",
  user_id: "lee_02",
  content: "Hello",
  at: worldTime + 5_000,
};
const again: NewMessage = { ...hello, content: "Again", at: worldTime + 6_000 };
const dinner = { channel_id: "room_2", name: "Dinner", members: ["kim_01"], at: worldTime + 1_000 };
const world: World = {
  users: [kim, lee],
  channels: [{ ...lunch, members: ["kim_01", "lee_02"] }, dinner],
  messages: [hello, again],
};
const lunchEntry = {
  ...presentChannel(lunch),
  total_message_count: 2,
  joined_at: worldTime,
  unread_count: 2,
  member_count: 2,
  mention_count: 0,
  last_message: presentMessage(again, lee),
};
const dinnerEntry = {
  ...presentChannel(dinner),
  joined_at: worldTime + 1_000,
  unread_count: 0,
  member_count: 1,
  mention_count: 0,
};

/** Kim joined `count` channels, one second apart. */
const worldWith = (count: number): World => ({
  users: [kim],
  channels: numberedChannels(count).map((channel) => ({ ...channel, members: ["kim_01"] })),
});

/** Numbered channels from the number `first` down to the number `last`. */
const entries = (first: number, last: number) =>
  numberedChannels(first)
    .slice(last - 1)
    .reverse()
    .map((channel) => ({
      ...presentChannel(channel),
      joined_at: channel.at,
      unread_count: 0,
      member_count: 1,
      mention_count: 0,
    }));

const firstPage: World = {
  ...worldWith(6),
  page: { operation: "users.channels", params, query: { limit: "5" } },
};

/** Kim has unread messages in every second of 12 channels. */
const twelve = numberedChannels(12).map((channel) => ({ ...channel, members: ["kim_01", "lee_02"] }));
const unreadMessages = twelve
  .filter((_, index) => index % 2 === 1)
  .map(({ channel_id, at = worldTime }) => ({ channel_id, user_id: "lee_02", content: "Hello", at: at + 1 }));
const unreadWorld: World = { users: [kim, lee], channels: twelve, messages: unreadMessages };
const unreadEntries = twelve
  .flatMap((channel) => {
    const message = unreadMessages.find(({ channel_id }) => channel_id === channel.channel_id);
    if (message === undefined) return [];
    const counts = {
      total_message_count: 1,
      joined_at: channel.at,
      unread_count: 1,
      mention_count: 0,
      member_count: 2,
    };
    return [{ ...presentChannel(channel), ...counts, last_message: presentMessage(message, lee) }];
  })
  .reverse();

/** Lee mentions Kim and says something, the application mentions Kim, and so does Kim. */
const mentions: NewMessage[] = [
  { ...hello, mentions: ["kim_01"] },
  again,
  { channel_id: "room_1", content: "Kim joined.", mentions: ["kim_01"], at: worldTime + 7_000 },
  { ...hello, user_id: "kim_01", content: "Me", mentions: ["kim_01"], at: worldTime + 8_000 },
];
const mentioned = {
  ...lunchEntry,
  total_message_count: 4,
  last_message: presentMessage({ ...hello, content: "Me", mentions: ["kim_01"], at: worldTime + 8_000 }, kim),
};

const list = {
  "responds with the channels by last activity, with unread counts and last messages": {
    given: world,
    request: { params },
    response: { status: 200, body: { channels: [lunchEntry, dinnerEntry] } },
  },
  "counts from the read mark": {
    given: { ...world, readMarks: [{ channel_id: "room_1", user_id: "kim_01", message: 1 }] },
    request: { params },
    response: {
      status: 200,
      body: { channels: [{ ...lunchEntry, unread_count: 1, read_message_id: "1" }, dinnerEntry] },
    },
  },
  "counts the unread messages that mention the user, also system messages, but not the user's own": {
    given: { ...world, messages: mentions },
    request: { params },
    response: {
      status: 200,
      body: { channels: [{ ...mentioned, unread_count: 2, mention_count: 2 }, dinnerEntry] },
    },
  },
  "counts mentions from the read mark": {
    given: {
      ...world,
      messages: mentions,
      readMarks: [{ channel_id: "room_1", user_id: "kim_01", message: 1 }],
    },
    request: { params },
    response: {
      status: 200,
      body: {
        channels: [{ ...mentioned, unread_count: 1, mention_count: 1, read_message_id: "1" }, dinnerEntry],
      },
    },
  },
  "omits the mentions of deleted messages": {
    given: { ...world, messages: mentions, deletedMessages: [1, 3] },
    request: { params },
    response: {
      status: 200,
      body: { channels: [{ ...mentioned, unread_count: 1, mention_count: 0 }, dinnerEntry] },
    },
  },
  "shows the first ten participants with members": {
    given: {
      users: [kim, ...numberedUsers(10)],
      channels: [
        {
          ...lunch,
          members: [kim, ...numberedUsers(10)].map(({ user_id }) => user_id),
        },
        dinner,
      ],
      mutes: [{ channel_id: "room_1", user_id: "kim_01" }],
    },
    request: { params, query: { members: "true" } },
    response: {
      status: 200,
      body: {
        channels: [
          {
            ...dinnerEntry,
            members: [{ ...presentUser(kim), joined_at: worldTime + 1_000 }],
          },
          {
            ...presentChannel(lunch),
            joined_at: worldTime,
            unread_count: 0,
            mention_count: 0,
            member_count: 11,
            members: presentMembers([kim, ...numberedUsers(9)]).map((entry, index) =>
              index === 0 ? { ...entry, muted_until: 0 } : entry,
            ),
          },
        ],
      },
    },
  },
  "does not count participants who were deleted": {
    given: { ...world, deletedUsers: ["lee_02"] },
    request: { params, query: { members: "true" } },
    response: {
      status: 200,
      body: {
        channels: [
          {
            ...lunchEntry,
            member_count: 1,
            members: [{ ...presentUser(kim), joined_at: worldTime }],
          },
          { ...dinnerEntry, members: [{ ...presentUser(kim), joined_at: worldTime + 1_000 }] },
        ],
      },
    },
  },
  "shows no participants without members": {
    given: world,
    request: { params, query: { members: "false" } },
    response: { status: 200, body: { channels: [lunchEntry, dinnerEntry] } },
  },
  "continues with the members of the first page": {
    given: {
      ...firstPage,
      page: { operation: "users.channels", params, query: { limit: "5", members: "true" } },
    },
    request: { params, query: { next } },
    response: {
      status: 200,
      body: {
        channels: entries(1, 1).map((entry) => ({
          ...entry,
          members: [{ ...presentUser(kim), joined_at: entry.joined_at }],
        })),
      },
    },
  },
  "rejects members that is not true or false": {
    request: { params, query: { members: "1" } },
    response: invalid("query", "members"),
  },
  "omits deleted messages": {
    given: { ...world, deletedMessages: [2] },
    request: { params },
    response: {
      status: 200,
      body: {
        channels: [{ ...lunchEntry, unread_count: 1, last_message: presentMessage(hello, lee) }, dinnerEntry],
      },
    },
  },
  "orders a channel whose messages are all deleted by the time of joining": {
    given: { ...world, deletedMessages: [1, 2] },
    request: { params },
    response: {
      status: 200,
      body: {
        channels: [
          dinnerEntry,
          {
            ...presentChannel(lunch),
            total_message_count: 2,
            joined_at: worldTime,
            unread_count: 0,
            member_count: 2,
            mention_count: 0,
          },
        ],
      },
    },
  },
  "omits channels that the user left and channels that were deleted": {
    given: {
      users: [kim],
      channels: [{ ...lunch, formerMembers: ["kim_01"] }, { ...dinner, channel_id: "room_3" }, dinner],
      deletedChannels: ["room_3"],
    },
    request: { params },
    response: { status: 200, body: { channels: [dinnerEntry] } },
  },
  "lists only channels with unread messages": {
    given: world,
    request: { params, query: { unread: "true" } },
    response: { status: 200, body: { channels: [lunchEntry] } },
  },
  "lists all channels for unread=false": {
    given: world,
    request: { params, query: { unread: "false" } },
    response: { status: 200, body: { channels: [lunchEntry, dinnerEntry] } },
  },
  "omits channels in which everything was read": {
    given: { ...world, readMarks: [{ channel_id: "room_1", user_id: "kim_01", message: 2 }] },
    request: { params, query: { unread: "true" } },
    response: { status: 200, body: { channels: [] } },
  },
  "omits channels whose unread messages are the user's own or deleted": {
    given: {
      ...world,
      messages: [...(world.messages ?? []), { ...again, user_id: "kim_01" }],
      deletedMessages: [1, 2],
    },
    request: { params, query: { unread: "true" } },
    response: { status: 200, body: { channels: [] } },
  },
  "fills a page with unread channels only": {
    given: unreadWorld,
    request: { params, query: { unread: "true", limit: "5" } },
    response: { status: 200, body: { channels: unreadEntries.slice(0, 5), next: "cursor" } },
  },
  "continues with unread channels": {
    given: {
      ...unreadWorld,
      page: { operation: "users.channels", params, query: { unread: "true", limit: "5" } },
    },
    request: { params, query: { next } },
    response: { status: 200, body: { channels: unreadEntries.slice(5) } },
  },
  "accepts unread that equals that of next": {
    given: {
      ...unreadWorld,
      page: { operation: "users.channels", params, query: { unread: "true", limit: "5" } },
    },
    request: { params, query: { next, unread: "true" } },
    response: { status: 200, body: { channels: unreadEntries.slice(5) } },
  },
  "rejects unread that differs from next": {
    given: firstPage,
    request: { params, query: { next, unread: "true" } },
    response: invalid("query", "unread"),
  },
  "responds with 15 channels and a cursor": {
    given: worldWith(16),
    request: { params },
    response: { status: 200, body: { channels: entries(16, 2), next: "cursor" } },
  },
  "accepts limit 5": {
    given: worldWith(6),
    request: { params, query: { limit: "5" } },
    response: { status: 200, body: { channels: entries(6, 2), next: "cursor" } },
  },
  "accepts limit 30": {
    given: worldWith(31),
    request: { params, query: { limit: "30" } },
    response: { status: 200, body: { channels: entries(31, 2), next: "cursor" } },
  },
  "continues with only next": {
    given: firstPage,
    request: { params, query: { next } },
    response: { status: 200, body: { channels: entries(1, 1) } },
  },
  "rejects a limit that differs from next": {
    given: firstPage,
    request: { params, query: { next, limit: "6" } },
    response: invalid("query", "limit"),
  },
} satisfies Interactions;

const elsewhere = { channel_id: "room_3", name: "Elsewhere", members: ["lee_02"] };
const byIds = {
  "responds with the channels of the ids, in their order": {
    given: { ...world, channels: [...(world.channels ?? []), elsewhere] },
    request: { params, query: { channel_ids: "room_2,room_99,room_3,room_1,room_2" } },
    response: { status: 200, body: { channels: [dinnerEntry, lunchEntry] } },
  },
  "shows the participants of the channels of the ids": {
    given: world,
    request: { params, query: { channel_ids: "room_2", members: "true" } },
    response: {
      status: 200,
      body: {
        channels: [{ ...dinnerEntry, members: [{ ...presentUser(kim), joined_at: worldTime + 1_000 }] }],
      },
    },
  },
} satisfies Interactions;

export const usersChannels = {
  "users.channels": {
    ...list,
    ...listedPreferences,
    ...blockedLines,
    ...pageSizeCases(list["accepts limit 5"], 5, 30),
    ...byIds,
    ...idListCases(byIds["responds with the channels of the ids, in their order"], "channel_ids", {
      others: ["limit", "unread", "hidden", "archived", "pinned", "next"],
    }),
    ...valueCases(list["lists only channels with unread messages"], "query", "unread", {
      rejects: { "set to 1": "1", "in upper case": "TRUE", "that is empty": "" },
    }),
    ...cursorCases(list["continues with only next"], {
      "another user": {
        users: [kim, lee],
        channels: numberedChannels(6).map((channel) => ({ ...channel, members: ["lee_02"] })),
        page: { operation: "users.channels", params: { user_id: "lee_02" }, query: { limit: "5" } },
      },
      "the user list": {
        users: [kim, ...numberedUsers(6)],
        page: { operation: "users.list", query: { limit: "5" } },
      },
    }),
  },
  "users.unread": {
    ...quietTotals,
    "responds with the sum over all channels": {
      given: world,
      request: { params },
      response: { status: 200, body: { unread_count: 2, channel_count: 1, quiet_unread_count: 0 } },
    },
    "responds with 0 for a user without channels": {
      given: { users: [kim] },
      request: { params },
      response: { status: 200, body: { unread_count: 0, channel_count: 0, quiet_unread_count: 0 } },
    },
  },
} satisfies InteractionsByOperation;

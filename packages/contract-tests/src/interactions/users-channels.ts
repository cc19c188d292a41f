import { cursorCases, pageSizeCases } from "../cases/page-cases";
import {
  kim,
  lee,
  lunch,
  numberedChannels,
  numberedUsers,
  presentChannel,
  presentMessage,
} from "../fixtures";
import type { Interactions, InteractionsByOperation } from "../interaction";
import { next } from "../placeholders";
import { invalid } from "../problem";
import { type NewMessage, type World, worldTime } from "../world";

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
  last_message: presentMessage(again, lee),
};
const dinnerEntry = { ...presentChannel(dinner), joined_at: worldTime + 1_000, unread_count: 0 };

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
    .map((channel) => ({ ...presentChannel(channel), joined_at: channel.at, unread_count: 0 }));

const firstPage: World = {
  ...worldWith(6),
  page: { operation: "users.channels", params, query: { limit: "5" } },
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
    response: { status: 200, body: { channels: [{ ...lunchEntry, unread_count: 1 }, dinnerEntry] } },
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
          { ...presentChannel(lunch), total_message_count: 2, joined_at: worldTime, unread_count: 0 },
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

export const usersChannels = {
  "users.channels": {
    ...list,
    ...pageSizeCases(list["accepts limit 5"], 5, 30),
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
    "responds with the sum over all channels": {
      given: world,
      request: { params },
      response: { status: 200, body: { unread_count: 2, channel_count: 1 } },
    },
    "responds with 0 for a user without channels": {
      given: { users: [kim] },
      request: { params },
      response: { status: 200, body: { unread_count: 0, channel_count: 0 } },
    },
  },
} satisfies InteractionsByOperation;

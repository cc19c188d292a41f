import { cursorCases, pageSizeCases } from "../cases/page-cases";
import { kim, listHistory, lunch, numberedChannels, presentMessage } from "../fixtures";
import type { Interactions } from "../interaction";
import { next } from "../placeholders";
import { invalid } from "../problem";
import type { World } from "../world";

/** Kim has sent `count` messages to room_1. */
const worldWith = (count: number): World => ({
  users: [kim],
  channels: [{ ...lunch, members: ["kim_01"] }],
  history: { channel_id: "room_1", user_id: "kim_01", count },
});

/** The messages that Kim has sent, newest first. */
const sent = (count: number) =>
  listHistory({ channel_id: "room_1", user_id: "kim_01", count }).map((one) => presentMessage(one, kim));

const year = { start_date: "2023-01-01", end_date: "2023-12-31", timezone: "Asia/Seoul" };
const firstPage: World = {
  ...worldWith(101),
  page: { operation: "exports.messages", params: { channel_id: "room_1" }, query: { limit: "100" } },
};
const firstPageOfYear: World = {
  ...worldWith(101),
  page: { operation: "exports.messages", params: { channel_id: "room_1" }, query: { limit: "100", ...year } },
};

export const pages = {
  "responds with 100 messages and a cursor": {
    given: worldWith(101),
    request: { params: { channel_id: "room_1" } },
    response: { status: 200, body: { messages: sent(101).slice(0, 100), timezone: "UTC", next: "cursor" } },
  },
  "responds without a cursor on the last page": {
    given: worldWith(100),
    request: { params: { channel_id: "room_1" } },
    response: { status: 200, body: { messages: sent(100), timezone: "UTC" } },
  },
  "accepts limit 100": {
    given: worldWith(101),
    request: { params: { channel_id: "room_1" }, query: { limit: "100" } },
    response: { status: 200, body: { messages: sent(101).slice(0, 100), timezone: "UTC", next: "cursor" } },
  },
  "accepts limit 1000": {
    given: worldWith(1_001),
    request: { params: { channel_id: "room_1" }, query: { limit: "1000" } },
    response: {
      status: 200,
      body: { messages: sent(1_001).slice(0, 1_000), timezone: "UTC", next: "cursor" },
    },
  },
  "accepts limit 0100, a leading zero": {
    given: worldWith(101),
    request: { params: { channel_id: "room_1" }, query: { limit: "0100" } },
    response: { status: 200, body: { messages: sent(101).slice(0, 100), timezone: "UTC", next: "cursor" } },
  },
  "continues with only next": {
    given: firstPage,
    request: { params: { channel_id: "room_1" }, query: { next } },
    response: { status: 200, body: { messages: sent(101).slice(100), timezone: "UTC" } },
  },
  "continues with the dates and the time zone of the first page": {
    given: firstPageOfYear,
    request: { params: { channel_id: "room_1" }, query: { next } },
    response: { status: 200, body: { messages: sent(101).slice(100), timezone: "Asia/Seoul" } },
  },
  "accepts parameters that agree with next": {
    given: firstPageOfYear,
    request: { params: { channel_id: "room_1" }, query: { next, limit: "100", ...year } },
    response: { status: 200, body: { messages: sent(101).slice(100), timezone: "Asia/Seoul" } },
  },
  "rejects a limit that differs from next": {
    given: firstPageOfYear,
    request: { params: { channel_id: "room_1" }, query: { next, limit: "101" } },
    response: invalid("query", "limit"),
  },
  "rejects a start_date that differs from next": {
    given: firstPageOfYear,
    request: { params: { channel_id: "room_1" }, query: { next, start_date: "2023-01-02" } },
    response: invalid("query", "start_date"),
  },
  "rejects a end_date that differs from next": {
    given: firstPageOfYear,
    request: { params: { channel_id: "room_1" }, query: { next, end_date: "2023-12-30" } },
    response: invalid("query", "end_date"),
  },
  "rejects a timezone that differs from next": {
    given: firstPageOfYear,
    request: { params: { channel_id: "room_1" }, query: { next, timezone: "UTC" } },
    response: invalid("query", "timezone"),
  },
} satisfies Interactions;

export const pageCases: Interactions = {
  ...pageSizeCases(pages["accepts limit 100"], 100, 1_000),
  ...cursorCases(pages["continues with only next"], {
    "another channel": {
      users: [kim],
      channels: [
        { ...lunch, members: ["kim_01"] },
        { ...lunch, channel_id: "room_2", members: ["kim_01"] },
      ],
      history: { channel_id: "room_2", user_id: "kim_01", count: 101 },
      page: { operation: "exports.messages", params: { channel_id: "room_2" }, query: { limit: "100" } },
    },
    "another list": {
      channels: [lunch, ...numberedChannels(5)],
      page: { operation: "channels.list", query: { limit: "5" } },
    },
  }),
};

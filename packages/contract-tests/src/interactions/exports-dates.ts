import { valueCases } from "../cases/value-cases";
import { kim, lunch, presentMessage } from "../fixtures";
import type { Interaction, Interactions } from "../interaction";
import { invalid } from "../problem";
import type { NewMessage, World } from "../world";

const world: World = { users: [kim], channels: [{ ...lunch, members: ["kim_01"] }] };
const sentAt = (at: number): NewMessage => ({ channel_id: "room_1", user_id: "kim_01", content: "Hi", at });

/** The dates select the messages from the millisecond `first` to the millisecond `last`, and no others. */
function selects(
  query: { start_date: string; end_date: string; timezone?: string },
  first: string,
  last: string,
): Interaction {
  const [start, end] = [Date.parse(first), Date.parse(last)];
  return {
    given: { ...world, messages: [start - 1, start, end, end + 1].map(sentAt) },
    request: { params: { channel_id: "room_1" }, query },
    response: {
      status: 200,
      body: {
        messages: [presentMessage(sentAt(end), kim), presentMessage(sentAt(start), kim)],
        timezone: query.timezone ?? "UTC",
      },
    },
  };
}

const lastOf2023 = sentAt(Date.parse("2023-12-31T23:59:59.999Z"));
const firstOf2024 = sentAt(Date.parse("2024-01-01T00:00:00.000Z"));

export const dates = {
  "selects whole days, including both dates": selects(
    { start_date: "2024-02-28", end_date: "2024-03-01" },
    "2024-02-28T00:00:00.000Z",
    "2024-03-01T23:59:59.999Z",
  ),
  "selects whole days of the time zone": selects(
    { start_date: "2024-01-01", end_date: "2024-01-31", timezone: "Asia/Seoul" },
    "2023-12-31T15:00:00.000Z",
    "2024-01-31T14:59:59.999Z",
  ),
  "selects a day of 23 hours": selects(
    { start_date: "2024-03-10", end_date: "2024-03-10", timezone: "America/New_York" },
    "2024-03-10T05:00:00.000Z",
    "2024-03-11T03:59:59.999Z",
  ),
  "selects a day of 25 hours": selects(
    { start_date: "2024-11-03", end_date: "2024-11-03", timezone: "America/New_York" },
    "2024-11-03T04:00:00.000Z",
    "2024-11-04T04:59:59.999Z",
  ),
  "selects a day without a midnight": selects(
    { start_date: "2024-03-31", end_date: "2024-03-31", timezone: "Asia/Beirut" },
    "2024-03-30T22:00:00.000Z",
    "2024-03-31T20:59:59.999Z",
  ),
  "selects from start_date if end_date is omitted": {
    given: { ...world, messages: [lastOf2023, firstOf2024] },
    request: { params: { channel_id: "room_1" }, query: { start_date: "2024-01-01" } },
    response: { status: 200, body: { messages: [presentMessage(firstOf2024, kim)], timezone: "UTC" } },
  },
  "selects up to end_date if start_date is omitted": {
    given: { ...world, messages: [lastOf2023, firstOf2024] },
    request: { params: { channel_id: "room_1" }, query: { end_date: "2023-12-31" } },
    response: { status: 200, body: { messages: [presentMessage(lastOf2023, kim)], timezone: "UTC" } },
  },
  "responds with the requested time zone": {
    given: world,
    request: { params: { channel_id: "room_1" }, query: { timezone: "Asia/Seoul" } },
    response: { status: 200, body: { messages: [], timezone: "Asia/Seoul" } },
  },
  "selects a message on start_date": {
    given: { ...world, messages: [lastOf2023] },
    request: { params: { channel_id: "room_1" }, query: { start_date: "2023-12-31" } },
    response: { status: 200, body: { messages: [presentMessage(lastOf2023, kim)], timezone: "UTC" } },
  },
  "selects a message on end_date": {
    given: { ...world, messages: [lastOf2023] },
    request: { params: { channel_id: "room_1" }, query: { end_date: "2023-12-31" } },
    response: { status: 200, body: { messages: [presentMessage(lastOf2023, kim)], timezone: "UTC" } },
  },
  "rejects a start_date after end_date": {
    request: {
      params: { channel_id: "room_1" },
      query: { start_date: "2023-01-02", end_date: "2023-01-01" },
    },
    response: invalid("query", "start_date"),
  },
  "rejects a timezone given twice": {
    request: { params: { channel_id: "room_1" }, query: { timezone: ["UTC", "UTC"] } },
    response: invalid("query", "timezone"),
  },
} satisfies Interactions;

const invalidDates = {
  "that does not exist": "2023-02-29",
  "of a month that does not exist": "2023-13-01",
  "of the day 0": "2023-01-00",
  "with a time": "2023-01-01T00:00:00Z",
  "without hyphens": "20230101",
  "with single digits": "2023-1-1",
  "with a space": " 2023-01-01",
  "with a sign": "+2023-01-01",
  "set to an empty string": "",
  "that is not a date": "yesterday",
};

export const dateCases: Interactions = {
  ...valueCases(dates["selects a message on start_date"], "query", "start_date", {
    accepts: { "in a leap year": "2020-02-29", "in the year 1": "0001-01-01" },
    rejects: invalidDates,
  }),
  ...valueCases(dates["selects a message on end_date"], "query", "end_date", {
    accepts: { "in the year 9999": "9999-12-31" },
    rejects: invalidDates,
  }),
  ...valueCases(dates["responds with the requested time zone"], "query", "timezone", {
    accepts: { UTC: "UTC", "Area/City": "Asia/Seoul", "Area/Country/City": "America/Argentina/Buenos_Aires" },
    rejects: {
      "that is an offset": "+09:00",
      "that is an abbreviation": "KST",
      "that is a city": "Seoul",
      "that does not exist": "Asia/Nowhere",
      "in another case": "asia/seoul",
      "of an unknown area": "SystemV/EST5",
      "set to an empty string": "",
      "with a space": "Asia/Seoul ",
      "that is a file path": "../../etc/passwd",
    },
  }),
};

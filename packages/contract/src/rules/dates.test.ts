import { expect, test } from "vitest";
import { isDay } from "./calendar";
import { date, timeZone } from "./dates";

const messagesOf = (schema: typeof date | typeof timeZone, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ message }) => message) ?? [];

test.each(["2024-01-31", "2024-02-29", "2000-02-29", "0000-01-01", "9999-12-31", "0001-12-01"])(
  "%s is a day",
  (day) => {
    expect(date.parse(day)).toBe(day);
  },
);

test.each([
  "2023-02-29",
  "1900-02-29",
  "2024-02-30",
  "2024-04-31",
  "2024-13-01",
  "2024-00-10",
  "2024-01-00",
  "2024-01-32",
])("%s does not exist", (day) => {
  expect(messagesOf(date, day)).toEqual(["Must be a date that exists."]);
});

test.each([
  "",
  "2024-1-31",
  "2024-01-1",
  "24-01-31",
  "02024-01-31",
  "2024-01-311",
  "2024/01/31",
  "20240131",
  "2024-01-31T00:00:00Z",
  " 2024-01-31",
  "2024-01-31\n",
  "２０２４-01-31",
  "x2024-01-31",
  "+010000-01",
])("%j is not a date", (day) => {
  expect(isDay(day)).toBe(false);
  expect(messagesOf(date, day)).toEqual(["Must be a date in the form YYYY-MM-DD."]);
});

test.each([
  "UTC",
  "Asia/Seoul",
  "America/Argentina/Buenos_Aires",
  "America/Port-au-Prince",
  "Etc/GMT+9",
  "Etc/UTC",
  "US/Pacific",
  "Africa/Abidjan",
  "Antarctica/DumontDUrville",
  "Arctic/Longyearbyen",
  "Atlantic/Reykjavik",
  "Australia/Lord_Howe",
  "Brazil/East",
  "Canada/Pacific",
  "Chile/Continental",
  "Europe/Berlin",
  "Indian/Maldives",
  "Mexico/General",
  "Pacific/Apia",
  "Asia/Calcutta",
])("%s is a time zone, also from the cache", (zone) => {
  expect(timeZone.parse(zone)).toBe(zone);
  expect(timeZone.parse(zone)).toBe(zone);
});

test.each([
  "",
  "utc",
  "Z",
  "+09:00",
  "GMT",
  "KST",
  "EST5EDT",
  "asia/seoul",
  "Asia/SEOUL",
  "Europe/BErlin",
  "Asia/seoul",
  "ASIA/SEOUL",
  "Asia/Seoul ",
  " Asia/Seoul",
  "Asia/Nowhere",
  "Asia/",
  "Asia",
  "Asia/Seoul/Seoul",
  "America/A/B/C",
  "SystemV/AST4",
  "x/Asia/Seoul",
  `Asia/${"S".repeat(40)}`,
  "US/pacific",
])("%j is not a time zone, also not from the cache", (zone) => {
  const rule = ["Must be UTC or a time zone name in the form Area/City, such as Asia/Seoul."];
  expect(messagesOf(timeZone, zone)).toEqual(rule);
  expect(messagesOf(timeZone, zone)).toEqual(rule);
});

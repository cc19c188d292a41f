import { expect, test } from "vitest";
import { formatDay } from "./exports";

const evening = new Date("2024-01-31T20:00:00Z");

test.each([
  ["2024-01-01", undefined, "2024-01-01"],
  [evening, undefined, "2024-01-31"],
  [evening, "Asia/Seoul", "2024-02-01"],
  [evening, "America/New_York", "2024-01-31"],
  [new Date("0099-05-06T00:00:00Z"), "UTC", "0099-05-06"],
  [undefined, "UTC", undefined],
])("%s in %s is %s", (day, zone, expected) => {
  expect(formatDay("start_date", day, zone)).toBe(expected);
});

test("an invalid Date and an invalid time zone are rejected by name", () => {
  expect(() => formatDay("end_date", new Date("x"))).toThrow(
    /In the options, end_date: Must be a valid Date/,
  );
  expect(() => formatDay("end_date", evening, "Mars/Base")).toThrow(/timezone/);
});

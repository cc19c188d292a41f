import { expect, test } from "vitest";
import { parseRetryAfter } from "./retry-after";

const now = Date.parse("2024-01-01T00:00:00Z");

test.each([
  ["0", 0],
  ["120", 120_000],
  [" 7 ", 7_000],
  ["Mon, 01 Jan 2024 00:01:00 GMT", 60_000],
  ["Monday, 01-Jan-24 00:01:00 GMT", 60_000],
  ["Sun, 31 Dec 2023 23:59:00 GMT", 0],
  [null, undefined],
  ["", undefined],
  ["-5", undefined],
  ["1.5", undefined],
  ["soon", undefined],
  ["Someday", undefined],
])("%j is %j ms", (value, expected) => {
  expect(parseRetryAfter(value, now)).toBe(expected);
});

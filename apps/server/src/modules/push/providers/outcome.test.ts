import { expect, test } from "vitest";
import { readRetryAfter } from "./outcome";

const now = Date.UTC(2026, 0, 1);

test.each([
  ["7", 7_000],
  ["0", 0],
  ["Thu, 01 Jan 2026 00:02:00 GMT", 120_000],
  // The clocks differ.
  ["Wed, 31 Dec 2025 23:59:00 GMT", 0],
  ["86400", 3_600_000],
  ["9".repeat(400), 3_600_000],
  ["Fri, 01 Jan 2027 00:00:00 GMT", 3_600_000],
  ["soon", undefined],
  ["", undefined],
  [undefined, undefined],
  [null, undefined],
])("Retry-After %s means %s ms", (value, ms) => {
  expect(readRetryAfter(value, now)).toBe(ms);
});

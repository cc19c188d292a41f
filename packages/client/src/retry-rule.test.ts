import { describe, expect, test } from "vitest";
import { findDelay, isPassing } from "./retry-rule";

describe("what may pass by itself", () => {
  test.each([undefined, 408, 429, 500, 502, 503, 504])("%s does", (status) => {
    expect(isPassing(status === undefined ? {} : { status })).toBe(true);
  });
  test.each([200, 302, 400, 401, 403, 404, 405, 409, 413, 415, 501, 505])("%s does not", (status) => {
    expect(isPassing({ status })).toBe(false);
  });
  test("a conflict does when it says for how long", () => {
    expect(isPassing({ status: 409, retryAfterMs: 0 })).toBe(true);
  });
});

test("the wait doubles up to 8 s, with full jitter", () => {
  expect([1, 2, 3, 4, 5, 6, 9].map((attempt) => findDelay({}, attempt, 1))).toEqual([
    300, 600, 1_200, 2_400, 4_800, 8_000, 8_000,
  ]);
  expect(findDelay({}, 3, 0)).toBe(0);
  expect(findDelay({}, 3, 0.5)).toBe(600);
});

test("the service's own word goes before the backoff, without jitter", () => {
  expect(findDelay({ status: 503, retryAfterMs: 1_000 }, 1, 0)).toBe(1_000);
});

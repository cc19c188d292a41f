import { describe, expect, test } from "vitest";
import { isGatewayFailure, isRetryable, RetryRules } from "./retry-rules";

describe("a status that", () => {
  test.each([408, 429, 500, 502, 503, 504])("is temporary: %s", (status) => {
    expect(isRetryable({ status, retryAfterMs: undefined })).toBe(true);
  });
  test.each([302, 400, 401, 403, 404, 405, 409, 413, 415, 501, 505])("is permanent: %s", (status) => {
    expect(isRetryable({ status, retryAfterMs: undefined })).toBe(false);
  });
  test("409 is temporary if it has Retry-After", () => {
    expect(isRetryable({ status: 409, retryAfterMs: 0 })).toBe(true);
  });
  test.each([
    [502, undefined, true],
    [503, undefined, true],
    [504, undefined, true],
    [503, 1_000, false],
    [500, undefined, false],
  ])("comes from a proxy: %s with Retry-After %s: %s", (status, retryAfterMs, expected) => {
    expect(isGatewayFailure({ status, retryAfterMs })).toBe(expected);
  });
});

describe("the attempts of a call", () => {
  test("go on until the service could not be reached for maxDowntime, and then maxRetries more", () => {
    const rules = new RetryRules({ maxRetries: 2, maxDowntime: 5_000 });
    const allowed = [100, 400, 5_000, 5_099, 5_100, 5_200, 5_300].map((elapsedMs) =>
      rules.allowRetry(true, elapsedMs),
    );
    expect(allowed).toEqual([true, true, true, true, true, true, false]);
  });

  test("count other failures apart, and measure every outage from its beginning", () => {
    const rules = new RetryRules({ maxRetries: 2, maxDowntime: 5_000 });
    expect(rules.allowRetry(true, 0)).toBe(true);
    expect(rules.allowRetry(true, 1_000)).toBe(true);
    expect(rules.allowRetry(false, 4_000)).toBe(true);
    expect(rules.allowRetry(true, 5_500)).toBe(true);
    expect(rules.allowRetry(true, 10_000)).toBe(true);
    expect(rules.allowRetry(false, 10_000)).toBe(true);
    expect(rules.allowRetry(false, 10_000)).toBe(false);
  });

  test("end at once with maxRetries 0", () => {
    const rules = new RetryRules({ maxRetries: 0, maxDowntime: 5_000 });
    expect(rules.allowRetry(true, 0)).toBe(false);
  });

  test("are separated by pauses of the documented ranges", () => {
    const pauses = (isUnreachable: boolean, count: number) => {
      const rules = new RetryRules({ maxRetries: 10, maxDowntime: 60_000 });
      return Array.from({ length: count }, () => {
        rules.allowRetry(isUnreachable, 0);
        return rules.maxPauseMs;
      });
    };
    expect(pauses(true, 4)).toEqual([500, 1_000, 1_000, 1_000]);
    expect(pauses(false, 7)).toEqual([300, 600, 1_200, 2_400, 4_800, 8_000, 8_000]);
  });
});

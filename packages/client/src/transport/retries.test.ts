import { describe, expect, test } from "vitest";
import { ChatClient } from "../index";
import { isGatewayFailure, isRetryable, parseRetryAfter, RetryRules } from "./retries";

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
  /** Of its range, each pause is the longest. */
  const createRules = (maxRetries: number, maxDowntimeMs: number) =>
    new RetryRules({ maxRetries, maxDowntimeMs }, () => 1);

  test("go on until the service could not be reached for maxDowntimeMs, and then maxRetries more", () => {
    const rules = createRules(2, 5_000);
    const pauses = [100, 400, 5_000, 5_099, 5_100, 5_200, 5_300].map((elapsedMs, index) =>
      rules.nextPauseMs(index + 1, true, elapsedMs),
    );
    expect(pauses).toEqual([500, 1_000, 1_000, 1_000, 300, 600, undefined]);
  });

  test("count other failures apart, and measure every outage from its beginning", () => {
    const rules = createRules(2, 5_000);
    expect(rules.nextPauseMs(1, true, 0)).toBe(500);
    expect(rules.nextPauseMs(2, true, 1_000)).toBe(1_000);
    expect(rules.nextPauseMs(3, false, 4_000)).toBe(300);
    expect(rules.nextPauseMs(4, true, 5_500)).toBe(500);
    expect(rules.nextPauseMs(5, true, 10_000)).toBe(1_000);
    expect(rules.nextPauseMs(6, false, 10_000)).toBe(600);
    expect(rules.nextPauseMs(7, false, 10_000)).toBeUndefined();
  });

  test.each([
    [{ maxRetries: 0, maxDowntimeMs: 5_000 }, 0],
    [{ maxRetries: 2, maxDowntimeMs: 0 }, 2],
    [{ maxRetries: 2, maxDowntimeMs: 5_000 }, 52],
  ])("have a limit in any case: %j, %i retries", (limits, expected) => {
    expect(new RetryRules(limits).limit).toBe(expected);
  });

  test("are separated by pauses of the documented ranges", () => {
    const pauses = (isUnreachable: boolean, random: number) => {
      const rules = new RetryRules({ maxRetries: 10, maxDowntimeMs: 60_000 }, () => random);
      return [1, 2, 3, 4, 5, 6, 7].map((retry) => rules.nextPauseMs(retry, isUnreachable, 0));
    };
    expect(pauses(true, 1)).toEqual([500, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000]);
    expect(pauses(false, 1)).toEqual([300, 600, 1_200, 2_400, 4_800, 8_000, 8_000]);
    expect([...pauses(true, 0), ...pauses(false, 0)]).toEqual(Array(14).fill(0));
  });
});

test("what the rules of a chat reject is not sent again within the call, and the error says why", async () => {
  const reject = async (status: number, members: object, headers: Record<string, string> = {}) => {
    let count = 0;
    const fetch = async () => {
      count++;
      const problem = {
        type: "about:blank",
        title: "Rejected",
        status,
        detail: "It is rejected.",
        ...members,
      };
      return new Response(JSON.stringify(problem), {
        status,
        headers: { "content-type": "application/problem+json", ...headers },
      });
    };
    const chat = new ChatClient({ baseUrl: "http://127.0.0.1:9", apiKey: "sk_1", fetch });
    const sent = chat.messages.send("room_1", { user_id: "kim_01", type: "text", content: "Hello" });
    return { error: await sent.catch((error: unknown) => error), count };
  };
  const slow = await reject(429, { code: "slow_mode" }, { "retry-after": "1" });
  expect(slow).toMatchObject({
    count: 1,
    error: { code: "slow_mode", retryAfterMs: 1_000, retryable: true },
  });
  const limited = await reject(429, { code: "rate_limited" }, { "retry-after": "0" });
  expect(limited).toMatchObject({ count: 3, error: { code: "rate_limited" } });
  const why = { check: "hook", filter_id: "flt_1", reason: "Be kind." };
  const rejected = await reject(422, { code: "message_rejected", ...why });
  expect(rejected).toMatchObject({
    count: 1,
    error: { check: "hook", filterId: "flt_1", reason: "Be kind." },
  });
});

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
])("Retry-After %j is %j ms", (value, expected) => {
  expect(parseRetryAfter(value, now)).toBe(expected);
});

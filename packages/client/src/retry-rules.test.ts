import { describe, expect, test } from "vitest";
import { isRetryable } from "./retry-rules";

describe("a status that", () => {
  test.each([408, 429, 500, 502, 503, 504])("may pass: %s", (status) => {
    expect(isRetryable({ status, retryAfterMs: undefined })).toBe(true);
  });
  test.each([302, 400, 401, 403, 404, 405, 409, 413, 415, 501, 505])("stays: %s", (status) => {
    expect(isRetryable({ status, retryAfterMs: undefined })).toBe(false);
  });
  test("may pass when the service says how long to wait: 409", () => {
    expect(isRetryable({ status: 409, retryAfterMs: 0 })).toBe(true);
  });
});

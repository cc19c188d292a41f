import { describe, expect, test } from "vitest";
import { isRetryable } from "./retry-rules";

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
});

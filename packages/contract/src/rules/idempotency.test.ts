import { expect, test } from "vitest";
import { changeHeaders, idempotencyKey } from "./idempotency";

const messagesOf = (value: unknown) =>
  idempotencyKey.safeParse(value).error?.issues.map(({ message }) => message) ?? [];

test("an idempotency key has 1 to 255 visible ASCII characters", () => {
  for (const key of ["!", "~", "x".repeat(255), "0f6b8f1e-7f0a"]) expect(idempotencyKey.parse(key)).toBe(key);
  expect(messagesOf("")).toEqual(["Must not be empty."]);
  expect(messagesOf("x".repeat(256))).toEqual(["Must have at most 255 characters."]);
  for (const key of ["a b", " a", "a ", "가", "a\t", "\x7f", "é"])
    expect(messagesOf(key)).toEqual(["Must contain only visible ASCII characters."]);
});

test("the idempotency key of a change is optional", () => {
  expect(changeHeaders["idempotency-key"].parse(undefined)).toBeUndefined();
});

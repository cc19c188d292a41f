import { expect, test } from "vitest";
import { byteLength, isStorable, text } from "./text";

const messageOf = (schema: ReturnType<typeof text>, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ message }) => message);

test("lengths count code points and are inclusive", () => {
  const schema = text({ minLength: 1, maxLength: 3 });
  for (const value of ["a", "abc", "😀😀😀", "가나다"]) expect(schema.parse(value)).toBe(value);
  expect(messageOf(schema, "")).toEqual(["Must have at least 1 character."]);
  expect(messageOf(schema, "😀😀😀😀")).toEqual(["Must have at most 3 characters."]);
  expect(messageOf(text({ maxLength: 2_048 }), "x".repeat(2_049))).toEqual([
    "Must have at most 2,048 characters.",
  ]);
});

test("without limits, any length is allowed", () => {
  expect(text().parse("")).toBe("");
  expect(text().parse("x".repeat(100_000))).toHaveLength(100_000);
});

test.each([
  ["a NUL", "a\0b"],
  ["a high surrogate alone", "a\ud800b"],
  ["a low surrogate alone", "\udc00"],
])("%s is rejected, because it cannot be stored unchanged", (_what, value) => {
  expect(isStorable(value)).toBe(false);
  expect(messageOf(text(), value)).toEqual(["Must not contain a NUL character or a lone surrogate."]);
});

test("every other character is allowed, including surrogate pairs", () => {
  for (const value of ["", "\u0001", "\uffff", "\ud83d\ude00", "  "]) expect(isStorable(value)).toBe(true);
});

test("lengths in bytes are those of UTF-8", () => {
  expect(["", "a", "é", "가", "😀"].map(byteLength)).toEqual([0, 1, 2, 3, 4]);
});

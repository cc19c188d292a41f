import { expect, test } from "vitest";
import { toJsonLine, toPlainText } from "./plain-text";

test.each([
  ["colours", "\u001b[31mred", "\\u001b[31mred"],
  ["a C1 control", "\u009b31m", "\\u009b31m"],
  ["line breaks", "one\r\ntwo", "one\\u000d\\ntwo"],
  ["a change of direction", "abc\u202edef", "abc\\u202edef"],
  ["decomposed Hangul", "\u1112\u1161\u11ab", "한"],
])("%s cannot affect the terminal", (_, text, expected) => {
  expect(toPlainText(text)).toBe(expected);
});

test("a line of JSON has no control characters and is the same value", () => {
  const value = { name: "\u009b31m\u007f\u001b\n" };
  const line = toJsonLine(value);
  expect(line.trimEnd()).not.toMatch(/\p{Cc}/u);
  expect(JSON.parse(line)).toEqual(value);
});

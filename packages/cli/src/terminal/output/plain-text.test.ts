import { expect, test } from "vitest";
import { toArgument, toJsonLine, toPlainText } from "./plain-text";

test.each([
  ["colours", "\u001b[31mred", "\\u001b[31mred"],
  ["a C1 control", "\u009b31m", "\\u009b31m"],
  ["line breaks", "one\r\ntwo", "one\\u000d\\ntwo"],
  ["a change of direction", "abc\u202edef", "abc\\u202edef"],
  ["marks of direction", "a\u200e\u200f\u061cb", "a\\u200e\\u200f\\u061cb"],
  ["decomposed Hangul", "\u1112\u1161\u11ab", "한"],
])("%s cannot affect the terminal", (_, text, expected) => {
  expect(toPlainText(text)).toBe(expected);
});

test("a line of JSON has no control characters and is the same value", () => {
  const value = { name: "\u009b31m\u007f\u001b\n\u202e\u2066\u200f\u2028" };
  const line = toJsonLine(value);
  expect(line.trimEnd()).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028]/u);
  expect(JSON.parse(line)).toEqual(value);
});

test.each([
  ["eyJ9.a_b-c", "eyJ9.a_b-c"],
  ["x; rm -rf ~", "'x; rm -rf ~'"],
  ["it's $(id)", String.raw`'it'\''s $(id)'`],
  ["", "''"],
])("the argument %j is %s in a shell", (argument, expected) => {
  expect(toArgument(argument)).toBe(expected);
});

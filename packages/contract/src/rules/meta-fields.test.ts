import { expect, test } from "vitest";
import { metaInput, metaKey, metaOutput } from "./meta-fields";

const issuesOf = (schema: typeof metaInput | typeof metaKey | typeof metaOutput, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ path, message }) => [path.join("."), message]) ?? [];

const badKey =
  "A key must contain only letters A-Z and a-z, Hangul, _ and -, so no digits and no spaces, and must not be empty.";

test.each([
  "a",
  "Z",
  "_",
  "-",
  "가",
  "ㄱ",
  "a-Z_가",
  "x".repeat(100),
  "가".repeat(33),
  "__proto__",
  "constructor",
  "toString",
])("%s is a key", (key) => {
  const meta = JSON.parse(`{${JSON.stringify(key)}: "1"}`);
  expect(metaInput.parse(meta)).toEqual(meta);
  expect(metaKey.parse(key)).toBe(key);
});

test.each(["", " ", "a b", "a1", "1", "é", "あ", "a.b", "a\n", "\na", "a\0"])("%j is not a key", (key) => {
  expect(issuesOf(metaInput, { [key]: "1" })).toEqual([[key, badKey]]);
  expect(issuesOf(metaKey, key)).toEqual([["", badKey]]);
});

test("the length of a key is in bytes", () => {
  const key = "가".repeat(34);
  const problem = "The key has 102 bytes; at most 100 are allowed.";
  expect(issuesOf(metaInput, { [key]: "1" })).toEqual([[key, problem]]);
  expect(issuesOf(metaKey, key)).toEqual([["", problem]]);
  expect(issuesOf(metaKey, "x".repeat(101))).toEqual([
    ["", "The key has 101 bytes; at most 100 are allowed."],
  ]);
});

test("a value is a string of at most 200 bytes that can be stored", () => {
  for (const value of ["", "x".repeat(200), "가".repeat(66), "😀".repeat(50)])
    expect(issuesOf(metaInput, { a: value })).toEqual([]);
  const problems = { a: "x".repeat(201), b: "가".repeat(67), c: 1, d: null, e: "\0", f: "\ud800" };
  expect(issuesOf(metaInput, problems)).toEqual([
    ["a", "The value has 201 bytes; at most 200 are allowed."],
    ["b", "The value has 201 bytes; at most 200 are allowed."],
    ["c", "A value must be a string."],
    ["d", "A value must be a string."],
    ["e", "Must not contain a NUL character or a lone surrogate."],
    ["f", "Must not contain a NUL character or a lone surrogate."],
  ]);
});

test("ten pairs are allowed, and eleven are not", () => {
  const pairs = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => ["x".repeat(n + 1), "1"]));
  expect(issuesOf(metaInput, pairs(10))).toEqual([]);
  expect(issuesOf(metaInput, pairs(11))).toEqual([["", "Has 11 pairs; at most 10 are allowed."]]);
});

test.each([[null], [[]], [["a"]], ["a"], [1], [undefined]])("%j is not metadata", (value) => {
  expect(issuesOf(metaInput, value)).toEqual([["", "Must be an object of strings."]]);
  expect(issuesOf(metaOutput, value)).toEqual([["", "Must be an object of strings."]]);
});

test("responses may exceed the limits of requests, but contain only strings", () => {
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`key ${n}`, "x".repeat(300)]));
  expect(metaOutput.parse(many)).toEqual(many);
  expect(metaOutput.parse({})).toEqual({});
  expect(issuesOf(metaOutput, { a: "1", b: 2 })).toEqual([["", "Must be an object of strings."]]);
});

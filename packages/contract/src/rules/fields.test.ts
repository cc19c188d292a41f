import { expect, test } from "vitest";
import {
  channelId,
  channelName,
  cursor,
  nextCursor,
  pageSize,
  profileUrlInput,
  timestamp,
  userId,
  userName,
} from "./fields";
import { idHint } from "./limits";

type Schema = typeof userId | ReturnType<typeof pageSize> | typeof timestamp;

const messagesOf = (schema: Schema, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ message }) => message) ?? [];

test.each([
  ["a user's id", userId],
  ["a channel's id", channelId],
])("%s has 4 to 80 lower-case letters, digits and _", (_what, schema) => {
  for (const id of ["abcd", "____", "0123", "a_9z", "x".repeat(80)]) expect(schema.parse(id)).toBe(id);
  expect(messagesOf(schema, "abc")).toEqual(["Must have at least 4 characters."]);
  expect(messagesOf(schema, "x".repeat(81))).toEqual(["Must have at most 80 characters."]);
  for (const id of ["Abcd", "abcD", "ab-d", "ab d", "가나다라", "abcd\n", "äbcd"])
    expect(messagesOf(schema, id)).toEqual([
      `Must contain only lower-case letters a-z, digits and _. ${idHint}`,
    ]);
});

test("names and URLs have max lengths", () => {
  expect(messagesOf(userName, "")).toEqual(["Must have at least 1 character."]);
  expect(messagesOf(userName, "x".repeat(80))).toEqual([]);
  expect(messagesOf(userName, "x".repeat(81))).toEqual(["Must have at most 80 characters."]);
  expect(messagesOf(channelName, "x".repeat(150))).toEqual([]);
  expect(messagesOf(channelName, "x".repeat(151))).toEqual(["Must have at most 150 characters."]);
  expect(messagesOf(profileUrlInput, "")).toEqual([]);
  expect(messagesOf(profileUrlInput, "x".repeat(2_049))).toEqual(["Must have at most 2,048 characters."]);
});

test("a page size is a whole number in decimal digits, and is not clamped", () => {
  const size = pageSize({ min: 5, max: 30, default: 15 });
  for (const [sent, read] of [
    ["5", 5],
    ["30", 30],
    ["007", 7],
    ["000000030", 30],
  ] as const)
    expect(size.parse(sent)).toBe(read);
  for (const wrong of ["4", "31", "", "-5", "+5", "5.0", "1e1", " 7", "7 ", "0x7", "７", "0000000007"])
    expect(messagesOf(size, wrong)).toEqual(["Must be a whole number from 5 to 30."]);
});

test("a time is a whole number", () => {
  expect(timestamp.parse(1_700_000_000_000)).toBe(1_700_000_000_000);
  expect(messagesOf(timestamp, 1.5)).not.toEqual([]);
});

test("a cursor is any string, and the next one may be absent", () => {
  expect(cursor.parse("")).toBe("");
  expect(nextCursor.parse(undefined)).toBeUndefined();
});

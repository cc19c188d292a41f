import { expect, test } from "vitest";
import { breaking, harmless } from "./change.ts";
import { isMajor, judge, objectionsTo } from "./gate.ts";

test("a change that breaks callers of the last release comes with a major changeset of the contract", () => {
  expect(judge().objections).toEqual([]);
});

test("what breaks is named with its place, unless a major changeset allows it", () => {
  const changes = [
    breaking("GET /v1/users", "The operation is gone."),
    harmless("GET /v1/rooms", "It is new."),
  ];
  expect(objectionsTo(changes, false)).toEqual(["GET /v1/users: The operation is gone."]);
  expect(objectionsTo(changes, true)).toEqual([]);
});

test.each([
  ['---\n"@madang/contract": major\n---\n\nText.\n', true],
  ["---\n'@madang/client': minor\n'@madang/contract': major\n---\n", true],
  ['---\n"@madang/contract": minor\n---\n', false],
  ['---\n"@madang/client": major\n---\n', false],
  ['---\n"@madang/client": minor\n---\n\n"@madang/contract": major\n', false],
])("reads a changeset %#", (changeset, major) => {
  expect(isMajor(changeset)).toBe(major);
});

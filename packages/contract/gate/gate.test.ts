import { expect, test } from "vitest";
import { isMajor, judge, objectionsTo } from "./gate.ts";

test("a breaking change since the last release has a major changeset of the contract", () => {
  expect(judge().objections).toEqual([]);
});

test("a breaking change is named with its operation, unless a major changeset allows it", () => {
  const changes = [
    { isBreaking: true, operation: "GET /v1/users", description: "[Removed] operation" },
    { isBreaking: false, operation: "GET /v1/rooms", description: "[Added] operation" },
  ];
  expect(objectionsTo(changes, false)).toEqual(["GET /v1/users: [Removed] operation"]);
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

import { expect, test } from "vitest";
import { checkCompatibility, isMajor, listErrors } from "./gate.ts";

test("a breaking change since the last release has a major changeset of the contract", () => {
  expect(checkCompatibility().errors).toEqual([]);
});

test("a breaking change is an error with its operation, unless there is a major changeset", () => {
  const changes = [
    { isBreaking: true, operation: "GET /v1/users", description: "[Removed] operation" },
    { isBreaking: false, operation: "GET /v1/calls", description: "[Added] operation" },
  ];
  expect(listErrors(changes, false)).toEqual(["GET /v1/users: [Removed] operation"]);
  expect(listErrors(changes, true)).toEqual([]);
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

import { expect, test } from "vitest";
import { operations } from "../operation-list";
import { isPermitted, isScope } from "./scopes";

const operation = (id: string, access: "any_key" | "named_scope", method: "GET" | "POST" = "GET") => ({
  id,
  access,
  route: { method },
});

test.each([
  ["messages.searchAll", ["messages.searchAll"], true],
  ["messages.searchAll", ["messages.*"], false],
  ["messages.searchAll", ["read"], false],
  ["privacy.get", ["privacy.get"], true],
  ["privacy.get", ["privacy.*"], true],
  ["privacy.get", ["read"], false],
  ["privacy.get", ["audit.*", "users.*"], false],
  ["privacy.get", undefined, false],
])("%s, which a scope must name, with the scopes %j: %s", (id, scopes, expected) => {
  expect(isPermitted(scopes, operation(id, "named_scope"))).toBe(expected);
});

test.each([
  ["messages.reactions.add", ["messages.*"], true],
  ["messages.reactions.add", ["messages.reactions.*"], true],
  ["messages.reactions.add", ["messages.reactions.list"], false],
  ["messages.reactions.add", ["messages"], false],
  ["messagesOfAll.add", ["messages.*"], false],
  ["messages.addedLater", ["messages.*"], true],
  ["messages.addedLater", undefined, true],
])("%s with the scopes %j: %s", (id, scopes, expected) => {
  expect(isPermitted(scopes, operation(id, "any_key", "POST"))).toBe(expected);
});

test("the stream of events has a scope, and belongs to a group and to `read`", () => {
  for (const scope of ["events.stream", "events.*", "read"]) expect(isScope(scope)).toBe(true);
});

test("a scope names an operation that a sub key can call, but not a variant", () => {
  for (const { id, access, variantOf } of operations)
    expect(isScope(id), id).toBe(
      variantOf === undefined && (access === "any_key" || access === "named_scope"),
    );
});

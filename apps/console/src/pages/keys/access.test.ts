import { isPermitted, isScope, operations } from "@madang/contract";
import { expect, test } from "vitest";
import { roleScopes } from "./access";

test.each(Object.entries(roleScopes))("each scope of the role %s is one of the contract", (_, scopes) => {
  expect(scopes.filter((scope) => !isScope(scope))).toEqual([]);
});

const permitted = (scopes: readonly string[]) =>
  operations.filter((operation) => isPermitted(scopes, operation)).map(({ id }) => id);

test("support staff read whatever a key may read, except what is stored about a person as a whole, and change nothing", () => {
  const reads = operations.filter(({ route, access }) => route.method === "GET" && access !== "master_key");
  const found = permitted(roleScopes.support);
  const others = reads.map(({ id }) => id).filter((id) => !found.includes(id));
  expect(others.filter((id) => !id.startsWith("privacy."))).toEqual([]);
  const changes = operations.filter(({ route, access }) => route.method !== "GET" && access !== "any_scope");
  expect(changes.map(({ id }) => id).filter((id) => found.includes(id))).toEqual([]);
});

test("moderators delete messages, ban, mute, suspend and decide reports, but erase nobody", () => {
  const found = permitted(roleScopes.moderator);
  for (const id of [
    "messages.delete",
    "channels.bans.add",
    "channels.members.mute",
    "users.suspend",
    "reports.resolve",
  ])
    expect(found).toContain(id);
  expect(found).not.toContain("privacy.erase");
});

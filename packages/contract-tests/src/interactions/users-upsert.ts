import { requiredFieldCases } from "../cases/body-cases";
import { pairs } from "../cases/meta-cases";
import { kim, lee, numberedUsers, park } from "../fixtures";
import type { Interaction, Interactions, InteractionsByOperation } from "../interaction";
import { invalid } from "../problem";
import type { World } from "../world";

type Result = "created" | "updated" | "unchanged";

const results = (...list: readonly (readonly [user_id: string, result: Result])[]) => ({
  status: 200,
  body: { results: list.map(([user_id, result]) => ({ user_id, result })) },
});
/** What happens to one user. */
const one = (given: World, user: object, result: Result): Interaction => ({
  given,
  request: { body: { users: [{ user_id: "kim_01", name: "Kim", ...user }] } },
  response: results(["kim_01", result]),
});
/** The second user of a request breaks a rule. */
const rejected = (user: object, path: string): Interaction => ({
  request: { body: { users: [park, { ...kim, ...user }] } },
  response: invalid("body", `users.1.${path}`),
});
const image = "https://example.com/kim.png";
const hundred = numberedUsers(100).map(({ user_id, name }) => ({ user_id, name }));

const upsertMany = {
  "creates a user": one({}, {}, "created"),
  "creates a user with every field": one({}, { profile_url: image, meta: { team: "blue" } }, "created"),
  "creates a user with an empty profile_url": one({}, { profile_url: "" }, "created"),
  "creates a user with the id of a deleted user": one(
    { users: [kim], deletedUsers: ["kim_01"] },
    {},
    "created",
  ),
  "creates, updates and keeps users, with results in the order of the request": {
    given: { users: [kim, lee] },
    request: { body: { users: [{ ...lee, name: "Yi" }, park, kim] } },
    response: results(["lee_02", "updated"], ["park_03", "created"], ["kim_01", "unchanged"]),
  },
  "sets the name": one({ users: [kim] }, { name: "Kim Minsu" }, "updated"),
  "sets the profile_url": one({ users: [kim] }, { profile_url: image }, "updated"),
  "removes the profile_url if it is empty": one(
    { users: [{ ...kim, profile_url: image }] },
    { profile_url: "" },
    "updated",
  ),
  "keeps a profile_url that the request omits": one(
    { users: [{ ...kim, profile_url: image }] },
    {},
    "unchanged",
  ),
  "keeps a profile_url that is empty": one({ users: [kim] }, { profile_url: "" }, "unchanged"),
  "adds metadata": one({ users: [kim] }, { meta: { team: "blue" } }, "updated"),
  "changes metadata": one(
    { users: [{ ...kim, meta: { team: "red" } }] },
    { meta: { team: "blue" } },
    "updated",
  ),
  "keeps metadata that the request omits": one(
    { users: [{ ...kim, meta: { team: "blue", floor: "two" } }] },
    { meta: { floor: "two" } },
    "unchanged",
  ),
  "keeps a user without differences": one(
    { users: [{ ...kim, profile_url: image, meta: { team: "blue" } }] },
    { profile_url: image, meta: { team: "blue" } },
    "unchanged",
  ),
  "updates a suspended user": one(
    { users: [kim], suspendedUsers: ["kim_01"] },
    { name: "Kim Minsu" },
    "updated",
  ),
  "merges the tenth pair": one({ users: [{ ...kim, meta: pairs(9) }] }, { meta: { last: "v" } }, "updated"),
  "reports a user whose metadata would have 11 pairs, and stores the others": {
    given: { users: [{ ...kim, meta: pairs(10) }, lee] },
    request: {
      body: { users: [{ ...kim, name: "Kim Minsu", meta: { last: "v" } }, { ...lee, name: "Yi" }, park] },
    },
    response: {
      status: 200,
      body: {
        results: [
          { user_id: "kim_01", code: "meta_limit_exceeded" },
          { user_id: "lee_02", result: "updated" },
          { user_id: "park_03", result: "created" },
        ],
      },
    },
  },
  "accepts 100 users": {
    request: { body: { users: hundred } },
    response: results(...hundred.map(({ user_id }) => [user_id, "created"] as const)),
  },
  "rejects an empty list": { request: { body: { users: [] } }, response: invalid("body", "users") },
  "rejects 101 users": {
    request: { body: { users: numberedUsers(101).map(({ user_id, name }) => ({ user_id, name })) } },
    response: invalid("body", "users"),
  },
  "rejects users set to an object": { request: { body: { users: kim } }, response: invalid("body", "users") },
  "rejects a user that it has twice": {
    request: { body: { users: [kim, park, { ...kim, name: "Kim Minsu" }] } },
    response: invalid("body", "users.2.user_id"),
  },
  "rejects a user_id of 3 characters": rejected({ user_id: "kim" }, "user_id"),
  "rejects a user without a name": rejected({ name: undefined }, "name"),
  "rejects a name of 81 characters": rejected({ name: "n".repeat(81) }, "name"),
  "rejects a profile_url of 2049 characters": rejected({ profile_url: "u".repeat(2_049) }, "profile_url"),
  "rejects a user with 11 pairs": rejected({ meta: pairs(11) }, "meta"),
  "rejects a value of 201 bytes": rejected({ meta: { key: "v".repeat(201) } }, "meta.key"),
  "rejects an unknown field of a user": rejected({ suspended_until: 0 }, "suspended_until"),
} satisfies Interactions;

export const usersUpsert = {
  "users.upsertMany": { ...upsertMany, ...requiredFieldCases(upsertMany["creates a user"], ["users"]) },
} satisfies InteractionsByOperation;

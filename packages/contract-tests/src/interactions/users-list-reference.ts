import { kim, lee, numberedUsers, park, presentUser, presentUsers } from "../fixtures";
import type { Interactions } from "../interaction";
import { next } from "../placeholders";
import { invalid, problem } from "../problem";
import { worldTime } from "../world";

/** Pages by `base_user_id`, on every server. */
export const reference = {
  "responds with an array of the users older than base_user_id": {
    given: { users: numberedUsers(8) },
    request: { query: { base_user_id: "user_007" } },
    response: { status: 200, body: presentUsers({ first: 6, last: 1 }) },
  },
  "responds with at most limit users older than base_user_id": {
    given: { users: numberedUsers(8) },
    request: { query: { base_user_id: "user_008", limit: "5" } },
    response: { status: 200, body: presentUsers({ first: 7, last: 3 }) },
  },
  "responds with 15 users older than base_user_id": {
    given: { users: numberedUsers(17) },
    request: { query: { base_user_id: "user_017" } },
    response: { status: 200, body: presentUsers({ first: 16, last: 2 }) },
  },
  "responds with the users of a name older than base_user_id": {
    given: { users: [kim, { ...park, at: worldTime + 1 }, { ...lee, name: "Kim", at: worldTime + 2 }] },
    request: { query: { base_user_id: "lee_02", name: "Kim" } },
    response: { status: 200, body: [presentUser(kim)] },
  },
  "responds with an empty array after the oldest user": {
    given: { users: [kim] },
    request: { query: { base_user_id: "kim_01" } },
    response: { status: 200, body: [] },
  },
  "rejects a base_user_id that does not exist": {
    request: { query: { base_user_id: "missing_user" } },
    response: problem(404, "user_not_found"),
  },
  "rejects next together with base_user_id": {
    given: { users: numberedUsers(6), page: { operation: "users.list", query: { limit: "5" } } },
    request: { query: { base_user_id: "user_002", next } },
    response: invalid("query", "next"),
  },
} satisfies Interactions;

/** Pages on a server that is configured to list users by reference only. */
export const referenceServer = {
  "responds with an array if the server lists by reference": {
    given: { settings: { userList: "reference" }, users: numberedUsers(16) },
    response: { status: 200, body: presentUsers({ first: 16, last: 2 }) },
  },
  "continues with base_user_id if the server lists by reference": {
    given: { settings: { userList: "reference" }, users: numberedUsers(16) },
    request: { query: { base_user_id: "user_002", limit: "30", name: "User 1" } },
    response: { status: 200, body: presentUsers({ first: 1, last: 1 }) },
  },
  "rejects limit 31 if the server lists by reference": {
    given: { settings: { userList: "reference" } },
    request: { query: { limit: "31" } },
    response: invalid("query", "limit"),
  },
  "rejects next if the server lists by reference": {
    given: { settings: { userList: "reference" } },
    request: { query: { next: "cursor" } },
    response: invalid("query", "next"),
  },
} satisfies Interactions;

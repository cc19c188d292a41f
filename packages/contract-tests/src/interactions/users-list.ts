import { idCases } from "../cases/id-cases";
import { cursorCases, pageSizeCases } from "../cases/page-cases";
import { textCases } from "../cases/text-cases";
import { kim, lee, numberedChannels, numberedUsers, park, presentUser, presentUsers } from "../fixtures";
import type { Interactions, InteractionsByOperation } from "../interaction";
import { next } from "../placeholders";
import { invalid, problem } from "../problem";
import type { World } from "../world";
import { reference, referenceServer } from "./users-list-reference";

const firstPage: World = {
  users: numberedUsers(6),
  page: { operation: "users.list", query: { limit: "5" } },
};

const list = {
  "responds with a user": {
    given: { users: [kim] },
    response: { status: 200, body: { users: [presentUser(kim)] } },
  },
  "responds with 15 users, newest first, and a cursor": {
    given: { users: numberedUsers(16) },
    response: { status: 200, body: { users: presentUsers({ first: 16, last: 2 }), next: "cursor" } },
  },
  "responds without a cursor on the last page": {
    given: { users: numberedUsers(15) },
    response: { status: 200, body: { users: presentUsers({ first: 15, last: 1 }) } },
  },
  "responds with an empty page": { response: { status: 200, body: { users: [] } } },
  "accepts limit 5": {
    given: { users: numberedUsers(6) },
    request: { query: { limit: "5" } },
    response: { status: 200, body: { users: presentUsers({ first: 6, last: 2 }), next: "cursor" } },
  },
  "accepts limit 30": {
    given: { users: numberedUsers(31) },
    request: { query: { limit: "30" } },
    response: { status: 200, body: { users: presentUsers({ first: 31, last: 2 }), next: "cursor" } },
  },
  "accepts limit 05, a leading zero": {
    given: { users: numberedUsers(6) },
    request: { query: { limit: "05" } },
    response: { status: 200, body: { users: presentUsers({ first: 6, last: 2 }), next: "cursor" } },
  },
  "lists users with the same creation time in reverse order of creation": {
    given: { users: [kim, park] },
    response: { status: 200, body: { users: [presentUser(park), presentUser(kim)] } },
  },
  "omits deleted users": {
    given: { users: [kim, lee], deletedUsers: ["lee_02"] },
    response: { status: 200, body: { users: [presentUser(kim)] } },
  },
} satisfies Interactions;

const nextPage = {
  "continues with only next": {
    given: firstPage,
    request: { query: { next } },
    response: { status: 200, body: { users: presentUsers({ first: 1, last: 1 }) } },
  },
  "continues with the name of the first page": {
    given: {
      users: [lee, ...numberedUsers(6).map((user) => ({ ...user, name: "Kim" }))],
      page: { operation: "users.list", query: { limit: "5", name: "Kim" } },
    },
    request: { query: { next } },
    response: { status: 200, body: { users: [{ ...presentUser({ user_id: "user_001", name: "Kim" }) }] } },
  },
  "accepts parameters that agree with next": {
    given: firstPage,
    request: { query: { next, limit: "5" } },
    response: { status: 200, body: { users: presentUsers({ first: 1, last: 1 }) } },
  },
  "rejects a limit that differs from next": {
    given: firstPage,
    request: { query: { next, limit: "6" } },
    response: invalid("query", "limit"),
  },
  "rejects a name that differs from next": {
    given: firstPage,
    request: { query: { next, name: "Kim" } },
    response: invalid("query", "name"),
  },
} satisfies Interactions;

const kimByName = { ...list["responds with a user"], request: { query: { name: "Kim" } } };

export const usersList = {
  "users.list": {
    ...list,
    ...pageSizeCases(list["responds with a user"], 5, 30),
    ...nextPage,
    ...cursorCases(nextPage["continues with only next"], {
      "another list": {
        channels: numberedChannels(6),
        page: { operation: "channels.list", query: { limit: "5" } },
      },
    }),
    "responds with the users of exactly this name": {
      given: { users: [kim, { ...park, name: "kim" }, { ...lee, name: "Kim Minsu" }] },
      request: { query: { name: "Kim" } },
      response: { status: 200, body: { users: [presentUser(kim)] } },
    },
    "rejects a name that is not UTF-8": { request: { rawQuery: "name=%FF" }, response: invalid("query", "") },
    "rejects a name with an unescaped percent sign": {
      request: { rawQuery: "name=100%" },
      response: invalid("query", ""),
    },
    "checks the key before the encoding of the query": {
      request: { rawQuery: "name=%FF", key: "none" },
      response: problem(401, "unauthenticated"),
    },
    "decodes a plus sign in the query as a space": {
      given: { users: [{ ...kim, name: "Kim Min" }] },
      request: { rawQuery: "name=Kim+Min" },
      response: { status: 200, body: { users: [{ ...presentUser(kim), name: "Kim Min" }] } },
    },
    "rejects a name given twice": {
      request: { query: { name: ["Kim", "Kim"] } },
      response: invalid("query", "name"),
    },
    ...textCases(kimByName, "query", "name", 80),
    ...reference,
    ...idCases(reference["responds with an empty array after the oldest user"], "query", "base_user_id"),
    ...referenceServer,
  },
} satisfies InteractionsByOperation;

import { cursorCases, pageSizeCases } from "../cases/page-cases";
import { valueCases } from "../cases/value-cases";
import { kim, lee } from "../fixtures";
import type { Interactions, InteractionsByOperation } from "../interaction";
import { next } from "../placeholders";
import { invalid } from "../problem";
import { type World, worldTime } from "../world";

/** By default the changes of users are recorded. The database dates the entries, after the time of the world. */
const world: World = { users: [kim, lee], suspendedUsers: ["lee_02"] };
const suspension = entry("users.suspend", "PUT", 200, "lee_02");
const lees = [suspension, entry("users.create", "POST", 201, "lee_02")];
const all = [...lees, entry("users.create", "POST", 201, "kim_01")];
const firstPage: World = { ...world, page: { operation: "audit.list", query: { limit: "1" } } };

function entry(operation: string, method: string, status: number, user_id: string) {
  return {
    entry_id: "1",
    at: worldTime,
    operation,
    method,
    status,
    kind: "master",
    address: "127.0.0.1",
    user_id,
  };
}

const list = {
  // The first one, because it does not depend on the keys of the world, whose creation is recorded too.
  "lists only what names a user": {
    given: world,
    request: { query: { user_id: "lee_02" } },
    response: { status: 200, body: { entries: lees } },
  },
  "lists the newest entry first": { given: world, response: { status: 200, body: { entries: all } } },
  "responds with an empty page": { response: { status: 200, body: { entries: [] } } },
  "lists only what names a channel": {
    given: world,
    request: { query: { channel_id: "room_1" } },
    response: { status: 200, body: { entries: [] } },
  },
  "lists only calls of an operation": {
    given: world,
    request: { query: { operation: "users.suspend" } },
    response: { status: 200, body: { entries: [suspension] } },
  },
  "lists only sign-ins to the console": {
    given: world,
    request: { query: { operation: "console.signIn" } },
    response: { status: 200, body: { entries: [] } },
  },
  "lists only what a sub key called": {
    given: world,
    request: { query: { key_id: "key_0f3a9c41d7be5208" } },
    response: { status: 200, body: { entries: [] } },
  },
  "lists only what matches all filters": {
    given: world,
    request: { query: { user_id: "kim_01", operation: "users.suspend" } },
    response: { status: 200, body: { entries: [] } },
  },
  "lists only what happened from a time on": {
    given: world,
    request: { query: { from: String(worldTime) } },
    response: { status: 200, body: { entries: all } },
  },
  "lists only what happened before a time": {
    given: world,
    request: { query: { to: String(worldTime) } },
    response: { status: 200, body: { entries: [] } },
  },
  "lists only what happened between two times": {
    given: world,
    request: { query: { from: String(worldTime), to: String(worldTime + 1) } },
    response: { status: 200, body: { entries: [] } },
  },
  "accepts limit 1": {
    given: world,
    request: { query: { limit: "1" } },
    response: { status: 200, body: { entries: [suspension], next: "cursor" } },
  },
  "accepts limit 100": {
    given: world,
    request: { query: { limit: "100" } },
    response: { status: 200, body: { entries: all } },
  },
  "continues with only next": {
    given: firstPage,
    request: { query: { next } },
    response: { status: 200, body: { entries: all.slice(1, 2), next: "cursor" } },
  },
  "rejects a time that is not before the other": {
    request: { query: { from: "1700000000000", to: "1700000000000" } },
    response: invalid("query", "to"),
  },
} satisfies Interactions;

const times = { empty: "", negative: "-1", "with a fraction": "1.5", "that is a date": "2026-11-23" };

export const audit = {
  "audit.list": {
    ...list,
    ...valueCases(list["lists only calls of an operation"], "query", "operation", {
      rejects: { "that is unknown": "users.erase", "that is empty": "", "that is a variant": "keys.revoke" },
    }),
    ...valueCases(list["lists only what names a user"], "query", "user_id", {
      rejects: { "that is too short": "kim", "that is empty": "" },
    }),
    ...valueCases(list["lists only what names a channel"], "query", "channel_id", {
      rejects: { "that is too short": "roo", "that is empty": "" },
    }),
    ...valueCases(list["lists only what a sub key called"], "query", "key_id", {
      rejects: { "that is empty": "", "of 101 characters": "k".repeat(101), "with a space": "key 1" },
    }),
    ...valueCases(list["lists only what happened from a time on"], "query", "from", { rejects: times }),
    ...valueCases(list["lists only what happened before a time"], "query", "to", { rejects: times }),
    ...pageSizeCases(list["lists the newest entry first"], 1, 100),
    ...cursorCases(list["continues with only next"], {
      "the list of users": { ...world, page: { operation: "users.list" } },
    }),
  },
} satisfies InteractionsByOperation;

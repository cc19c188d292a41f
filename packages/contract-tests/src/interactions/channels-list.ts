import { cursorCases, pageSizeCases } from "../cases/page-cases";
import { numberedChannels, numberedUsers, presentChannels } from "../fixtures";
import type { Interactions, InteractionsByOperation } from "../interaction";
import { next } from "../placeholders";
import { invalid } from "../problem";
import type { World } from "../world";

const firstPage: World = {
  channels: numberedChannels(6),
  page: { operation: "channels.list", query: { limit: "5" } },
};

const list = {
  "responds with 15 channels, newest first, and a cursor": {
    given: { channels: numberedChannels(16) },
    response: { status: 200, body: { channels: presentChannels({ first: 16, last: 2 }), next: "cursor" } },
  },
  "responds without a cursor on the last page": {
    given: { channels: numberedChannels(15) },
    response: { status: 200, body: { channels: presentChannels({ first: 15, last: 1 }) } },
  },
  "responds with an empty page": { response: { status: 200, body: { channels: [] } } },
  "accepts limit 5": {
    given: { channels: numberedChannels(6) },
    request: { query: { limit: "5" } },
    response: { status: 200, body: { channels: presentChannels({ first: 6, last: 2 }), next: "cursor" } },
  },
  "accepts limit 30": {
    given: { channels: numberedChannels(31) },
    request: { query: { limit: "30" } },
    response: { status: 200, body: { channels: presentChannels({ first: 31, last: 2 }), next: "cursor" } },
  },
  "omits deleted channels": {
    given: { channels: numberedChannels(3), deletedChannels: ["room_003"] },
    response: { status: 200, body: { channels: presentChannels({ first: 2, last: 1 }) } },
  },
  "continues with only next": {
    given: firstPage,
    request: { query: { next } },
    response: { status: 200, body: { channels: presentChannels({ first: 1, last: 1 }) } },
  },
  "rejects a limit that differs from next": {
    given: firstPage,
    request: { query: { next, limit: "6" } },
    response: invalid("query", "limit"),
  },
} satisfies Interactions;

export const channelsList = {
  "channels.list": {
    ...list,
    ...pageSizeCases(list["accepts limit 5"], 5, 30),
    ...cursorCases(list["continues with only next"], {
      "another list": { users: numberedUsers(6), page: { operation: "users.list", query: { limit: "5" } } },
    }),
  },
} satisfies InteractionsByOperation;

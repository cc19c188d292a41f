import { idListCases } from "../cases/id-list-cases";
import { cursorCases, pageSizeCases } from "../cases/page-cases";
import { textCases } from "../cases/text-cases";
import { lunch, numberedChannels, numberedUsers, presentChannel, presentChannels } from "../fixtures";
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

const dinner = { channel_id: "room_2", name: "Dinner" };
const lunchTwo = { channel_id: "room_3", name: "Lunch 2" };

const filtered = {
  "responds with the channels whose name begins with the prefix, by name": {
    given: { channels: [lunchTwo, dinner, lunch] },
    request: { query: { name_prefix: "Lunch" } },
    response: { status: 200, body: { channels: [presentChannel(lunch), presentChannel(lunchTwo)] } },
  },
  "continues a list by prefix with only next": {
    given: {
      channels: numberedChannels(6).map((channel) => ({ ...channel, name: "Lunch" })),
      page: { operation: "channels.list", query: { limit: "5", name_prefix: "L" } },
    },
    request: { query: { next } },
    response: {
      status: 200,
      body: { channels: [{ ...presentChannels({ first: 6, last: 6 })[0], name: "Lunch" }] },
    },
  },
  "distinguishes upper and lower case in a prefix, and takes %, _ and \\ as they are": {
    given: { channels: [lunch, { ...dinner, name: "l%_\\" }, { ...lunchTwo, name: "lunch" }] },
    request: { query: { name_prefix: "l%_\\" } },
    response: { status: 200, body: { channels: [presentChannel({ ...dinner, name: "l%_\\" })] } },
  },
  "omits deleted channels with the prefix": {
    given: { channels: [lunch], deletedChannels: ["room_1"] },
    request: { query: { name_prefix: "L" } },
    response: { status: 200, body: { channels: [] } },
  },
  "finds channels by the beginning of a word in any case, by name, and begins with the one whose id is q": {
    given: {
      channels: [lunch, { ...dinner, name: "Business lunch" }, { ...lunchTwo, channel_id: "lunch" }],
    },
    request: { query: { q: "lunch" } },
    response: {
      status: 200,
      body: {
        channels: [
          presentChannel({ ...lunchTwo, channel_id: "lunch" }),
          presentChannel({ ...dinner, name: "Business lunch" }),
          presentChannel(lunch),
        ],
      },
    },
  },
  "finds the channel whose id ids.encode makes of q": {
    given: { channels: [lunch, { ...dinner, channel_id: "b32_5k4yb25pxtwirga" }] },
    request: { query: { q: "김민수" } },
    response: {
      status: 200,
      body: { channels: [presentChannel({ ...dinner, channel_id: "b32_5k4yb25pxtwirga" })] },
    },
  },
  "omits deleted channels in a search by name or id": {
    given: { channels: [lunch], deletedChannels: ["room_1"] },
    request: { query: { q: "room_1" } },
    response: { status: 200, body: { channels: [] } },
  },
  "continues a search by name with only next": {
    given: {
      channels: numberedChannels(6).map((channel) => ({ ...channel, name: "Lunch" })),
      page: { operation: "channels.list", query: { limit: "5", q: "l" } },
    },
    request: { query: { next } },
    response: {
      status: 200,
      body: { channels: [{ ...presentChannels({ first: 6, last: 6 })[0], name: "Lunch" }] },
    },
  },
  "rejects q together with name_prefix": {
    request: { query: { q: "Lunch", name_prefix: "Lunch" } },
    response: invalid("query", "q"),
  },
  "rejects a q that differs from next": {
    given: firstPage,
    request: { query: { next, q: "Lunch" } },
    response: invalid("query", "q"),
  },
  "rejects a prefix that differs from next": {
    given: firstPage,
    request: { query: { next, name_prefix: "Lunch" } },
    response: invalid("query", "name_prefix"),
  },
} satisfies Interactions;

const byIds = {
  "responds with the channels of the ids, in their order": {
    given: { channels: [lunch, dinner, lunchTwo], deletedChannels: ["room_2"] },
    request: { query: { channel_ids: "room_3,room_99,room_2,room_1,room_3" } },
    response: { status: 200, body: { channels: [presentChannel(lunchTwo), presentChannel(lunch)] } },
  },
} satisfies Interactions;

const lunchByPrefix = {
  given: { channels: [lunch] },
  request: { query: { name_prefix: "Lunch" } },
  response: { status: 200, body: { channels: [presentChannel(lunch)] } },
};

export const channelsList = {
  "channels.list": {
    ...list,
    ...pageSizeCases(list["accepts limit 5"], 5, 30),
    ...filtered,
    ...textCases(lunchByPrefix, "query", "name_prefix", 150),
    ...textCases({ ...lunchByPrefix, request: { query: { q: "Lunch" } } }, "query", "q", 80),
    ...byIds,
    ...idListCases(byIds["responds with the channels of the ids, in their order"], "channel_ids"),
    "rejects channel_ids together with q": {
      request: { query: { channel_ids: "unknown_1", q: "Lunch" } },
      response: invalid("query", "q"),
    },
    ...cursorCases(list["continues with only next"], {
      "another list": { users: numberedUsers(6), page: { operation: "users.list", query: { limit: "5" } } },
    }),
  },
} satisfies InteractionsByOperation;

import { invalidMessageIds } from "../cases/id-cases";
import { idListCases } from "../cases/id-list-cases";
import { cursorCases, pageSizeCases } from "../cases/page-cases";
import { valueCases } from "../cases/value-cases";
import { kim, listHistory, lunch, presentMessage } from "../fixtures";
import type { Interactions, InteractionsByOperation } from "../interaction";
import { message, newer, next } from "../placeholders";
import { invalid, problem } from "../problem";
import type { World } from "../world";
import { ownReactionsIn } from "./reactions";

/** Kim has sent `count` messages to room_1. */
const worldWith = (count: number): World => ({
  users: [kim],
  channels: [{ ...lunch, members: ["kim_01"] }],
  history: { channel_id: "room_1", user_id: "kim_01", count },
});

/** The messages from the number `first` down to the number `last`, of `count` messages. */
const range = (count: number, first: number, last: number) =>
  listHistory({ channel_id: "room_1", user_id: "kim_01", count })
    .slice(count - first, count - last + 1)
    .map((one) => presentMessage(one, kim));

const params = { channel_id: "room_1" };
const pageOf = (count: number, query: Readonly<Record<string, string>>): World => ({
  ...worldWith(count),
  page: { operation: "messages.list", params, query },
});

const list = {
  "responds with 30 messages, newest first, and both cursors": {
    given: worldWith(31),
    request: { params },
    response: { status: 200, body: { messages: range(31, 31, 2), next: "cursor", newer: "cursor" } },
  },
  "responds without next when there are no older messages": {
    given: worldWith(30),
    request: { params },
    response: { status: 200, body: { messages: range(30, 30, 1), newer: "cursor" } },
  },
  "responds with no messages": {
    given: worldWith(0),
    request: { params },
    response: { status: 200, body: { messages: [], newer: "cursor" } },
  },
  "accepts limit 1": {
    given: worldWith(2),
    request: { params, query: { limit: "1" } },
    response: { status: 200, body: { messages: range(2, 2, 2), next: "cursor", newer: "cursor" } },
  },
  "accepts limit 100": {
    given: worldWith(101),
    request: { params, query: { limit: "100" } },
    response: { status: 200, body: { messages: range(101, 101, 2), next: "cursor", newer: "cursor" } },
  },
  "responds with the messages before a message": {
    given: worldWith(5),
    request: { params, query: { limit: "2", before: message(4) } },
    response: { status: 200, body: { messages: range(5, 3, 2), next: "cursor", newer: "cursor" } },
  },
  "responds with the messages after a message": {
    given: worldWith(5),
    request: { params, query: { limit: "2", after: message(2) } },
    response: { status: 200, body: { messages: range(5, 4, 3), next: "cursor", newer: "cursor" } },
  },
  "responds with the messages around a message": {
    given: worldWith(5),
    request: { params, query: { limit: "3", around: message(3) } },
    response: { status: 200, body: { messages: range(5, 4, 2), next: "cursor", newer: "cursor" } },
  },
  "omits deleted messages, which still mark their position": {
    given: { ...worldWith(5), deletedMessages: [3] },
    request: { params, query: { limit: "4", around: message(3) } },
    response: {
      status: 200,
      body: { messages: [...range(5, 5, 4), ...range(5, 2, 1)], newer: "cursor" },
    },
  },
  "continues with only next": {
    given: pageOf(5, { limit: "2" }),
    request: { params, query: { next } },
    response: { status: 200, body: { messages: range(5, 3, 2), next: "cursor", newer: "cursor" } },
  },
  "continues with only newer": {
    given: pageOf(5, { limit: "2", before: message(3) }),
    request: { params, query: { next: newer } },
    response: { status: 200, body: { messages: range(5, 4, 3), next: "cursor", newer: "cursor" } },
  },
  "responds with an empty page while there are no newer messages": {
    given: pageOf(5, { limit: "2" }),
    request: { params, query: { next: newer } },
    response: { status: 200, body: { messages: [], next: "cursor", newer: "cursor" } },
  },
  "rejects a limit that differs from next": {
    given: pageOf(5, { limit: "2" }),
    request: { params, query: { next, limit: "3" } },
    response: invalid("query", "limit"),
  },
  "rejects before and after together": {
    request: { params, query: { before: "1-1", after: "1-2" } },
    response: invalid("query", "after"),
  },
  "rejects before and around together": {
    request: { params, query: { before: "1-1", around: "1-2" } },
    response: invalid("query", "around"),
  },
  "rejects a message id that the service did not assign": {
    given: worldWith(1),
    request: { params, query: { before: "1042" } },
    response: problem(404, "message_not_found"),
  },
} satisfies Interactions;

const byIds = {
  "responds with the messages of the ids, in their order": {
    given: { ...worldWith(4), deletedMessages: [3] },
    request: {
      params,
      query: { message_ids: `${message(1)},1-1,none,${message(3)},${message(4)},${message(1)}` },
    },
    response: { status: 200, body: { messages: [...range(4, 1, 1), ...range(4, 4, 4)] } },
  },
} satisfies Interactions;

const ofApplication = {
  ...worldWith(0),
  messages: ["a", "b c", "d/김"].map((external_id, index) => ({
    channel_id: "room_1",
    user_id: "kim_01",
    content: `Message ${index + 1}`,
    external_id,
  })),
};
const presentNamed = (index: number) =>
  presentMessage(ofApplication.messages[index] ?? { channel_id: "" }, kim);

const byExternalIds = {
  "responds with the messages of the ids of the application, in their order": {
    given: { ...ofApplication, deletedMessages: [2] },
    request: { params, query: { external_ids: "d/김,none,b c,a,d/김" } },
    response: { status: 200, body: { messages: [presentNamed(2), presentNamed(0)] } },
  },
  "rejects external_ids together with message_ids": {
    request: { params, query: { external_ids: "a", message_ids: "1-1" } },
    response: invalid("query", "external_ids"),
  },
  "rejects external_ids with an id of 101 characters": {
    request: { params, query: { external_ids: `a,${"b".repeat(101)}` } },
    response: invalid("query", "external_ids.1"),
  },
} satisfies Interactions;

export const messagesList = {
  "messages.list": {
    ...list,
    ...valueCases(list["responds with the messages before a message"], "query", "before", {
      rejects: invalidMessageIds,
    }),
    ...valueCases(list["responds with the messages after a message"], "query", "after", {
      rejects: invalidMessageIds,
    }),
    ...valueCases(list["responds with the messages around a message"], "query", "around", {
      rejects: invalidMessageIds,
    }),
    ...pageSizeCases(list["accepts limit 1"], 1, 100),
    ...byIds,
    ...byExternalIds,
    ...idListCases(
      byExternalIds["responds with the messages of the ids of the application, in their order"],
      "external_ids",
      { others: ["limit", "before", "next"], isExternal: true },
    ),
    ...idListCases(byIds["responds with the messages of the ids, in their order"], "message_ids", {
      others: ["limit", "before", "next"],
      isAssigned: true,
    }),
    ...ownReactionsIn("messages.list"),
    ...cursorCases(list["continues with only next"], {
      "another channel": {
        users: [kim],
        channels: [
          { ...lunch, members: ["kim_01"] },
          { ...lunch, channel_id: "room_2", members: ["kim_01"] },
        ],
        history: { channel_id: "room_2", user_id: "kim_01", count: 5 },
        page: { operation: "messages.list", params: { channel_id: "room_2" }, query: { limit: "2" } },
      },
      "an export": {
        ...worldWith(101),
        page: { operation: "exports.messages", params, query: { limit: "100" } },
      },
    }),
  },
} satisfies InteractionsByOperation;

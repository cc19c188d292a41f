import { requiredFieldCases } from "../cases/body-cases";
import { cursorCases, pageSizeCases } from "../cases/page-cases";
import { valueCases } from "../cases/value-cases";
import { kim, numberedChannels, plainWebhook as plain } from "../fixtures";
import type { Interactions, InteractionsByOperation } from "../interaction";
import { modifiedNext, next, truncatedNext, webhook as webhookId } from "../placeholders";
import { problem } from "../problem";
import { type World, worldTime } from "../world";

const params = { webhook_id: webhookId };

const unreached = { duration_ms: 1, error: "The host name could not be resolved." };
const attempt = { event_id: "ping_1", attempt: 1, ...unreached, created_at: worldTime };
const attempts = (count: number) => Array.from({ length: count }, () => attempt);
const firstPage: World = {
  webhooks: [{ ...plain, pings: 2 }],
  page: { operation: "webhooks.attempts", params, query: { limit: "1" } },
};

const list = {
  "responds with the attempts": {
    given: { webhooks: [{ ...plain, pings: 2 }] },
    request: { params },
    response: { status: 200, body: { attempts: attempts(2) } },
  },
  "responds with an empty page": {
    given: { webhooks: [plain] },
    request: { params },
    response: { status: 200, body: { attempts: [] } },
  },
  "accepts limit 1": {
    given: { webhooks: [{ ...plain, pings: 2 }] },
    request: { params, query: { limit: "1" } },
    response: { status: 200, body: { attempts: attempts(1), next: "cursor" } },
  },
  "accepts limit 100": {
    given: { webhooks: [{ ...plain, pings: 2 }] },
    request: { params, query: { limit: "100" } },
    response: { status: 200, body: { attempts: attempts(2) } },
  },
  "continues with only next": {
    given: firstPage,
    request: { params, query: { next } },
    response: { status: 200, body: { attempts: attempts(1) } },
  },
} satisfies Interactions;

const feed: World = { users: [kim], webhooks: [plain], page: { operation: "events.list" } };

const replay = {
  "delivers the events after a cursor again": {
    given: feed,
    request: { params, body: { after: next } },
    response: { status: 200 },
  },
} satisfies Interactions;

const replayRejections = Object.fromEntries(
  Object.entries({
    "a modified cursor": modifiedNext,
    "a truncated cursor": truncatedNext,
    "an empty cursor": "",
    latest: "latest",
  }).map(([name, after]) => [
    `rejects ${name}`,
    { given: feed, request: { params, body: { after } }, response: problem(400, "invalid_cursor") },
  ]),
);

export const webhookDeliveries = {
  "webhooks.ping": {
    "responds with the error of a receiver that was not reached": {
      given: { webhooks: [plain] },
      request: { params },
      response: { status: 200, body: unreached },
    },
    "sends to a disabled webhook": {
      given: { webhooks: [{ ...plain, enabled: false }] },
      request: { params },
      response: { status: 200, body: unreached },
    },
  },
  "webhooks.replay": {
    ...replay,
    ...requiredFieldCases(replay["delivers the events after a cursor again"], ["after"]),
    ...valueCases(replay["delivers the events after a cursor again"], "body", "after", {
      rejects: { "set to a number": 1, "set to null": null },
    }),
    ...replayRejections,
    // Only a cursor without a placeholder has a known size.
    "accepts a body of 1 MB": {
      given: feed,
      request: {
        params,
        raw: '{"after":"forged"}'.padEnd(1_048_576),
        headers: { "content-type": "application/json" },
      },
      response: problem(400, "invalid_cursor"),
    },
    "rejects a cursor that is too old": {
      given: { ...feed, expiredEvents: true },
      request: { params, body: { after: next } },
      response: problem(410, "events_expired"),
    },
  },
  "webhooks.attempts": {
    ...list,
    ...pageSizeCases(list["accepts limit 1"], 1, 100),
    ...cursorCases(list["continues with only next"], {
      "another list": {
        webhooks: [plain],
        channels: numberedChannels(6),
        page: { operation: "channels.list", query: { limit: "5" } },
      },
    }),
  },
} satisfies InteractionsByOperation;

import { limits } from "@madang/contract";
import { requiredFieldCases } from "../cases/body-cases";
import { cursorCases, pageSizeCases } from "../cases/page-cases";
import { valueCases } from "../cases/value-cases";
import { kim, numberedChannels, presentWebhook } from "../fixtures";
import type { Interactions, InteractionsByOperation } from "../interaction";
import { modifiedNext, next, truncatedNext, webhook as webhookId } from "../placeholders";
import { problem } from "../problem";
import { type NewWebhook, requestTime, type World, worldTime } from "../world";

const plain: NewWebhook = { url: "https://hooks.example.com/all" };
const search: NewWebhook = {
  url: "https://hooks.example.com/search",
  types: ["message.created", "message.deleted"],
  description: "Search index",
};
const params = { webhook_id: webhookId };
const secret = "whsec_new";
const createdNow = { created_at: requestTime, updated_at: requestTime };
const many = (count: number) => Array.from({ length: count }, () => plain);

const urls = {
  accepts: {
    "with a port, a path and a query": "https://hooks.example.com:8443/a/b?c=d",
    "with a public IPv4 address": "https://8.8.8.8/hook",
    "with a public IPv6 address": "https://[2606:4700:4700::1111]/hook",
    "of 2,048 characters": `https://hooks.example.com/${"u".repeat(2_048 - 26)}`,
  },
  rejects: {
    "of 2,049 characters": `https://hooks.example.com/${"u".repeat(2_049 - 26)}`,
    "that is empty": "",
    "that is not a URL": "hooks.example.com",
    "with another scheme": "ftp://hooks.example.com",
    "with http:": "http://hooks.example.com",
    "with a user name": "https://kim@hooks.example.com",
    "with a password": "https://:secret@hooks.example.com",
    "with a fragment": "https://hooks.example.com/#all",
    "with a loopback address": "https://127.0.0.1/hook",
    "with a loopback address in hexadecimal": "https://0x7f.1/hook",
    "with a loopback address as one number": "https://2130706433/hook",
    "with a loopback address of IPv6": "https://[::1]/hook",
    "with an IPv4-mapped address": "https://[::ffff:8.8.8.8]/hook",
    "with a NAT64 address": "https://[64:ff9b::8.8.8.8]/hook",
    "with a private address": "https://10.0.0.1/hook",
    "with a link-local address": "https://169.254.169.254/latest/meta-data",
    "set to a number": 1,
    "set to null": null,
  },
};
const descriptions = {
  accepts: { "of 1 character": "김", "of 200 emoji": "😀".repeat(200) },
  rejects: { "of 201 characters": "d".repeat(201), "with a NUL": "d\0", "set to null": null },
};

const create = {
  "creates a webhook for every type of event": {
    request: { body: plain },
    response: { status: 201, body: { ...presentWebhook(plain), secret, ...createdNow } },
  },
  "creates a webhook with every field": {
    request: { body: search },
    response: { status: 201, body: { ...presentWebhook(search), secret, ...createdNow } },
  },
  "stores a repeated type once": {
    request: { body: { ...plain, types: ["user.created", "user.created"] } },
    response: {
      status: 201,
      body: { ...presentWebhook({ ...plain, types: ["user.created"] }), secret, ...createdNow },
    },
  },
  "treats an empty description and an empty list of types as absent": {
    request: { body: { ...plain, types: [], description: "" } },
    response: { status: 201, body: { ...presentWebhook(plain), secret, ...createdNow } },
  },
  "creates the tenth webhook": {
    given: { webhooks: many(limits.webhooks - 1) },
    request: { body: plain },
    response: { status: 201, body: { ...presentWebhook(plain), secret, ...createdNow } },
  },
  "rejects the eleventh webhook": {
    given: { webhooks: many(limits.webhooks) },
    request: { body: plain },
    response: problem(409, "webhook_limit_exceeded"),
  },
} satisfies Interactions;

const update = {
  "sets the description": {
    given: { webhooks: [plain] },
    request: { params, body: { description: "Search index" } },
    response: {
      status: 200,
      body: { ...presentWebhook({ ...plain, description: "Search index" }), updated_at: requestTime },
    },
  },
  "sets the url": {
    given: { webhooks: [search] },
    request: { params, body: { url: plain.url } },
    response: {
      status: 200,
      body: { ...presentWebhook({ ...search, ...plain }), updated_at: requestTime },
    },
  },
  "sets the types": {
    given: { webhooks: [search] },
    request: { params, body: { types: ["user.created"] } },
    response: {
      status: 200,
      body: { ...presentWebhook({ ...search, types: ["user.created"] }), updated_at: requestTime },
    },
  },
  "clears the types and the description": {
    given: { webhooks: [search] },
    request: { params, body: { types: [], description: "" } },
    response: {
      status: 200,
      body: { ...presentWebhook({ url: search.url }), updated_at: requestTime },
    },
  },
  "disables the webhook": {
    given: { webhooks: [search] },
    request: { params, body: { enabled: false } },
    response: { status: 200, body: { ...presentWebhook(search), enabled: false, updated_at: requestTime } },
  },
  "enables the webhook": {
    given: { webhooks: [{ ...search, enabled: false }] },
    request: { params, body: { enabled: true } },
    response: { status: 200, body: { ...presentWebhook(search), updated_at: requestTime } },
  },
} satisfies Interactions;

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

export const webhooks = {
  "webhooks.create": {
    ...create,
    ...valueCases(create["creates a webhook for every type of event"], "body", "url", urls),
    ...valueCases(create["creates a webhook with every field"], "body", "types.0", {
      rejects: {
        "that is unknown": "message.read",
        "set to webhook.ping": "webhook.ping",
        "set to null": null,
      },
    }),
    ...valueCases(create["creates a webhook with every field"], "body", "description", descriptions),
    ...requiredFieldCases(create["creates a webhook for every type of event"], ["url"]),
  },
  "webhooks.list": {
    "responds with the webhooks, oldest first": {
      given: { webhooks: [plain, { ...search, enabled: false }] },
      response: {
        status: 200,
        body: [presentWebhook(plain), presentWebhook({ ...search, enabled: false })],
      },
    },
    "responds with an empty list": { response: { status: 200, body: [] } },
  },
  "webhooks.get": {
    "responds with the webhook": {
      given: { webhooks: [plain] },
      request: { params },
      response: { status: 200, body: presentWebhook(plain) },
    },
    "responds with every field": {
      given: { webhooks: [search] },
      request: { params },
      response: { status: 200, body: presentWebhook(search) },
    },
  },
  "webhooks.update": {
    ...update,
    ...valueCases(update["sets the url"], "body", "url", urls),
    ...valueCases(update["disables the webhook"], "body", "enabled", {
      rejects: { "set to a string": "true", "set to null": null },
    }),
    ...requiredFieldCases(update["sets the description"], []),
    "rejects a body without a field": {
      request: { params, body: {} },
      response: problem(400, "invalid_request", [{ in: "body", path: "" }]),
    },
  },
  "webhooks.delete": {
    "deletes the webhook": {
      given: { webhooks: [plain] },
      request: { params },
      response: { status: 200 },
    },
  },
  "webhooks.rotate": {
    "responds with the new secret": {
      given: { webhooks: [search] },
      request: { params },
      response: { status: 200, body: { ...presentWebhook(search), secret, updated_at: requestTime } },
    },
  },
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

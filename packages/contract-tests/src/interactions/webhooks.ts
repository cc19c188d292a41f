import { requiredFieldCases } from "../cases/body-cases";
import { valueCases } from "../cases/value-cases";
import { plainWebhook as plain, presentWebhook } from "../fixtures";
import type { Interactions, InteractionsByOperation } from "../interaction";
import { webhook as webhookId } from "../placeholders";
import { invalid, problem } from "../problem";
import { type NewWebhook, requestTime, worldTime } from "../world";

const search: NewWebhook = {
  url: "https://hooks.example.com/search",
  types: ["message.created", "message.deleted"],
  description: "Search index",
};
const params = { webhook_id: webhookId };
const secret = "whsec_new";
const createdNow = { created_at: requestTime, updated_at: requestTime };
const many = (count: number) => Array.from({ length: count }, () => plain);

/** The same rules hold for the addresses of hooks. */
export const urls = {
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
  "stores a type that is repeated 100 times once": {
    request: { body: { ...plain, types: Array.from({ length: 100 }, () => "user.created") } },
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
    given: { webhooks: many(9) },
    request: { body: plain },
    response: { status: 201, body: { ...presentWebhook(plain), secret, ...createdNow } },
  },
  "rejects the eleventh webhook": {
    given: { webhooks: many(10) },
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

export const webhooks = {
  "webhooks.create": {
    ...create,
    ...valueCases(create["creates a webhook for every type of event"], "body", "url", urls),
    "rejects 101 types": {
      request: { body: { ...plain, types: Array.from({ length: 101 }, () => "user.created") } },
      response: invalid("body", "types"),
    },
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
        // Disabling it was a change of its own, in the same millisecond.
        body: [
          presentWebhook(plain),
          { ...presentWebhook({ ...search, enabled: false }), updated_at: worldTime + 1 },
        ],
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
} satisfies InteractionsByOperation;

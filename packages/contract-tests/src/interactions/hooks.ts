import { requiredFieldCases } from "../cases/body-cases";
import { valueCases } from "../cases/value-cases";
import { kim, lunch, presentMessage } from "../fixtures";
import type { Interactions, InteractionsByOperation } from "../interaction";
import { hook as hookId, message } from "../placeholders";
import { invalid, problem } from "../problem";
import { type NewHook, requestTime, type World, worldTime } from "../world";
import { urls } from "./webhooks";

const plain: NewHook = {
  url: "https://hooks.example.com/check",
  operations: ["messages.send", "messages.update"],
  callers: "all",
  timeout_ms: 100,
  on_failure: "reject",
};
const params = { hook_id: hookId };
const secret = "whsec_new";
const present = ({ timeout_ms = 1_500, ...hook }: NewHook) => ({
  hook_id: "hook_1",
  ...hook,
  timeout_ms,
  created_at: worldTime,
  updated_at: worldTime,
});
const createdNow = { created_at: requestTime, updated_at: requestTime };
const many = (count: number) => Array.from({ length: count }, () => plain);
const { timeout_ms: _, ...withoutTimeout } = plain;

const create = {
  "creates a hook with every field": {
    request: { body: plain },
    response: { status: 201, body: { ...present(plain), secret, ...createdNow } },
  },
  "gives a check 1,500 ms by default": {
    request: { body: withoutTimeout },
    response: { status: 201, body: { ...present({ ...plain, timeout_ms: 1_500 }), secret, ...createdNow } },
  },
  "stores an operation that is repeated once": {
    request: { body: { ...plain, operations: ["messages.send", "messages.send"] } },
    response: {
      status: 201,
      body: { ...present({ ...plain, operations: ["messages.send"] }), secret, ...createdNow },
    },
  },
  "creates the fifth hook": {
    given: { hooks: many(4) },
    request: { body: plain },
    response: { status: 201, body: { ...present(plain), secret, ...createdNow } },
  },
  "rejects the sixth hook": {
    given: { hooks: many(5) },
    request: { body: plain },
    response: problem(409, "hook_limit_exceeded"),
  },
} satisfies Interactions;

const updateTo = (change: Partial<NewHook>) => ({
  given: { hooks: [plain] },
  request: { params, body: change },
  response: { status: 200, body: { ...present({ ...plain, ...change }), updated_at: requestTime } },
});

const update = {
  "sets the url": updateTo({ url: "https://hooks.example.com/other" }),
  "sets the operations": updateTo({ operations: ["messages.update"] }),
  "sets the callers": updateTo({ callers: "users" }),
  "sets the time limit": updateTo({ timeout_ms: 250 }),
  "sets what happens on a failure": updateTo({ on_failure: "accept" }),
} satisfies Interactions;

const timeouts = {
  accepts: { "of 100 ms": 100, "of 5,000 ms": 5_000 },
  rejects: {
    "of 99 ms": 99,
    "of 5,001 ms": 5_001,
    "with a fraction": 100.5,
    "set to a string": "100",
    "set to null": null,
  },
};
const operations = {
  rejects: {
    "that is not checked": "messages.append",
    "that is unknown": "messages.none",
    "set to null": null,
  },
};
const callers = { rejects: { "that are unknown": "keys", "set to null": null } };
const failures = { rejects: { "that is unknown": "ignore", "set to null": null } };

export const hooks = {
  "hooks.create": {
    ...create,
    ...valueCases(create["creates a hook with every field"], "body", "url", urls),
    ...valueCases(create["creates a hook with every field"], "body", "timeout_ms", timeouts),
    ...valueCases(create["creates a hook with every field"], "body", "operations.0", operations),
    ...valueCases(create["creates a hook with every field"], "body", "callers", callers),
    ...valueCases(create["creates a hook with every field"], "body", "on_failure", failures),
    "rejects a hook without operations": {
      request: { body: { ...plain, operations: [] } },
      response: invalid("body", "operations"),
    },
    "rejects three operations": {
      request: { body: { ...plain, operations: ["messages.send", "messages.update", "messages.send"] } },
      response: invalid("body", "operations"),
    },
    ...requiredFieldCases(create["creates a hook with every field"], [
      "url",
      "operations",
      "callers",
      "on_failure",
    ]),
  },
  "hooks.list": {
    "responds with the hooks, oldest first": {
      given: { hooks: [plain, { ...plain, callers: "users" }] },
      response: {
        status: 200,
        body: { hooks: [present(plain), present({ ...plain, callers: "users" })] },
      },
    },
    "responds with an empty list": { response: { status: 200, body: { hooks: [] } } },
  },
  "hooks.get": {
    "responds with the hook": {
      given: { hooks: [plain] },
      request: { params },
      response: { status: 200, body: { ...present(plain), attempts: [] } },
    },
    "rejects an unknown hook": {
      request: { params: { hook_id: "hook_none" } },
      response: problem(404, "hook_not_found"),
    },
  },
  "hooks.update": {
    ...update,
    ...valueCases(update["sets the url"], "body", "url", urls),
    ...valueCases(update["sets the time limit"], "body", "timeout_ms", timeouts),
    ...valueCases(update["sets the operations"], "body", "operations.0", operations),
    ...valueCases(update["sets the callers"], "body", "callers", callers),
    ...valueCases(update["sets what happens on a failure"], "body", "on_failure", failures),
    ...requiredFieldCases(update["sets the url"], []),
    "rejects a body without a field": { request: { params, body: {} }, response: invalid("body", "") },
    "rejects an unknown hook": {
      request: { params: { hook_id: "hook_none" }, body: { callers: "all" } },
      response: problem(404, "hook_not_found"),
    },
  },
  "hooks.delete": {
    "deletes the hook": { given: { hooks: [plain] }, request: { params }, response: { status: 200 } },
    "rejects an unknown hook": {
      request: { params: { hook_id: "hook_none" } },
      response: problem(404, "hook_not_found"),
    },
  },
  "hooks.rotate": {
    "responds with the new secret": {
      given: { hooks: [plain] },
      request: { params },
      response: { status: 200, body: { ...present(plain), secret, updated_at: requestTime } },
    },
    "rejects an unknown hook": {
      request: { params: { hook_id: "hook_none" } },
      response: problem(404, "hook_not_found"),
    },
  },
} satisfies InteractionsByOperation;

// No host has the name of the hook, so it fails.
const world: World = { users: [kim], channels: [{ ...lunch, members: ["kim_01"] }] };
const unavailable = problem(503, "check_unavailable");
const room = { channel_id: "room_1" };
const hello = { channel_id: "room_1", user_id: "kim_01", content: "Hello" };
const say = { params: room, body: { user_id: "kim_01", type: "text", content: "Hello" } };
const ofMessage = { ...room, message_id: message(1) };

/** Of `messages.send`. */
export const hookedSends = {
  "rejects what a hook cannot check": {
    given: { ...world, hooks: [plain] },
    request: say,
    response: unavailable,
  },
  "stores what a hook cannot check, if the hook says so": {
    given: { ...world, hooks: [{ ...plain, on_failure: "accept" }] },
    request: say,
    response: { status: 201, body: presentMessage({ ...hello, at: requestTime }, kim) },
  },
  "asks a hook for users about no request with a key": {
    given: { ...world, hooks: [{ ...plain, callers: "users" }] },
    request: say,
    response: { status: 201, body: presentMessage({ ...hello, at: requestTime }, kim) },
  },
  "names another reason before asking a hook": {
    given: { users: [kim], channels: [lunch], hooks: [plain] },
    request: say,
    response: problem(403, "not_a_participant"),
  },
} satisfies Interactions;

/** Of `messages.update`. */
export const hookedEdits = {
  "rejects what a hook cannot check": {
    given: { ...world, messages: [hello], hooks: [plain] },
    request: { params: ofMessage, body: { content: "Hi" } },
    response: unavailable,
  },
} satisfies Interactions;

/** Of `messages.finish`. */
export const hookedEndings = {
  "rejects what a hook cannot check, and the message goes on": {
    given: { ...world, messages: [{ ...hello, appends: [" you"] }], hooks: [plain] },
    request: { params: ofMessage, body: { state: "done" } },
    response: unavailable,
  },
} satisfies Interactions;

/** Of `messages.sendMany`. */
export const hookedAnnouncements = {
  "reports for each channel that a hook could not check the text": {
    given: { ...world, hooks: [plain] },
    request: {
      body: { channel_ids: ["room_1", "room_2"], user_id: "kim_01", type: "text", content: "Hello" },
    },
    response: {
      status: 200,
      body: {
        results: [
          { channel_id: "room_1", code: "check_unavailable" },
          { channel_id: "room_2", code: "channel_not_found" },
        ],
      },
    },
  },
} satisfies Interactions;

import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import {
  ChatClient,
  type ClientOptions,
  type Fetch,
  isApiError,
  isChatError,
  NotFoundError,
  type ReceivedToken,
  type RetryEvent,
} from "./index";

const options: ClientOptions = { baseUrl: "http://127.0.0.1:9", apiKey: "sk_1" };
setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");
afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

describe("options are validated immediately; the error names the option and not its value", () => {
  test.each<[string, Partial<ClientOptions>, RegExp]>([
    [
      "no address",
      { baseUrl: "chat.example.com" },
      /In the options, baseUrl: Must be an http or https address/,
    ],
    [
      "the version in the path",
      { baseUrl: "https://chat.example.com/v1/" },
      /baseUrl: Must not include \/v1/,
    ],
    ["another protocol", { baseUrl: "ftp://chat.example.com" }, /baseUrl/],
    ["a user in the URL", { baseUrl: "https://kim:pass@chat.example.com" }, /baseUrl/],
    ["a query in the URL", { baseUrl: "https://chat.example.com?x=1" }, /baseUrl/],
    ["an empty key", { apiKey: "" }, /apiKey/],
    ["a key with a line break", { apiKey: "sk_1\r\nx-admin: 1" }, /apiKey/],
    ["a header that cannot be sent", { headers: { "x-a": "a\nb" } }, /x-a/],
    ["an actor with a line break", { actor: "a\nb" }, /In the options, actor: Must be 1 to 200 characters/],
    ["a reason of 201 characters", { reason: "김".repeat(201) }, /In the options, reason/],
    ["a negative limit", { maxRetryAfterMs: -1 }, /maxRetryAfterMs/],
    ["a timeout of 0", { timeoutMs: 0 }, /In the options, timeoutMs: Must be a whole number of at least 1\./],
    ["a negative downtime", { maxDowntimeMs: -1 }, /maxDowntimeMs/],
    [
      "an option that does not exist",
      { timeout: 5_000 } as object,
      /In the options, timeout: There is no such option. Did you mean timeoutMs\?/,
    ],
    [
      "an option like no other",
      { colour: "red" } as object,
      /In the options, colour: There is no such option\.$/,
    ],
  ])("%s", (_, broken, message) => {
    expect(() => new ChatClient({ ...options, ...broken })).toThrow(message);
    expect(() => new ChatClient({ ...options, ...broken })).not.toThrow(/pass|sk_1|x-admin/);
  });

  test.each([
    { timeoutMs: 0 },
    { timeoutMs: 1.5 },
    { totalTimeoutMs: -1 },
    { maxRetries: -1 },
    { maxRetries: Number.NaN },
    { maxDowntimeMs: 0.5 },
    { idempotencyKey: "a b" },
    { idempotencyKey: "x".repeat(256) },
    { actor: "" },
    { reason: "x".repeat(201) },
    { reason: "a\nb" },
    { timeout: 5_000 } as object,
  ])("%j of a call", async (call) => {
    const chat = new ChatClient(options);
    await expect(chat.users.get("kim_01", call)).rejects.toMatchObject({ kind: "validation" });
  });
});

describe("without options", () => {
  test("the address and the key come from the environment, and options override them", async () => {
    vi.stubEnv("MADANG_URL", "http://from.environment");
    vi.stubEnv("MADANG_API_KEY", "sk_environment\n");
    const urls: string[] = [];
    const { fetch, sent } = respondWith();
    const chat = new ChatClient({ fetch, onRequest: ({ url }) => urls.push(url) });
    await chat.users.get("kim_01");
    await new ChatClient({ ...options, fetch, onRequest: ({ url }) => urls.push(url) }).users.get("kim_01");
    expect(urls).toEqual(["http://from.environment/v1/users/kim_01", "http://127.0.0.1:9/v1/users/kim_01"]);
    expect(sent.map(({ authorization }) => authorization)).toEqual(["Bearer sk_environment", "Bearer sk_1"]);
  });

  test.each<[string, string, ClientOptions]>([
    ["baseUrl", "MADANG_URL", { apiKey: "sk_1" }],
    ["apiKey", "MADANG_API_KEY", { baseUrl: "http://127.0.0.1:9" }],
    ["apiKey", "MADANG_API_KEY", { ...options, apiKey: "" }],
  ])("a missing %s: the error names it and %s", (option, variable, given) => {
    vi.stubEnv("MADANG_URL", "");
    vi.stubEnv("MADANG_API_KEY", undefined);
    expect(() => new ChatClient(given)).toThrow(
      `In the options, ${option}: Is missing. Pass it, or set the environment variable ${variable}.`,
    );
  });

  test("an environment that may not be read counts as empty", () => {
    vi.stubGlobal("process", {
      get env(): never {
        throw new Error("Requires env access.");
      },
    });
    expect(() => new ChatClient()).toThrow(/MADANG_URL/);
  });
});

describe("a session instead of a key", () => {
  const session = { baseUrl: "http://127.0.0.1:9", session: true, maxRetries: 0 } as const;

  test("sends the mark of the console, and no key, also where the environment has one", async () => {
    vi.stubEnv("MADANG_API_KEY", "sk_1");
    const { fetch, sent } = respondWith();
    await new ChatClient({ ...session, fetch }).users.get("kim_01");
    expect(sent[0]).toMatchObject({ "x-madang-console": "1" });
    expect(sent[0]).not.toHaveProperty("authorization");
  });

  test("an API key is sent without the mark of the console", async () => {
    const { fetch, sent } = respondWith();
    await new ChatClient({ ...options, fetch }).users.get("kim_01");
    expect(sent[0]).not.toHaveProperty("x-madang-console");
  });

  test("works in a browser, and not along with a key", () => {
    vi.stubGlobal("window", { document: {} });
    expect(new ChatClient(session)).toBeInstanceOf(ChatClient);
    // @ts-expect-error A client has a key or a session.
    expect(() => new ChatClient({ ...session, apiKey: "sk_1" })).toThrow(
      "In the options, apiKey: Must be absent with `session`: a client has only one of them.",
    );
  });

  test("that has ended is reported once", async () => {
    const { fetch, sent } = respondWith(401);
    const chat = new ChatClient({ ...session, fetch, maxRetries: 2 });
    await expect(chat.users.get("kim_01")).rejects.toMatchObject({ status: 401 });
    expect(sent).toHaveLength(1);
  });
});

describe("the token of a user instead of a key", () => {
  const baseUrl = "http://127.0.0.1:9";
  const inAnHour = () => Date.now() + 3_600_000;

  /** A service that accepts one token, and the tokens that it received. */
  function serviceFor(accepted: () => string) {
    const received: string[] = [];
    const fetch: Fetch = async (_, init) => {
      const [, token = ""] = init.headers.authorization?.split(" ") ?? [];
      received.push(token);
      return token === accepted()
        ? Response.json({ user_id: "kim_01", name: "Kim", meta: {}, created_at: 1 })
        : Response.json({ code: "unauthenticated" }, { status: 401 });
    };
    return { fetch, received };
  }

  test("a page may use it, and a client has no key beside it", async () => {
    vi.stubGlobal("window", { document: {} });
    const { fetch, received } = serviceFor(() => "ut_1");
    await new ChatClient({ baseUrl, token: "ut_1", fetch }).users.get("kim_01");
    expect(received).toEqual(["ut_1"]);
    // @ts-expect-error A client has a key or a token.
    expect(() => new ChatClient({ baseUrl, token: "ut_1", apiKey: "sk_1" })).toThrow(
      "In the options, apiKey: Must be absent with `token`: a client has only one of them.",
    );
    expect(() => new ChatClient({ baseUrl, token: "a token" })).toThrow(/In the options, token/);
  });

  test("calls share one token, also those that start at the same time", async () => {
    const { fetch } = serviceFor(() => "ut_1");
    const token = vi.fn(async () => ({ token: "ut_1", expires_at: inAnHour() }));
    const chat = new ChatClient({ baseUrl, token, fetch });
    await Promise.all([chat.users.get("kim_01"), chat.users.get("kim_01")]);
    await chat.users.get("kim_01");
    expect(token).toHaveBeenCalledTimes(1);
  });

  test("a token is replaced before it expires, and after the service has rejected it, once for all calls", async () => {
    let count = 0;
    let expiresAt = Date.now() + 1_000;
    const { fetch, received } = serviceFor(() => `ut_${count}`);
    const token = vi.fn(async () => ({ token: `ut_${++count}`, expires_at: expiresAt }));
    const chat = new ChatClient({ baseUrl, token, fetch, maxRetries: 0 });
    await chat.users.get("kim_01");
    await sleep(1_010);
    expiresAt = inAnHour();
    await chat.users.get("kim_01");
    expect(received).toEqual(["ut_1", "ut_2"]);
    // The service revokes it.
    count = 5;
    await Promise.all([chat.users.get("kim_01"), chat.users.get("kim_01")]);
    expect(received.slice(2)).toEqual(["ut_2", "ut_2", "ut_6", "ut_6"]);
    expect(token).toHaveBeenCalledTimes(3);
  });

  test("a time in the past, as with a clock that is ahead, does not ask for a token for every call", async () => {
    const { fetch } = serviceFor(() => "ut_1");
    const token = vi.fn(async () => ({ token: "ut_1", expires_at: Date.now() - 1_000 }));
    const chat = new ChatClient({ baseUrl, token, fetch });
    await chat.users.get("kim_01");
    await chat.users.get("kim_01");
    expect(token).toHaveBeenCalledTimes(1);
  });

  test("an application that cannot be reached is tried again, as the service is, and the error names the function", async () => {
    const { fetch } = serviceFor(() => "ut_1");
    const token = vi.fn(async () => {
      if (token.mock.calls.length === 1) throw new Error("offline");
      return "ut_1";
    });
    await new ChatClient({ baseUrl, token, fetch }).users.get("kim_01");
    expect(token).toHaveBeenCalledTimes(2);
    const failing = new ChatClient({
      baseUrl,
      token: () => Promise.reject(new Error("offline")),
      fetch,
      maxRetries: 0,
      maxDowntimeMs: 0,
    });
    await expect(failing.users.get("kim_01")).rejects.toThrow(/the function `token` failed: offline/);
  });

  test("it is waited for as long when the service has rejected the token before", async () => {
    const { fetch } = serviceFor(() => "ut_2");
    const sent = vi.fn(fetch);
    const until = performance.now() + 1_500;
    const token = vi.fn(async () => {
      if (token.mock.calls.length === 1) return "ut_1";
      if (performance.now() < until) throw new Error("offline");
      return "ut_2";
    });
    const chat = new ChatClient({ baseUrl, token, fetch: sent, maxRetries: 1, maxDowntimeMs: 60_000 });
    await expect(chat.users.get("kim_01")).resolves.toMatchObject({ user_id: "kim_01" });
    // Once with the rejected token, and once with the new one.
    expect(sent).toHaveBeenCalledTimes(2);
  });

  test.each(["", "<!doctype html>", { token: null }])("what is no token is not kept: %j", async (first) => {
    const { fetch } = serviceFor(() => "ut_1");
    const received: unknown[] = [first, "ut_1"];
    const chat = new ChatClient({ baseUrl, token: () => received.shift() as ReceivedToken, fetch });
    await expect(chat.users.get("kim_01")).rejects.toThrow(/In the options, token/);
    await expect(chat.users.get("kim_01")).resolves.toMatchObject({ user_id: "kim_01" });
  });
});

describe("in a browser", () => {
  test("the client cannot be created without its opt-out", () => {
    vi.stubGlobal("window", { document: {} });
    expect(() => new ChatClient(options)).toThrow(/every visitor can read the API key/);
    expect(new ChatClient({ ...options, dangerouslyAllowBrowser: true })).toBeInstanceOf(ChatClient);
  });
});

const kim = { user_id: "kim_01", name: "Kim", meta: {}, created_at: 1, updated_at: 2 };

function respondWith(...statuses: number[]): {
  fetch: ClientOptions["fetch"];
  sent: Record<string, string>[];
} {
  const sent: Record<string, string>[] = [];
  return {
    sent,
    fetch: async (_, { headers }) => {
      sent.push(headers);
      const status = statuses.shift() ?? 200;
      const body = status < 400 ? kim : { code: "unavailable", detail: "Later." };
      return Response.json(body, {
        status,
        headers: { "x-request-id": `req_${sent.length}`, "retry-after": "0" },
      });
    },
  };
}

function respondWithProblem(status: number, problem: object): ClientOptions["fetch"] {
  return async () =>
    Response.json(problem, { status, headers: { "content-type": "application/problem+json" } });
}

test("observers see every attempt, response and retry; one that throws is ignored; no line contains the key", async () => {
  const seen: string[] = [];
  const lines: string[] = [];
  const retries: RetryEvent[] = [];
  const { fetch } = respondWith(503, 200);
  const chat = new ChatClient({
    ...options,
    fetch,
    onRequest: ({ attempt }) => seen.push(`sent ${attempt}`),
    onResponse: ({ attempt, status, requestId }) => {
      seen.push(`got ${attempt} ${status} ${requestId}`);
      throw new Error("an observer fails");
    },
    onRetry: (event) => retries.push(event),
    debug: (line) => lines.push(line),
  });
  await chat.users.get("kim_01");
  expect(seen).toEqual(["sent 1", "got 1 503 req_1", "sent 2", "got 2 200 req_2"]);
  expect(retries).toMatchObject([
    { operation: "users.get", attempt: 1, waitedMs: expect.any(Number), reason: "503" },
  ]);
  expect(lines.length).toBeGreaterThan(2);
  expect(lines.join()).not.toContain("sk_1");
});

test("a signal that is aborted inside onRetry ends the call with an AbortError", async () => {
  const { fetch, sent } = respondWith(503, 200);
  const controller = new AbortController();
  const chat = new ChatClient({ ...options, fetch, onRetry: () => controller.abort() });
  await expect(chat.users.get("kim_01", { signal: controller.signal })).rejects.toMatchObject({
    kind: "abort",
    attempts: 1,
    cause: { name: "AbortError" },
  });
  expect(sent).toHaveLength(1);
});

test.each(["an abort", "a timeout"])(
  "%s ends the request of a retry, also after a garbage collection",
  async (end) => {
    const controller = new AbortController();
    let isEnded = false;
    const fetch: Fetch = async (_url, { signal }) => {
      if (sent.push(signal) === 1) return new Response(null, { status: 503 });
      signal.addEventListener("abort", () => {
        isEnded = true;
      });
      await sleep(20);
      collectGarbage();
      if (end === "an abort") controller.abort();
      return new Promise(() => {});
    };
    const sent: unknown[] = [];
    const chat = new ChatClient({ ...options, fetch, timeoutMs: 200, maxRetries: 1, maxDowntimeMs: 0 });
    const call = chat.users.get("kim_01", { signal: controller.signal });
    await expect(call).rejects.toMatchObject({ kind: end === "an abort" ? "abort" : "timeout", attempts: 2 });
    expect(isEnded).toBe(true);
  },
);

test.each<[string, (chat: ChatClient) => PromiseLike<unknown>]>([
  ["users.update", (chat) => chat.users.update("..", { user_id: "abcd", name: "Kim" } as { name: string })],
  [
    "channels.update",
    (chat) => chat.channels.update("..", { channel_id: "abcd", name: "Kim" } as { name: string }),
  ],
  [
    "messages.send",
    (chat) => {
      const message = { channel_id: "abcd", user_id: "kim_01", type: "text" as const, content: "Hi" };
      return chat.messages.send("..", message);
    },
  ],
])("a field of the body does not stand in for a path parameter: %s", async (_, call) => {
  const { fetch, sent } = respondWith();
  await expect(call(new ChatClient({ ...options, fetch }))).rejects.toMatchObject({ kind: "validation" });
  expect(sent).toHaveLength(0);
});

const cycle: Record<string, unknown> = {};
cycle.itself = cycle;

test.each([
  ["a BigInt", { order: 1n }],
  ["a cycle", cycle],
])("a body with %s is rejected with the name of its field, and nothing is sent", async (_, data) => {
  const { fetch, sent } = respondWith();
  const chat = new ChatClient({ ...options, fetch });
  await expect(
    chat.signals.send("room_1", { user_id: "kim_01", type: "cursor", data }),
  ).rejects.toMatchObject({
    kind: "validation",
    operation: "signals.send",
    errors: [{ in: "body", path: "data" }],
  });
  expect(sent).toHaveLength(0);
});

describe("a fault of the environment is not one of the network", () => {
  test("an abort needs no `AbortSignal.throwIfAborted`", async () => {
    const { throwIfAborted } = AbortSignal.prototype;
    Reflect.deleteProperty(AbortSignal.prototype, "throwIfAborted");
    onTestFinished(() => void Object.assign(AbortSignal.prototype, { throwIfAborted }));
    const { fetch } = respondWith();
    await expect(new ChatClient({ ...options, fetch }).users.get("kim_01")).resolves.toEqual(kim);
  });

  test.each([
    ["while a body is read", () => vi.stubGlobal("TextDecoder", undefined), TypeError],
    ["while a request is made", () => vi.stubGlobal("Response", undefined), TypeError],
  ])("%s: the error is that of the platform, after one attempt", async (_, breakPlatform, expected) => {
    const { fetch = globalThis.fetch, sent } = respondWith();
    const respond: Fetch = async (url, init) => {
      const response = await fetch(url, init);
      breakPlatform();
      return response;
    };
    const chat = new ChatClient({ ...options, fetch: respond });
    await expect(chat.users.get("kim_01")).rejects.toThrow(expected);
    expect(sent).toHaveLength(1);
  });

  test("without any `fetch`, the error names the option", () => {
    vi.stubGlobal("fetch", undefined);
    expect(() => new ChatClient(options)).toThrow("In the options, fetch: Is missing.");
  });
});

test("headers of a call override those of the client, and the key overrides both", async () => {
  const { fetch, sent } = respondWith();
  const chat = new ChatClient({ ...options, fetch, headers: { "X-Team": "blue", Authorization: "Basic a" } });
  await chat.users.get("kim_01", { headers: { "x-team": "red", "user-agent": "my-service/1" } });
  expect(sent[0]).toMatchObject({
    "x-team": "red",
    authorization: "Bearer sk_1",
    "user-agent": "my-service/1",
  });
});

test("every change has an idempotency key, and any call can bring its own", async () => {
  const { fetch, sent } = respondWith();
  const chat = new ChatClient({ ...options, fetch });
  await chat.users.create({ user_id: "kim_01", name: "Kim" });
  await chat.channels.managers.add("room_1", "kim_01");
  await chat.users.delete("kim_01");
  await chat.users.update("kim_01", { name: "Kim" });
  await chat.users.update("kim_01", { name: "Kim" }, { idempotencyKey: "own" });
  const keys = sent.map((headers) => headers["idempotency-key"]);
  const random = expect.stringMatching(/^[0-9a-f-]{36}$/);
  expect(keys).toEqual([random, random, random, random, "own"]);
  expect(new Set(keys).size).toBe(5);
});

test("deletions of metadata without a body have the idempotency key of the call with a number each", async () => {
  const { fetch, sent } = respondWith();
  const chat = new ChatClient({ ...options, fetch, bodilessDeletes: true });
  const remove = () => chat.users.meta.delete("kim_01", ["team", "seat"], { idempotencyKey: "own" });
  await remove();
  await remove();
  expect(sent.map((headers) => headers["idempotency-key"])).toEqual(["own", "own-1", "own", "own-1"]);
});

test("actor and reason are sent as UTF-8; those of a call replace those of the client", async () => {
  const { fetch, sent } = respondWith();
  const chat = new ChatClient({ ...options, fetch, actor: "민지", reason: "ticket 1" });
  await chat.users.get("kim_01");
  await chat.users.get("kim_01", { reason: "😀".repeat(200) });
  const received = sent.map((headers) =>
    ["x-madang-actor", "x-madang-reason"].map((name) =>
      Buffer.from(headers[name] ?? "", "latin1").toString(),
    ),
  );
  expect(received).toEqual([
    ["민지", "ticket 1"],
    ["민지", "😀".repeat(200)],
  ]);
});

test("the User-Agent names the SDK and the runtime", async () => {
  const { fetch, sent } = respondWith();
  await new ChatClient({ ...options, fetch }).users.get("kim_01");
  expect(sent[0]?.["user-agent"]).toMatch(/^madang-client\/\d+\.\d+\.\d+ \(Node\.js\/\d+\)$/);
});

test("raw returns the metadata of the response", async () => {
  const { fetch } = respondWith(503, 200);
  const { data, meta } = await new ChatClient({ ...options, fetch }).raw.users.get("kim_01");
  expect(data).toEqual(kim);
  expect(meta).toMatchObject({ status: 200, attempts: 2, requestId: "req_2" });
  expect(meta.headers.get("x-request-id")).toBe("req_2");
});

test("raw leaves lists unchanged", async () => {
  const fetch: ClientOptions["fetch"] = async () => Response.json({ channels: [{ channel_id: "room_1" }] });
  const chat = new ChatClient({ ...options, fetch });
  expect(await chat.raw.channels.list().toArray()).toEqual([{ channel_id: "room_1", meta: {} }]);
});

describe("invalid input is one kind of error, whether the SDK or the server finds it", () => {
  test("the SDK: code and errors as those of the service", async () => {
    const { fetch, sent } = respondWith();
    const chat = new ChatClient({ ...options, fetch });
    const rule =
      "Must be the id of a user: 4 to 80 characters; lower-case letters, digits and `_` only. ids.encode of the SDK and madang ids encode make an id of any other name.";
    await expect(chat.users.get("a/b")).rejects.toMatchObject({
      message: `users.get: In the path, user_id: ${rule}`,
      code: "invalid_request",
      errors: [{ in: "path", path: "user_id", message: rule }],
    });
    await expect(chat.users.list({ pageSize: 31 }).firstPage()).rejects.toMatchObject({
      message: "users.list: In the options, pageSize: Must be a whole number from 5 to 30.",
      code: "invalid_request",
      errors: [{ in: "option", path: "pageSize", message: "Must be a whole number from 5 to 30." }],
    });
    await expect(chat.exports.messages("room_1", { pageSize: 30 }).firstPage()).rejects.toThrow(
      "exports.messages: In the options, pageSize: Must be a whole number from 100 to 1,000.",
    );
    expect(sent).toHaveLength(0);
  });

  test("the SDK: an id with a comma, which the service would take for several ids", async () => {
    const { fetch, sent } = respondWith();
    const chat = new ChatClient({ ...options, fetch });
    const rule = "Must have no id with a comma. Ask for such a message by its `message_id`.";
    await expect(
      chat.messages.list("room_1", { external_ids: ["m-1", "a,b"] }).firstPage(),
    ).rejects.toMatchObject({
      message: `messages.list: In the query, external_ids: ${rule}`,
      errors: [{ in: "query", path: "external_ids", message: rule }],
    });
    const ids = ["kim_01,lee_01"];
    for (const list of [
      chat.messages.list("room_1", { message_ids: ids }),
      chat.users.list({ user_ids: ids }),
      chat.users.channels("kim_01", { channel_ids: ids }),
      chat.channels.list({ channel_ids: ids }),
    ])
      await expect(list.firstPage()).rejects.toThrow(/_ids: Must have no id with a comma\.$/);
    expect(sent).toHaveLength(0);
  });

  test("the service: the message states each reason once", async () => {
    const errors = [
      { in: "body", path: "members.1", message: "Must have at least 4 characters." },
      { in: "body", path: "name", message: "It is required." },
    ];
    const detail = "The request is invalid. In the body, members.1: Must have at least 4 characters.";
    const fetch = respondWithProblem(400, { code: "invalid_request", detail, errors });
    const chat = new ChatClient({ ...options, fetch });
    const failure = chat.channels.create({ channel_id: "room_1", name: "", members: ["kim_01", "x"] });
    await expect(failure).rejects.toMatchObject({
      message:
        "channels.create: In the body, members.1: Must have at least 4 characters. In the body, name: It is required. (400 invalid_request)",
      detail,
      errors,
    });
  });
});

test("a missing id is reported as missing, and nothing is sent", async () => {
  const { fetch, sent } = respondWith();
  const chat = new ChatClient({ ...options, fetch });
  // As a program without types passes it.
  const missing = undefined as unknown as string;
  await expect(chat.users.get(missing)).rejects.toThrow("users.get: In the path, user_id: Is missing.");
  expect(sent).toHaveLength(0);
});

test.each(["user.get", "constructor"])("an operation that does not exist is named: %s", async (name) => {
  const { fetch, sent } = respondWith();
  const call = new ChatClient({ ...options, fetch }).request(name as "users.get");
  await expect(call).rejects.toMatchObject({
    kind: "validation",
    message: `In the options, operation: There is no operation "${name}".`,
  });
  expect(sent).toHaveLength(0);
});

test("a body that does not end is read up to a limit, and then not requested again", async () => {
  const megabyte = new Uint8Array(1024 * 1024);
  let pulled = 0;
  let requests = 0;
  const fetch: ClientOptions["fetch"] = async () => {
    requests++;
    const pull = (controller: ReadableStreamDefaultController) => {
      pulled++;
      controller.enqueue(megabyte);
    };
    return new Response(new ReadableStream({ pull }), { headers: { "content-type": "application/json" } });
  };
  await expect(new ChatClient({ ...options, fetch }).users.get("kim_01")).rejects.toMatchObject({
    kind: "parse",
    status: 200,
    message: "users.get: the server sent more than 134217728 bytes (200).",
  });
  expect(requests).toBe(1);
  expect(pulled).toBeLessThan(140);
});

describe("an address that is wrong fails at once, with what to do", () => {
  const refuse = (code: string) => {
    const requests: string[] = [];
    const fetch: Fetch = async (url) => {
      requests.push(url);
      throw new TypeError("fetch failed", { cause: Object.assign(new Error(`it was ${code}`), { code }) });
    };
    return { requests, chat: new ChatClient({ ...options, baseUrl: "https://chat.example.com", fetch }) };
  };

  test.each([
    ["ENOTFOUND", "there is no host chat.example.com. Check baseUrl"],
    ["CERT_HAS_EXPIRED", "it was CERT_HAS_EXPIRED"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "it was DEPTH_ZERO_SELF_SIGNED_CERT"],
  ])("%s", async (code, reason) => {
    const { requests, chat } = refuse(code);
    const expected = {
      kind: "connection",
      retryable: false,
      attempts: 1,
      message: expect.stringContaining(`got no complete response: ${reason} (1 attempt).`),
    };
    await expect(chat.users.get("kim_01")).rejects.toMatchObject(expected);
    await expect(chat.events.listen().next()).rejects.toMatchObject(expected);
    expect(requests).toHaveLength(2);
  });

  test("a host that a name server does not know", async () => {
    const chat = new ChatClient({ ...options, baseUrl: "http://madang.invalid" });
    await expect(chat.users.get("kim_01")).rejects.toMatchObject({ kind: "connection", attempts: 1 });
  });

  test("TLS to a server without TLS", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const chat = new ChatClient({ baseUrl: `https://127.0.0.1:${port}`, apiKey: "sk_1" });
    const error = await chat.users.get("kim_01").catch((reason: Error) => reason);
    server.close();
    expect(error).toMatchObject({ kind: "connection", attempts: 1 });
    expect(String(error)).toMatch(
      /the TLS handshake failed \(ERR_SSL_\w+\)\. If the server expects plain HTTP/,
    );
    expect(String(error)).not.toMatch(/routines|openssl/i);
  });

  test("a connection that is closed may be that of a server which restarts: plain HTTP to TLS is only explained", async () => {
    const server = createTcpServer((socket) => socket.end()).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const chat = new ChatClient({ ...options, baseUrl: `http://127.0.0.1:${port}`, maxRetries: 0 });
    const error = await chat.users.get("kim_01").catch((reason: Error) => reason);
    server.close();
    expect(error).toMatchObject({ kind: "connection", retryable: true });
    expect(String(error)).toMatch(/If the server expects TLS, baseUrl begins with https:/);
  });
});

describe("events.listen", () => {
  test("fails when the service asks for a longer wait than allowed, beyond the limit of timers as well", async () => {
    for (const seconds of [120, 2 ** 31]) {
      let requests = 0;
      const fetch: Fetch = async () => {
        requests++;
        return new Response("Later.", { status: 503, headers: { "retry-after": String(seconds) } });
      };
      const chat = new ChatClient({ ...options, fetch });
      await expect(chat.events.listen().next()).rejects.toMatchObject({
        status: 503,
        retryAfterMs: seconds * 1_000,
      });
      expect(requests).toBe(1);
    }
  });
});

test("a client does not show its key", () => {
  const chat = new ChatClient(options);
  expect(inspect(chat, { depth: 20, showHidden: true })).not.toContain("sk_1");
  expect(JSON.stringify(chat)).not.toContain("sk_1");
});

test("an error reads as a sentence and is recognised by another version of the package", async () => {
  const fetch = respondWithProblem(404, { code: "user_not_found", detail: "There is no user kim_01." });
  vi.resetModules();
  const other = await import("./index");
  const error = await new other.ChatClient({ ...options, fetch }).users
    .get("kim_01")
    .catch((reason) => reason);
  expect(error).not.toBeInstanceOf(NotFoundError);
  expect(isChatError(error)).toBe(true);
  expect(isApiError(error, "users.get")).toBe(true);
  expect(isApiError(error, "users.create")).toBe(false);
  expect(isApiError(error) && error.code).toBe("user_not_found");
  expect(isApiError(new Error("another"))).toBe(false);
  expect(String(error)).toBe("NotFoundError: users.get: There is no user kim_01. (404 user_not_found)");
});

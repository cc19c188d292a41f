import { ChatClient, type ChatError, type ClientOptions, isChatError } from "../src/index";
import type { Received } from "./wire";

/** What a case works with. It uses web APIs alone, so that it runs on every runtime. */
export interface Bench {
  client(script: string, options?: Partial<ClientOptions>): ChatClient;
  /** What the server received so far. */
  received(): Promise<Received[]>;
}

export interface Case {
  readonly name: string;
  run(bench: Bench): Promise<void>;
}

const key = "sk_very_secret_key";
let runs = 0;

/** Runs one case against the server at an address. Throws what it finds wrong. */
export async function runCase({ run }: Case, server: string): Promise<void> {
  const id = `${Date.now()}-${++runs}`;
  await run({
    client: (script, options) =>
      new ChatClient({ baseUrl: `${server}/${script}/${id}`, apiKey: key, ...options }),
    received: async () => (await fetch(`${server}/log/${id}`)).json() as Promise<Received[]>,
  });
}

function equal(actual: unknown, expected: unknown, what: string): void {
  const [is, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (is !== wanted) throw new Error(`${what}: expected ${wanted}, got ${is}`);
}

function holds(claim: boolean, what: string): void {
  if (!claim) throw new Error(what);
}

async function failure(call: PromiseLike<unknown>, expected: Partial<ChatError>): Promise<ChatError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  holds(isChatError(error), `expected an error of the SDK, got ${error}`);
  const found = error as ChatError;
  for (const [name, value] of Object.entries(expected))
    equal(found[name as keyof ChatError], value, `${name} of "${found.message}"`);
  return found;
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<{ items: Item[]; error: unknown }> {
  const all: Item[] = [];
  try {
    for await (const item of items) all.push(item);
  } catch (error) {
    return { items: all, error };
  }
  return { items: all, error: undefined };
}

async function requests(bench: Bench, expected: number): Promise<Received[]> {
  const received = await bench.received();
  equal(received.length, expected, "number of requests");
  return received;
}

const get = (chat: ChatClient) => chat.users.get("kim_01");
const create = (chat: ChatClient) => chat.users.create({ user_id: "kim_01", name: "Kim" });
const drop = (chat: ChatClient) => chat.users.delete("kim_01");
const quick = { timeout: 250 };
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export const cases: readonly Case[] = [
  {
    name: "a repeated cursor: a typed error after the second, and nothing lost of the two pages",
    async run(bench) {
      const { items, error } = await collect(bench.client("same-cursor").users.list());
      equal(items.length, 2, "items");
      await failure(Promise.reject(error), { kind: "pagination", resumeCursor: "again" });
      await requests(bench, 2);
    },
  },
  {
    name: "cursors in a circle: a typed error at the first that comes again",
    async run(bench) {
      const { error } = await collect(bench.client("circle").users.list());
      await failure(Promise.reject(error), { kind: "pagination" });
      await requests(bench, 3);
    },
  },
  {
    name: "an empty page with a cursor: goes on",
    async run(bench) {
      const { items, error } = await collect(bench.client("empty-page").users.list());
      equal([items.length, error], [2, undefined], "items and error");
    },
  },
  {
    name: "empty pages for ever: a typed error",
    async run(bench) {
      const { error } = await collect(bench.client("empty-for-ever").users.list());
      await failure(Promise.reject(error), { kind: "pagination" });
      await requests(bench, 51);
    },
  },
  {
    name: "an answer that is no list: a typed error",
    run: async (bench) => {
      await failure(bench.client("no-page").users.list(), { kind: "parse", status: 200, requestId: "req_1" });
    },
  },
  failing("a body that is cut mid-way", "cut", get, { kind: "connection", attempts: 3, retryable: true }, 3),
  failing("a chunked body that is cut", "cut-chunked", get, { kind: "connection", attempts: 3 }, 3),
  failing("a connection that is reset", "reset-after-head", get, { kind: "connection", attempts: 3 }, 3),
  {
    name: "a connection that is reset before any answer: a typed error",
    run: async (bench) => {
      // How many requests that were is the runtime's affair: some send again by themselves.
      await failure(get(bench.client("reset")), { kind: "connection", attempts: 3, retryable: true });
    },
  },
  failing("an answer that is no HTTP", "no-http", get, { kind: "connection", attempts: 3 }, 3),
  failing("a body that stalls", "stall", get, { kind: "timeout", attempts: 3, retryable: true }, 3, quick),
  failing("a server that says nothing", "silent", get, { kind: "timeout", attempts: 3 }, 3, quick),
  failing("a body that drips", "drip", get, { kind: "timeout", attempts: 3 }, 3, quick),
  failing("500 again and again", "internal", get, { status: 500, code: "internal", attempts: 3 }, 3),
  failing("no retries wanted", "internal", get, { status: 500, attempts: 1 }, 1, { maxRetries: 0 }),
  failing("a rule that is broken", "invalid", get, { status: 400, code: "invalid_request", attempts: 1 }, 1),
  failing("a conflict without a time", "taken", create, { status: 409, code: "user_exists" }, 1),
  failing("a code of the future", "new-code", get, { status: 418, code: "tea_only" }, 1),
  failing("Retry-After above the cap", "wait-an-hour", get, { status: 429, retryAfterMs: 3_600_000 }, 1),
  failing("a page of HTML", "html", get, { kind: "parse", status: 200, requestId: "req_1" }, 1),
  failing("HTML with 502", "html-502", get, { status: 502, body: "<html>Bad gateway</html>" }, 3),
  failing("JSON that is truncated", "truncated", get, { kind: "parse", body: '{"user_id":"kim_01",' }, 1),
  failing("204 where a body belongs", "no-content", get, { kind: "parse", status: 204 }, 1),
  failing("an empty body where one belongs", "empty", get, { kind: "parse", status: 200 }, 1),
  failing("a wrong content type", "wrong-type", get, { kind: "parse", status: 200 }, 1),
  failing("a JSON string where an object belongs", "json-string", get, { kind: "parse" }, 1),
  failing("a redirect, which is not followed", "redirect", get, { kind: "api", status: 302 }, 1),
  failing("a delete of what is not there", "gone", drop, { status: 404, code: "user_not_found" }, 1),
  failing("a delete that was certainly not done", "limited-then-gone", drop, { status: 404, attempts: 2 }, 2),
  passing("a body that is cut once", "cut-once", get, 2),
  passing("a chunked body that is cut once", "cut-chunked-once", get, 2),
  passing("a body that stalls once", "stall-once", get, 2, quick),
  passing("a connection that is reset once", "reset-once", get, 2),
  passing("503 twice", "unavailable-twice", get, 3),
  passing("429 once", "limited-once", get, 2),
  passing("a conflict that says how long", "in-use-once", create, 2),
  passing("a nonsense Retry-After", "wait-nonsense", get, 2),
  passing("a delete whose first answer was lost", "reset-then-gone", drop, 2),
  passing("fields that nobody knew", "new-fields", get, 1),
  passing("an empty 200 where none belongs", "empty", drop, 1),
  passing("204 where none belongs", "no-content", drop, 1),
  {
    name: "nobody listens: a typed error",
    run: async () => {
      const chat = new ChatClient({ baseUrl: "http://127.0.0.1:1024", apiKey: key, maxRetries: 1 });
      await failure(get(chat), { kind: "connection", attempts: 2, retryable: true });
    },
  },
  {
    name: "an id that would change the address: refused, and nothing is sent",
    async run(bench) {
      const chat = bench.client("good");
      for (const id of ["../../x?y#z", "", ".", "..", "a/b", "UPPER", "abc", "a".repeat(81), "한글방이름"]) {
        const { message } = await failure(chat.users.get(id), { kind: "validation" });
        holds(message.includes("user_id must be 4 to 80 characters"), message);
        await failure(chat.channels.members.join("room_1", id), { kind: "validation" });
        await failure(chat.channels.delete(id), { kind: "validation" });
        await failure(chat.exports.messages(id), { kind: "validation" });
      }
      await requests(bench, 0);
    },
  },
  {
    name: "Retry-After in seconds is obeyed",
    async run(bench) {
      await get(bench.client("wait-a-second"));
      const [first, second] = await requests(bench, 2);
      const waited = (second?.at ?? 0) - (first?.at ?? 0);
      holds(waited >= 990 && waited < 3_000, `waited ${waited} ms`);
    },
  },
  {
    name: "Retry-After as a date is obeyed",
    async run(bench) {
      await get(bench.client("wait-till-date"));
      const [first, second] = await requests(bench, 2);
      const waited = (second?.at ?? 0) - (first?.at ?? 0);
      holds(waited >= 950 && waited < 4_000, `waited ${waited} ms`);
    },
  },
  {
    name: "no key in any error, whatever the server repeats",
    async run(bench) {
      const broken: ClientOptions["fetch"] = async (_, { headers }) => {
        throw Object.assign(new Error(`cannot send ${JSON.stringify(headers)}`), { request: { headers } });
      };
      const calls = [
        get(bench.client("echo")),
        get(bench.client("echo-html")),
        get(bench.client("reset")),
        get(bench.client("good", { fetch: broken, maxRetries: 0 })),
        get(bench.client("good", { apiKey: () => Promise.reject(new Error("no key")) })),
        bench.client("echo").users.get("kim_01", { headers: { "x-bad": `${key}\n` } }),
      ].map((call) => Promise.resolve(call).catch((error: unknown) => error));
      for (const error of await Promise.all(calls)) {
        holds(isChatError(error), `an error of the SDK, not ${error}`);
        holds(!showAll(error).includes(key), `a key in ${showAll(error)}`);
      }
    },
  },
  {
    name: "one Idempotency-Key over all attempts of a POST, another for the next",
    async run(bench) {
      const chat = bench.client("unavailable-twice");
      await create(chat);
      await create(chat);
      const keys = (await requests(bench, 4)).map(({ headers }) => headers["idempotency-key"]);
      equal(new Set(keys.slice(0, 3)).size, 1, "keys of the first call");
      holds(keys[0] !== undefined && keys[0] !== keys[3], "the second call has a key of its own");
    },
  },
  {
    name: "a key that was rotated: asked for once more, and sent again",
    async run(bench) {
      const asked: boolean[] = [];
      const chat = bench.client("rotated", {
        maxRetries: 0,
        apiKey: async ({ refresh }) => {
          asked.push(refresh);
          return refresh ? "new_key" : "old_key";
        },
      });
      equal((await get(chat)).user_id, "kim_01", "the user");
      equal(asked, [false, true], "the questions");
      await requests(bench, 2);
    },
  },
  {
    name: "a key that stays refused: asked for once more, then a typed error",
    async run(bench) {
      let asked = 0;
      const chat = bench.client("rotated", { apiKey: () => `old_key_${++asked}` });
      await failure(get(chat), { kind: "api", status: 401, attempts: 2 });
      equal(asked, 2, "the questions");
    },
  },
  {
    name: "a key function that has no other key: the refusal, and nothing is sent again",
    async run(bench) {
      let asked = 0;
      const apiKey = () => {
        asked++;
        return "old_key";
      };
      await failure(get(bench.client("rotated", { apiKey })), { kind: "api", status: 401, attempts: 1 });
      equal(asked, 2, "the questions");
      await requests(bench, 1);
    },
  },
  {
    name: "a key function that never answers: the attempt times out",
    async run(bench) {
      const apiKey = ({ refresh }: { refresh: boolean }) =>
        refresh ? new Promise<string>(() => {}) : "old_key";
      const chat = bench.client("rotated", { apiKey, timeout: 150, maxRetries: 1 });
      await failure(get(chat), { kind: "timeout" });
      await requests(bench, 1);
    },
  },
  {
    name: "an abort ends an attempt, a stalled body and a wait at once",
    async run(bench) {
      for (const script of ["silent", "stall", "wait-a-second"]) {
        const controller = new AbortController();
        setTimeout(() => controller.abort(), 100);
        const began = Date.now();
        await failure(bench.client(script).users.get("kim_01", { signal: controller.signal }), {
          kind: "abort",
        });
        holds(Date.now() - began < 900, `${script} took ${Date.now() - began} ms`);
      }
    },
  },
  {
    name: "an abort beforehand: nothing is sent",
    async run(bench) {
      await failure(bench.client("good").users.get("kim_01", { signal: AbortSignal.abort() }), {
        kind: "abort",
      });
      await requests(bench, 0);
    },
  },
  {
    name: "an abort is heard even when the fetch is deaf",
    async run(bench) {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 50);
      const chat = bench.client("good", { fetch: () => new Promise(() => {}) });
      await failure(chat.users.get("kim_01", { signal: controller.signal }), { kind: "abort" });
    },
  },
  {
    name: "the total timeout covers attempts and waits",
    async run(bench) {
      const began = Date.now();
      await failure(get(bench.client("stall", { totalTimeout: 400, timeout: 150, maxRetries: 50 })), {});
      holds(Date.now() - began < 800, `took ${Date.now() - began} ms`);
    },
  },
  {
    name: "a wait beyond the total timeout: fails at once, with what the server said",
    async run(bench) {
      const chat = bench.client("wait-a-second", { totalTimeout: 500 });
      const began = Date.now();
      await failure(get(chat), { status: 503, retryAfterMs: 1_000, attempts: 1 });
      holds(Date.now() - began < 400, `took ${Date.now() - began} ms`);
    },
  },
  {
    name: "follow-up pages send the cursor alone",
    async run(bench) {
      const { items } = await collect(bench.client("pages").users.list({ name: "Kim", pageSize: 5 }));
      equal(items.length, 10, "items");
      const paths = (await requests(bench, 5)).map(({ path }) => path);
      equal(paths.slice(0, 2), ["/v1/users?limit=5&name=Kim", "/v1/users?next=1"], "addresses");
    },
  },
  {
    name: "a failure on the way carries the cursor to go on with, and nothing is lost or doubled",
    async run(bench) {
      const chat = bench.client("pages-broken", { maxRetries: 1 });
      const before = await collect(chat.users.list());
      const { resumeCursor } = await failure(Promise.reject(before.error), { resumeCursor: "2" });
      await wait(10);
      const again = bench.client("pages");
      const after = await collect(again.users.list({ cursor: resumeCursor }));
      const ids = [...before.items, ...after.items].map(({ user_id }) => user_id);
      equal([ids.length, new Set(ids).size], [10, 10], "ids and different ids");
    },
  },
  {
    name: "leaving a loop ends what was fetched ahead",
    async run(bench) {
      let answers = 0;
      const chat = bench.client("slow-pages", { onResponse: () => answers++ });
      for await (const _ of chat.users.list({ prefetch: 1 })) {
        await wait(50);
        break;
      }
      await wait(250);
      await requests(bench, 2);
      equal(answers, 1, "answers that were taken");
    },
  },
  ...[
    ["references-35", 3],
    ["references-30", 3],
    ["references-inclusive", 3],
  ].map(([script, pages]) => ({
    name: `a user list by reference user (${script}): every user once, and it ends`,
    async run(bench: Bench) {
      const { items, error } = await collect(bench.client(String(script)).users.list());
      const wanted = script === "references-30" ? 30 : 35;
      equal(error, undefined, "error");
      equal(new Set(items.map(({ user_id }) => user_id)).size, wanted, "different users");
      equal(items.length, wanted, "users");
      await requests(bench, Number(pages));
    },
  })),
  {
    name: "a cursor by reference user goes on in another process, filters included",
    async run(bench) {
      const first = await bench.client("references-35").users.list({ pageSize: 10, name: "Kim" });
      const other = bench.client("references-35");
      const { items } = await collect(other.users.list({ cursor: first.nextCursor }));
      equal(items.length, 25, "users");
      const [, second] = await bench.received();
      equal(second?.path, "/v1/users?base_user_id=user_109&limit=10&name=Kim", "second request");
    },
  },
  {
    name: "connections are kept alive, after refusals too",
    async run(bench) {
      const chat = bench.client("unavailable-twice");
      for (let call = 0; call < 10; call++) await get(chat);
      const connections = new Set((await bench.received()).map(({ connection }) => connection));
      // Other cases run at the same time and take connections of the pool.
      holds(connections.size < 6, `${connections.size} connections for 12 requests`);
    },
  },
];

/** A call that must fail in this way, after so many requests. */
function failing(
  name: string,
  script: string,
  call: (chat: ChatClient) => Promise<unknown>,
  expected: Partial<ChatError>,
  count: number,
  options?: Partial<ClientOptions>,
): Case {
  return {
    name: `${name}: ${expected.kind ?? expected.status} after ${count}`,
    async run(bench) {
      await failure(call(bench.client(script, options)), expected);
      await requests(bench, count);
    },
  };
}

/** A call that must succeed, after so many requests. */
function passing(
  name: string,
  script: string,
  call: (chat: ChatClient) => Promise<unknown>,
  count: number,
  options?: Partial<ClientOptions>,
): Case {
  return {
    name: `${name}: succeeds after ${count}`,
    async run(bench) {
      await call(bench.client(script, options));
      await requests(bench, count);
    },
  };
}

/** All that an error holds, on any way of looking at it. */
function showAll(value: unknown, depth = 0): string {
  if (typeof value !== "object" || value === null || depth > 8) return String(value);
  const parts = Reflect.ownKeys(value).map((name) => showAll(Reflect.get(value, name), depth + 1));
  return [String(value), JSON.stringify(value), ...parts].join(" ");
}

import { type ClientOptions, isChatError } from "../../src/index";
import { assert, brief, type Case, create, equal, failure, get, key, remove, requests } from "../case";

/** API keys, which no error contains and which rotate, and idempotency keys. */
export const keys: readonly Case[] = [
  {
    name: "no key in any error, even if the server repeats it",
    async run(tools) {
      const broken: ClientOptions["fetch"] = async (_, { headers }) => {
        throw Object.assign(new Error(`cannot send ${JSON.stringify(headers)}`), { request: { headers } });
      };
      const calls = [
        get(tools.client("echo")),
        get(tools.client("echo-html")),
        get(tools.client("reset", brief)),
        get(tools.client("good", { fetch: broken, maxRetries: 0 })),
        get(tools.client("good", { apiKey: () => Promise.reject(new Error("no key")) })),
        tools.client("echo").users.get("kim_01", { headers: { "x-bad": `${key}\n` } }),
      ].map((call) => Promise.resolve(call).catch((error: unknown) => error));
      for (const error of await Promise.all(calls)) {
        assert(isChatError(error), `an error of the SDK, not ${error}`);
        assert(!showAll(error).includes(key), `a key in ${showAll(error)}`);
      }
    },
  },
  {
    name: "one Idempotency-Key over all attempts of a POST and of a DELETE, another for the next call",
    async run(tools) {
      const chat = tools.client("unavailable-twice");
      await create(chat);
      await create(chat);
      await remove(chat);
      const keys = (await requests(tools, 5)).map(({ headers }) => headers["idempotency-key"]);
      equal(new Set(keys.slice(0, 3)).size, 1, "keys of the first call");
      equal(new Set(keys.filter(Boolean)).size, 3, "keys of three calls");
    },
  },
  {
    name: "one Idempotency-Key over all attempts of a DELETE",
    async run(tools) {
      await remove(tools.client("reset-once"));
      const [first, second] = (await requests(tools, 2)).map(({ headers }) => headers["idempotency-key"]);
      assert(first !== undefined && first === second, `${first} and ${second}`);
    },
  },
  {
    name: "a rotated key: requested once more, and the request is sent again",
    async run(tools) {
      const requested: boolean[] = [];
      const chat = tools.client("rotated", {
        maxRetries: 0,
        apiKey: async ({ refresh }) => {
          requested.push(refresh);
          return refresh ? "new_key" : "old_key";
        },
      });
      equal((await get(chat)).user_id, "kim_01", "the user");
      equal(requested, [false, true], "the requested keys");
      await requests(tools, 2);
    },
  },
  {
    name: "a key that is rejected again: requested once more, then a typed error",
    async run(tools) {
      let requested = 0;
      const chat = tools.client("rotated", { apiKey: () => `old_key_${++requested}` });
      await failure(get(chat), { kind: "api", status: 401, attempts: 2 });
      equal(requested, 2, "the requested keys");
    },
  },
  {
    name: "a key function that returns the same key: the error of the service, and no retry",
    async run(tools) {
      let requested = 0;
      const apiKey = () => {
        requested++;
        return "old_key";
      };
      await failure(get(tools.client("rotated", { apiKey })), { kind: "api", status: 401, attempts: 1 });
      equal(requested, 2, "the requested keys");
      await requests(tools, 1);
    },
  },
  {
    name: "a key function that never returns: the attempt times out",
    async run(tools) {
      const apiKey = ({ refresh }: { refresh: boolean }) =>
        refresh ? new Promise<string>(() => {}) : "old_key";
      const chat = tools.client("rotated", { apiKey, timeoutMs: 1_000, maxRetries: 1 });
      await failure(get(chat), { kind: "timeout", attempts: 2 });
      await requests(tools, 2);
    },
  },
];

/** Everything that an error contains, as one string. */
function showAll(value: unknown, depth = 0): string {
  if (typeof value !== "object" || value === null || depth > 8) return String(value);
  const parts = Reflect.ownKeys(value).map((name) => showAll(Reflect.get(value, name), depth + 1));
  return [String(value), JSON.stringify(value), ...parts].join(" ");
}

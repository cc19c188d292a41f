import { ChatClient } from "../../src/index";
import {
  assert,
  brief,
  type Case,
  create,
  failing,
  failure,
  get,
  key,
  passing,
  quick,
  remove,
  requests,
} from "../case";

const restarting = { maxRetries: 1, maxDowntimeMs: 60_000 };

/** Responses that are broken, late or unexpected, and which requests are then retried. */
export const responses: readonly Case[] = [
  failing("a body that breaks off", "cut", get, { kind: "connection", attempts: 3, retryable: true }, 3),
  failing("a chunked body that breaks off", "cut-chunked", get, { kind: "connection", attempts: 3 }, 3),
  failing("a connection that is reset", "reset-after-head", get, { kind: "connection", attempts: 3 }, 3),
  {
    name: "a connection that is reset before a response: a typed error",
    run: async (tools) => {
      // The number of requests depends on the runtime: some retry by themselves.
      await failure(get(tools.client("reset", brief)), { kind: "connection", attempts: 3, retryable: true });
    },
  },
  failing("a response that is not HTTP", "no-http", get, { kind: "connection", attempts: 3 }, 3, brief),
  failing("a body that stalls", "stall", get, { kind: "timeout", attempts: 3, retryable: true }, 3, quick),
  failing("a server that sends nothing", "silent", get, { kind: "timeout", attempts: 3 }, 3, quick),
  failing("a body that drips", "drip", get, { kind: "timeout", attempts: 3 }, 3, quick),
  failing("500 again and again", "internal", get, { status: 500, code: "internal", attempts: 3 }, 3),
  failing("retries are turned off", "internal", get, { status: 500, attempts: 1 }, 1, { maxRetries: 0 }),
  failing("an invalid request", "invalid", get, { status: 400, code: "invalid_request", attempts: 1 }, 1),
  failing("a conflict without Retry-After", "taken", create, { status: 409, code: "user_exists" }, 1),
  failing("an unknown error code", "new-code", get, { status: 418, code: "tea_only" }, 1),
  failing("Retry-After above the cap", "wait-an-hour", get, { status: 429, retryAfterMs: 3_600_000 }, 1),
  failing("an HTML page", "html", get, { kind: "parse", status: 200, requestId: "req_1" }, 1),
  failing("HTML with 502", "html-502", get, { status: 502, body: "<html>Bad gateway</html>" }, 3, brief),
  failing("JSON that is truncated", "truncated", get, { kind: "parse", body: '{"user_id":"kim_01",' }, 1),
  failing("204 instead of a body", "no-content", get, { kind: "parse", status: 204 }, 1),
  failing("an empty body instead of JSON", "empty", get, { kind: "parse", status: 200 }, 1),
  failing("a wrong content type", "wrong-type", get, { kind: "parse", status: 200 }, 1),
  failing("a JSON string instead of an object", "json-string", get, { kind: "parse" }, 1),
  failing("a redirect, which is not followed", "redirect", get, { kind: "api", status: 302 }, 1),
  failing(
    "a delete of a user that does not exist",
    "not-found",
    remove,
    { status: 404, code: "user_not_found" },
    1,
  ),
  failing("404 after a lost response", "reset-then-404", remove, { status: 404, attempts: 2 }, 2),
  failing("404 after 429", "limited-then-404", remove, { status: 404, attempts: 2 }, 2),
  failing("404 as HTML", "foreign-404", get, { kind: "parse", status: 404, retryable: false }, 1),
  failing("404 as JSON of another service", "foreign-404-json", get, { kind: "parse", status: 404 }, 1),
  failing("409 of another service", "foreign-409", create, { kind: "parse", status: 409 }, 1),
  failing("413 of a proxy", "proxy-413", create, { kind: "api", status: 413 }, 1),
  {
    name: "404 of another web server: the error names the address",
    async run(tools) {
      const { message } = await failure(get(tools.client("foreign-404")), { kind: "parse" });
      assert(/Check the address http:.+\/v1\/users\/kim_01 \(404, request req_1\)/.test(message), message);
    },
  },
  passing("a body that breaks off once", "cut-once", get, 2),
  passing("a chunked body that breaks off once", "cut-chunked-once", get, 2),
  passing("a body that stalls once", "stall-once", get, 2, quick),
  passing("a connection that is reset once", "reset-once", get, 2),
  passing("503 twice", "unavailable-twice", get, 3),
  passing("429 once", "limited-once", get, 2),
  passing("a GET that gets 408 once", "request-timeout-once", get, 2),
  passing("a POST that gets 408 once", "request-timeout-once", create, 2),
  failing("408 again and again", "request-timeout", get, { status: 408, code: "request_timeout" }, 3),
  passing("a conflict with Retry-After", "in-use-once", create, 2),
  passing("an invalid Retry-After", "wait-nonsense", get, 2),
  passing("a header of a gateway with the end of its rate limit", "wait-for-gateway", get, 2),
  passing("unknown fields", "new-fields", get, 1),
  passing("an empty 200 where no body is expected", "empty", remove, 1),
  passing("204 where no body is expected", "no-content", remove, 1),
  {
    name: "a server that resets connections while it restarts: succeeds, whatever maxRetries is",
    // The number of requests depends on the runtime.
    run: async (tools) => {
      await get(tools.client("reset-six", restarting));
    },
  },
  passing("a proxy whose server restarts", "html-502-six", get, 7, restarting),
  {
    name: "a server that cannot be reached, and no retries: fails immediately",
    run: async (tools) => {
      await failure(get(tools.client("no-http", { maxRetries: 0 })), { kind: "connection", attempts: 1 });
    },
  },
  {
    name: "a closed port: a typed error",
    run: async () => {
      const chat = new ChatClient({ baseUrl: "http://127.0.0.1:1024", apiKey: key, maxRetries: 1, ...brief });
      await failure(get(chat), { kind: "connection", attempts: 2, retryable: true });
    },
  },
  {
    name: "an id that would change the URL: rejected, and nothing is sent",
    async run(tools) {
      const chat = tools.client("good");
      for (const id of [
        "../../x?y#z",
        "",
        ".",
        "..",
        "a/b",
        "a%2Fb",
        "kim 01",
        "kim@example.com",
        "kim",
        "Kim_01",
      ]) {
        const { message } = await failure(chat.users.get(id), { kind: "validation" });
        assert(/In the path, user_id: Must be the id of a user: 4 to 80 characters/.test(message), message);
        await failure(chat.channels.members.join(id, "kim_01"), { kind: "validation" });
        await failure(chat.channels.delete(id), { kind: "validation" });
        await failure(chat.exports.messages(id).firstPage(), { kind: "validation" });
      }
      await requests(tools, 0);
    },
  },
  {
    name: "connections are kept alive after error responses",
    async run(tools) {
      const chat = tools.client("not-found-large");
      for (let call = 0; call < 12; call++) await failure(get(chat), { status: 404 });
      const reused = (await tools.received()).filter(({ isReused }) => isReused).length;
      // Other cases run at the same time and take connections of the pool.
      assert(reused >= 6, `${reused} of 12 requests over a used connection`);
    },
  },
];

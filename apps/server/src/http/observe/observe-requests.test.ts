import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import express from "express";
import { afterAll, expect, test } from "vitest";
import { call } from "../../../test/support/call";
import { startServer } from "../../../test/support/server";
import { liveChannel, notificationChannel } from "../../modules/events/numbering/number-store";
import { createLogger } from "../../process/logger";
import { bind } from "../listen/bind";
import { observeRequests } from "./observe-requests";

const server = await startServer({ settings: { MADANG_LOG_OMIT: "users.list,healthz" } });
afterAll(() => server.close());

let count = 0;

/** The log line of a request, which is written when its connection has sent the response. */
async function lineOf(method: string, path: string, sent: Parameters<typeof call>[3] = {}) {
  const id = `request-${count++}`;
  await call(server.url, method, path, { ...sent, headers: { ...sent.headers, "X-Request-Id": id } });
  const find = () => server.logLines.find((line) => line.includes(`"request_id":"${id}"`));
  await expect.poll(find).toBeDefined();
  return JSON.parse(find() ?? "");
}

test("a rejected request has the code of its error", async () => {
  expect(await lineOf("GET", "/v1/users/nobody")).toMatchObject({
    operation: "users.get",
    status: 404,
    code: "user_not_found",
    caller: "master",
    address: "127.0.0.1",
  });
});

test("a line has the route, not the path, which may contain reactions and metadata keys", async () => {
  const secrets = ["secret", encodeURIComponent("비밀")];
  for (const [route, sent] of [
    ["/v1/users/:user_id/meta/:key", "/v1/users/secret/meta/"],
    [
      "/v1/group/channels/:channel_id/messages/:message_id/reactions/:reaction/:user_id",
      "/v1/group/channels/secret/messages/1-1/reactions/",
    ],
  ] as const)
    for (const secret of secrets) {
      const end = route.endsWith("key") ? "" : "/secret";
      const line = await lineOf("DELETE", `${sent}${secret}${end}`);
      expect(line).toMatchObject({ route, status: 404 });
    }
  for (const path of ["/v1/secret", "/secret", "/v1/users/secret%zz"])
    expect(await lineOf("GET", path)).not.toHaveProperty("route");
  expect(server.logLines.join("")).not.toMatch(new RegExp(secrets.join("|")));
});

test("every line has the address of the client", async () => {
  const line = await lineOf("GET", "/v1/users", { key: "wrong" });
  expect(line).toMatchObject({
    operation: "users.list",
    status: 401,
    code: "unauthenticated",
    address: "127.0.0.1",
  });
  expect(line).not.toHaveProperty("caller");
});

test("a variant without a body has the name of the SDK method", async () => {
  const line = await lineOf("POST", "/v1/applications/keys/revoke", { body: { key: "sk_none" } });
  expect(line).toMatchObject({ operation: "keys.delete", code: "key_not_found" });
});

test("successful requests of omitted operations are not logged, rejected ones are", async () => {
  for (const path of ["/v1/users", "/healthz"]) await call(server.url, "GET", path);
  await lineOf("GET", "/v1/users?limit=1");
  await lineOf("GET", "/readyz");
  const operations = server.logLines
    .map((line) => JSON.parse(line))
    .map(({ operation, status }) => [operation, status]);
  expect(operations).toContainEqual(["users.list", 400]);
  expect(operations).toContainEqual(["readyz", 200]);
  expect(operations).not.toContainEqual(["users.list", 200]);
  expect(operations).not.toContainEqual(["healthz", 200]);
});

test("docs/observing.md lists the fields of a line", async () => {
  const { body: key } = await call(server.url, "POST", "/v1/applications/keys", { body: { label: "bot" } });
  const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  const line = await lineOf("GET", "/v1/users/nobody", { key: key.key, headers: { traceparent } });
  const page = await readFile(new URL("../../../../../docs/observing.md", import.meta.url), "utf8");
  const [, table = ""] = page.split("| field | content |");
  const listed = [...table.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(
    ([, cell = ""]) => cell.match(/\w+/g) ?? [],
  );
  expect(listed).toEqual(expect.arrayContaining(Object.keys(line).filter((name) => !ofPino.has(name))));
  // Those of a user and of a connection that closed early.
  expect(listed.filter((name) => !(name in line))).toEqual(["acting_user_id", "is_cut"]);
});

const ofPino = new Set(["level", "time", "msg"]);

const fail = (): never => {
  throw new Error("A bug in an observer.");
};

test("an observer that throws ends neither a request nor the process", async () => {
  const app = express();
  let observed = 0;
  const failLater = (): never => {
    observed += 1;
    return fail();
  };
  const logger = Object.assign(Object.create(createLogger("silent")), { info: failLater, error: failLater });
  const metrics = { observeRequest: failLater, countCaller: failLater, countRejection: failLater };
  const endingSpan = { traceId: "1", run: (work: () => void) => work(), end: failLater };
  for (const [path, startRequest] of [
    ["/span", () => endingSpan],
    ["/start", failLater],
  ] as const)
    app.use(
      path,
      observeRequests({ logger, metrics, unloggedOperations: new Set(), tracer: { startRequest } }),
    );
  app.use((_request, response) => void response.json({}));
  const http = createServer(app);
  const url = await bind(http, { PORT: 0, HOST: "127.0.0.1" });
  for (const path of ["/span", "/start"]) expect((await fetch(url + path)).status).toBe(200);
  // Of the first request the line, the metrics and the span; of the second one its start instead of the span. Each is reported.
  await expect.poll(() => observed).toBe(12);
  http.close();
});

test("neither an observer of statements that throws nor an unknown notification has an effect", async () => {
  const observed = await startServer({ onStatement: fail });
  // A server that has just started does not hear notifications at once.
  await expect
    .poll(async () => {
      for (const channel of [notificationChannel, liveChannel])
        for (const payload of ["{", '[["signal-event",null]]', "null"])
          await observed.db.query({ name: "test.notify", text: "SELECT pg_notify($1, $2)" }, [
            channel,
            payload,
          ]);
      return observed.logLines.some((line) => line.includes("a notification was not understood"));
    })
    .toBe(true);
  expect((await call(observed.url, "GET", "/v1/users")).status).toBe(200);
  expect(observed.logLines.join("")).toContain("a statement could not be observed");
  await observed.close();
});

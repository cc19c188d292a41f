import { afterEach, beforeEach, expect, test } from "vitest";
import { call } from "../../../test/support/call";
import { connectTo, createDatabase } from "../../../test/support/database";
import { startServerOn, type TestServer } from "../../../test/support/server";
import type { Database } from "../../db/db";
import { createCredentialLimit } from "./credential-limit";

let database: Awaited<ReturnType<typeof createDatabase>>;
let counts: Database;
let servers: TestServer[];
beforeEach(async () => {
  database = await createDatabase();
  counts = connectTo(database.url);
  servers = [];
});
afterEach(async () => {
  for (const server of servers) await server.close();
  await counts.close();
  await database.drop();
});

/** Starts a server like that of another process: on the same database, with its own state in memory. */
async function start(requests: number, seconds: number): Promise<TestServer> {
  const settings = { MADANG_RATE_LIMIT: `${requests}/${seconds}s` };
  const server = await startServerOn(database.url, { settings });
  servers.push(server);
  return server;
}

test("concurrent requests to two processes do not exceed the limit", async () => {
  const urls = [(await start(10, 60)).url, (await start(10, 60)).url];
  const replies = await Promise.all(
    Array.from({ length: 40 }, (_, index) => call(urls[index % 2] ?? "", "GET", "/v1/users")),
  );
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(10);
  const rejected = replies.filter(({ status }) => status === 429);
  expect(rejected).toHaveLength(30);
  for (const { body, headers } of rejected) {
    expect(body.code).toBe("rate_limited");
    expect(Number(headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(headers.get("RateLimit")).toMatch(/^"default";r=0;t=\d+$/);
  }
});

test("every counted response has the remaining requests, and the next window starts with a full limit", async () => {
  const { url } = await start(2, 3);
  const first = await call(url, "GET", "/v1/users");
  expect(first.headers.get("RateLimit-Policy")).toBe('"default";q=2;w=3');
  expect(first.headers.get("RateLimit")).toMatch(/^"default";r=1;t=[123]$/);
  await call(url, "GET", "/v1/users");
  expect((await call(url, "GET", "/v1/users")).status).toBe(429);
  await expect.poll(async () => (await call(url, "GET", "/v1/users")).status).toBe(200);
});

test("a window that a wrong clock moved into the future lasts no longer than a new one", async () => {
  const { url } = await start(2, 3);
  await counts.query({
    name: "test.put-window",
    text: `INSERT INTO rate_limits (key, points, expire)
      VALUES ('master', 9, (extract(epoch FROM now()) * 1000)::bigint + 3600000)`,
  });
  const rejected = await call(url, "GET", "/v1/users");
  expect(rejected.status).toBe(429);
  expect(Number(rejected.headers.get("Retry-After"))).toBeLessThanOrEqual(3);
  await expect.poll(async () => (await call(url, "GET", "/v1/users")).status).toBe(200);
});

test("only windows that ended long ago are removed", async () => {
  const limit = createCredentialLimit(counts, { requests: 2, seconds: 60 });
  await limit.take("used");
  await counts.query({
    name: "test.put-old-window",
    text: "INSERT INTO rate_limits (key, points, expire) VALUES ('unused', 9, 1)",
  });
  await limit.sweep();
  const left = await counts.query<{ key: string }>({
    name: "test.windows",
    text: "SELECT key FROM rate_limits",
  });
  expect(left).toEqual([{ key: "used" }]);
});

test("each key has its own limit, and health checks have none", async () => {
  const { url } = await start(2, 60);
  const { body: sub } = await call(url, "POST", "/v1/applications/keys");
  await call(url, "GET", "/v1/users");
  expect((await call(url, "GET", "/v1/users")).status).toBe(429);
  expect((await call(url, "GET", "/v1/users", { key: sub.key })).status).toBe(200);
  const health = await call(url, "GET", "/healthz");
  expect(health.status).toBe(200);
  expect(health.headers.has("RateLimit")).toBe(false);
});

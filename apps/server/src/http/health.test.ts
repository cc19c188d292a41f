import { afterAll, expect, test } from "vitest";
import { call } from "../../test/support/call";
import { createDatabase } from "../../test/support/database";
import { startPostgresProxy } from "../../test/support/postgres-proxy";
import { startServerOn } from "../../test/support/server";

const probes: string[] = [];
let isStopping = false;
const database = await createDatabase();
const proxied = await startPostgresProxy(database.url);
const proxy = proxied.proxy;
const server = await startServerOn(proxied.url, {
  isStopping: () => isStopping,
  connectTimeoutMs: 500,
  onStatement: (name) => name === "health.probe" && probes.push(name),
});
afterAll(async () => {
  await server.close();
  await proxy.close();
  await database.drop();
});

const ready = () => call(server.url, "GET", "/readyz");

test("100 concurrent requests share one database probe per second", async () => {
  const startedAt = performance.now();
  const replies = await Promise.all(Array.from({ length: 100 }, ready));
  const seconds = (performance.now() - startedAt) / 1_000;
  expect(replies.map(({ status }) => status)).toEqual(Array(100).fill(200));
  expect(probes.length).toBeGreaterThan(0);
  expect(probes.length).toBeLessThanOrEqual(1 + seconds);
});

test("while the server is stopping, it is not ready, but healthy", async () => {
  isStopping = true;
  expect(await ready()).toMatchObject({ status: 503, body: { reason: "The server is stopping." } });
  expect((await call(server.url, "GET", "/healthz")).status).toBe(200);
  isStopping = false;
});

test("an unavailable database is logged in one line without a stack, and its recovery is noticed", async () => {
  proxy.set({ onRequest: (_bytes, link) => void link.cut() });
  await expect.poll(async () => (await ready()).status).toBe(503);
  const lines = server.logLines.filter((line) => line.includes('"msg":"not ready"'));
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) {
    expect(JSON.parse(line)).toMatchObject({ level: 40, reason: expect.stringMatching(/./) });
    expect(line).not.toMatch(/stack|node_modules/);
  }
  proxy.set({});
  await expect.poll(async () => (await ready()).status).toBe(200);
});

import { afterAll, expect, test } from "vitest";
import { call } from "../../test/support/call";
import { createDatabase } from "../../test/support/database";
import { startPostgresProxy } from "../../test/support/postgres-proxy";
import { startServerOn } from "../../test/support/server";

let isStopping = false;
const database = await createDatabase();
const { proxy, url } = await startPostgresProxy(database.url);
const server = await startServerOn(url, { isStopping: () => isStopping, connectTimeoutMs: 3_000 });
afterAll(async () => {
  await server.close();
  await proxy.close();
  await database.drop();
});

const statusOf = async (path: string) => (await call(server.url, "GET", path)).status;

test("without a database, the server stays ready: it responds with 503 and Retry-After itself", async () => {
  proxy.set({ onRequest: (_bytes, link) => void link.cut() });
  await expect.poll(() => statusOf("/v1/users")).toBe(503);
  expect(await statusOf("/readyz")).toBe(200);
  expect((await call(server.url, "GET", "/v1/users")).headers.get("Retry-After")).toBe("1");
  proxy.set({});
});

test("while the server is stopping, it is not ready, but healthy", async () => {
  expect(await statusOf("/readyz")).toBe(200);
  isStopping = true;
  expect(await call(server.url, "GET", "/readyz")).toMatchObject({
    status: 503,
    body: { reason: "The server is stopping." },
  });
  expect(await statusOf("/healthz")).toBe(200);
  isStopping = false;
});

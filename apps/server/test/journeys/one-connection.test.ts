import { operations } from "@madang/contract";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { withConnection } from "../../src/db/connection/with-connection";
import { call } from "../support/call";
import { changing, SharedChanges } from "../support/changes";
import { createDatabase } from "../support/database";
import { startServer, startServerOn, type TestServer } from "../support/server";

/** With one connection, a transaction that needs a second one waits for itself. */
let server: TestServer;
beforeAll(async () => {
  server = await startServer({ maxConnections: 1, connectTimeoutMs: 20_000, hasBackgroundTasks: true });
});
afterAll(() => server.close());

test("test/support/changes.ts calls every operation that changes something", () => {
  expect(new SharedChanges("none").listMissing()).toEqual([]);
});

test("every operation responds with one connection, and every background job ends", async () => {
  const changes = new SharedChanges("one");
  await changes.createAll(server.url);
  for (const [index, id] of changing.entries()) await changes.make(server.url, id, index);
  const ids = { channel_id: "room_0", user_id: "user_0", key: "a", reaction: "a" };
  const failures: string[] = [...changes.listFailures()];
  for (const { id, route } of operations.filter(({ route }) => route.method === "GET")) {
    const path = route.path.replace(/:(\w+)/g, (_, name: string) => Object(ids)[name] ?? "none");
    const { status } = await call(server.url, "GET", path);
    if (status >= 500) failures.push(`${id} ${status}`);
  }
  expect(failures).toEqual([]);
  await expect.poll(countUnfinished).toBe(0);
  expect(server.logLines.filter((line) => line.includes('"level":50'))).toEqual([]);
});

/** What the background jobs have yet to remove. */
const countUnfinished = () =>
  withConnection(server.databaseUrl, async (client) => {
    const { rowCount } = await client.query(
      `SELECT FROM channels WHERE deleted_at IS NOT NULL UNION ALL SELECT FROM users WHERE needs_sweep
      UNION ALL SELECT FROM erasures WHERE status = 'running'`,
    );
    return rowCount;
  });

test("a start does not wait for the background: with one connection, it has the first turn", async () => {
  const database = await createDatabase();
  onTestFinished(database.drop);
  const other = new pg.Client({ connectionString: database.url });
  await other.connect();
  await other.query("BEGIN; LOCK TABLE ended_sessions");
  const server = await startServerOn(database.url, {
    maxConnections: 1,
    connectTimeoutMs: 5_000,
    hasBackgroundTasks: true,
  }).finally(() => other.end());
  await server.close();
});

import { afterAll, expect, test } from "vitest";
import { call } from "../../test/support/call";
import { createDatabase } from "../../test/support/database";
import { startServerOn } from "../../test/support/server";
import { withConnection } from "../db/connection/with-connection";

const database = await createDatabase();
const server = await startServerOn(database.url);
afterAll(async () => {
  await server.close();
  await database.drop();
});

test("when PostgreSQL restarts, the idle connections that it closes are one line without a stack", async () => {
  await Promise.all(Array.from({ length: 10 }, () => call(server.url, "GET", "/v1/users")));
  // What a stopping PostgreSQL does to each connection.
  await withConnection(database.url, (client) =>
    client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'madang'`),
  );
  const listLines = () => server.logLines.filter((line) => line.includes("idle connection"));
  await expect.poll(() => listLines().length).toBeGreaterThan(0);
  const [line = "", ...others] = listLines();
  expect(others).toEqual([]);
  const reason = "terminating connection due to administrator command";
  expect(JSON.parse(line)).toMatchObject({ level: 40, reason, count: expect.any(Number) });
  expect(JSON.parse(line).count).toBeGreaterThan(1);
  expect(line).not.toMatch(/stack|node_modules/);
});

test("a slow statement names the request and the key for which it ran", async () => {
  const slow = await startServerOn(database.url, { settings: { MADANG_SLOW_STATEMENT_MS: "0" } });
  const { body } = await call(slow.url, "POST", "/v1/applications/keys", { body: { label: "reader" } });
  await call(slow.url, "GET", "/v1/users", { key: body.key, headers: { "x-request-id": "slow-1" } });
  const lines = slow.logLines
    .map((line) => JSON.parse(line))
    .filter(({ msg, request_id: id }) => msg === "slow statement" && id === "slow-1");
  expect(lines.find(({ statement }) => statement === "users.list")).toMatchObject({
    duration_ms: expect.any(Number),
    caller: "sub",
    key_id: expect.any(String),
    key_label: "reader",
  });
  await slow.close();
});

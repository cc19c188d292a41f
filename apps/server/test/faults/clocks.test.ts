import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "../support/call";
import { createDatabase } from "../support/database";
import { report, scale } from "../support/report";
import { startServerOn, type TestServer } from "../support/server";
import { startProcess } from "./process";

const aheadMs = 30 * 86_400_000;
/** Runs before the server's program. */
const shiftClock = `const { now } = Date; Date.now = () => now() + ${aheadMs};`;
const path = "/v1/group/channels/room_1/messages";

let database: Awaited<ReturnType<typeof createDatabase>>;
let server: TestServer;
beforeAll(async () => {
  database = await createDatabase();
  server = await startServerOn(database.url);
  await call(server.url, "POST", "/v1/users", { body: { user_id: "kim_01", name: "Kim" } });
  const body = { channel_id: "room_1", name: "Lunch", members: ["kim_01"] };
  await call(server.url, "POST", "/v1/group/channels", { body });
});
afterAll(async () => {
  await server.close();
  await database.drop();
});

const countRows = {
  name: "test.count",
  text: `SELECT (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM idempotency_keys) AS keys,
    (SELECT count(*) FROM messages) AS messages`,
};

async function count() {
  const [row] = await server.db.query<{ events: number; keys: number; messages: number }>(countRows);
  return row;
}

test("a process whose clock is 30 days ahead removes no events and idempotency keys of the others, and repeats none of their requests", async () => {
  const sent = scale(50, 2_000);
  const send = (url: string, index: number) =>
    call(url, "POST", path, {
      body: { user_id: "kim_01", type: "text", content: `${index}` },
      idempotencyKey: `key-${index}`,
    });
  for (let index = 0; index < sent; index++) expect((await send(server.url, index)).status).toBe(201);
  await call(server.url, "GET", "/v1/events?after=latest");
  const before = await count();
  // What every process must remove: its removal shows that the sweepers of the other process have run.
  await server.db.query({
    name: "test.expire",
    text: `INSERT INTO idempotency_keys (caller, key, fingerprint, created_at, result) VALUES ('none', 'old', '', 0, '[]')`,
  });
  const findExpired = { name: "test.expired", text: "SELECT FROM idempotency_keys WHERE created_at = 0" };
  const ahead = await startProcess(database.url, {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(shiftClock)}`,
  });
  await expect.poll(() => server.db.query(findExpired)).toEqual([]);
  // The retries of its clients do not take effect again.
  for (let index = 0; index < sent; index++)
    expect((await send(ahead.url, index)).headers.get("Idempotent-Replayed")).toBe("true");
  await ahead.end("SIGTERM");
  const after = await count();
  await report({
    fault: `a process whose clock is 30 days ahead: ${before?.events} events before, ${after?.events} after; ${before?.keys} idempotency keys before, ${after?.keys} after; each request repeated there`,
    load: "2 processes",
    sent,
    acknowledged: sent,
    lost: Math.max(0, sent - (after?.messages ?? 0)),
    duplicated: Math.max(0, (after?.messages ?? 0) - sent),
    wrong: 0,
    maxOutageMs: undefined,
  });
  expect(after).toEqual(before);
});

import { afterAll, expect, test } from "vitest";
import { sweepIdempotencyKeys } from "../../src/write/idempotency-store";
import { call, callPatiently } from "../support/call";
import { createDatabase } from "../support/database";
import { report, scale } from "../support/report";
import { startServerOn } from "../support/server";
import { startProcess } from "./process";

const hourMs = 3_600_000;
const path = "/v1/group/channels/room_1/messages";

const database = await createDatabase();
const server = await startServerOn(database.url);
await call(server.url, "POST", "/v1/users", { body: { user_id: "kim_01", name: "Kim" } });
const body = { channel_id: "room_1", name: "Lunch", members: ["kim_01"] };
await call(server.url, "POST", "/v1/group/channels", { body });
afterAll(async () => {
  await server.close();
  await database.drop();
});

/** Starts a process with a wrong clock. */
function startShifted(ms: number) {
  // Runs before the server's program.
  const shiftClock = `const { now } = Date; Date.now = () => now() + ${ms};`;
  return startProcess(database.url, {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(shiftClock)}`,
  });
}

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
    callPatiently(url, "POST", path, {
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
  const ahead = await startShifted(30 * 24 * hourMs);
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
  });
  expect(after).toEqual(before);
});

test("a request to a process whose clock is 25 hours behind takes effect once, wherever it is repeated", async () => {
  const behind = await startShifted(-25 * hourMs);
  const requests = Array.from({ length: scale(10, 200) }, (_, index) => [
    { path, body: { user_id: "kim_01", type: "text", content: `behind ${index}` } },
    { path: "/v1/users", body: { user_id: `late_${index}`, name: "Late" } },
    {
      path: "/v1/group/channels",
      body: { channel_id: `late_${index}`, name: "Late", members: ["kim_01"], reuse: false },
    },
  ]).flat();
  const send = (url: string, { path, body }: (typeof requests)[number], index: number) =>
    callPatiently(url, "POST", path, { body, idempotencyKey: `behind-${index}` });
  // Alone, and in batches.
  for (const [index, request] of requests.slice(0, 3).entries())
    expect((await send(behind.url, request, index)).status).toBe(201);
  await Promise.all(requests.map((request, index) => send(behind.url, request, index)));
  while (await sweepIdempotencyKeys(server.db));
  for (const url of [server.url, behind.url]) {
    const replies = await Promise.all(requests.map((request, index) => send(url, request, index)));
    for (const { headers } of replies) expect(headers.get("Idempotent-Replayed")).toBe("true");
  }
  await behind.end("SIGTERM");
});

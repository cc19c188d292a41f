import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { call, type Reply } from "../../support/call";
import { checkData } from "../../support/check-data";
import { createDatabase } from "../../support/database";
import { startPostgresProxy } from "../../support/postgres-proxy";
import { expectWithinIfLong, report, rowOf, scale } from "../../support/report";
import { startServerOn, type TestServer } from "../../support/server";
import type { Link, TcpProxy } from "../../support/tcp-proxy";
import { untilBlocking } from "../../support/until-blocking";
import { loadChannels, loadUsers, prepareLoad, startLoad } from "../load";

const writers = 8;
let database: Awaited<ReturnType<typeof createDatabase>>;
let proxy: TcpProxy;
let server: TestServer;
let administrator: pg.Client;
let run = 0;
beforeAll(async () => {
  database = await createDatabase();
  const proxied = await startPostgresProxy(database.url);
  proxy = proxied.proxy;
  server = await startServerOn(proxied.url, {
    settings: { MADANG_STATEMENT_TIMEOUT_MS: "1000" },
    connectTimeoutMs: 1_000,
  });
  await prepareLoad(server.url);
  administrator = new pg.Client({ connectionString: database.url });
  await administrator.connect();
});
beforeEach(() => proxy.set({}));
afterAll(async () => {
  await administrator.end();
  await server.close();
  await proxy.close();
  await database.drop();
});

const path = `/v1/group/channels/${loadChannels[0]}/messages`;

function send(content: string, idempotencyKey?: string): Promise<Reply> {
  const body = { user_id: loadUsers[0], type: "text", content };
  return call(server.url, "POST", path, {
    body,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  });
}

async function countStored(content: string): Promise<number> {
  const { rows } = await administrator.query("SELECT 1 FROM messages WHERE content = $1", [content]);
  return rows.length;
}

test.each([
  { fault: "each PostgreSQL response 20 ms late", onResponse: delayResponse },
  { fault: "each PostgreSQL response byte by byte", onResponse: sendByteByByte },
])("$fault: nothing is lost, duplicated or wrong", async ({ fault, onResponse }) => {
  proxy.set({ onResponse });
  const load = startLoad({ url: () => server.url, writers, run: `s${run++}` });
  await sleep(scale(1_000, 30_000));
  await load.stop();
  proxy.set({});
  const check = await checkData(database.url, load);
  await report(rowOf(fault, writers, load, check));
  expect(load.acknowledged()).toBeGreaterThan(10);
  expect({ ...check, wrong: load.wrong }).toEqual({ lost: 0, duplicated: 0, violations: [], wrong: [] });
});

test("connections reset at random: no 2xx without its row, and nothing duplicated", async () => {
  proxy.set({ onResponse: (bytes, link) => (Math.random() < 0.02 ? void link.cut() : bytes) });
  const load = startLoad({ url: () => server.url, writers, run: `s${run++}` });
  await sleep(scale(1_500, 30_000));
  await load.stop();
  proxy.set({});
  const check = await checkData(database.url, load);
  await report(rowOf("connections to PostgreSQL reset at random", writers, load, check));
  expect({ ...check, wrong: load.wrong }).toEqual({ lost: 0, duplicated: 0, violations: [], wrong: [] });
});

const cuts = [
  ...Array.from({ length: 13 }, (_, bytes) => ({ side: "of the request to", bytes })),
  ...Array.from({ length: 24 }, (_, bytes) => ({ side: "of the response from", bytes })),
];

test("a connection cut after each byte of a keyed send: no 2xx without its row, and a retry gets the result", async () => {
  const known = new Set<number>();
  let acknowledged = 0;
  for (const { side, bytes } of cuts) {
    const content = `commit-${side.replaceAll(" ", "-")}-${bytes}`;
    let sending: Link | undefined;
    let isDone = false;
    proxy.set({
      onRequest(sent, link) {
        if (isDone || !sent.includes("messages.send")) return sent;
        sending = link;
        if (side === "of the response from") return sent;
        isDone = true;
        link.server.write(sent.subarray(0, bytes), () => link.cut());
        return undefined;
      },
      onResponse(received, link) {
        if (link !== sending || isDone) return received;
        isDone = true;
        link.client.write(received.subarray(0, bytes), () => link.cut());
        return undefined;
      },
    });
    const { status } = await send(content, content);
    known.add(status);
    await sleep(5);
    const stored = await countStored(content);
    if (status === 201) expect(stored).toBe(1);
    else expect(status).toBe(503);
    proxy.set({});
    const repeated = await send(content, content);
    expect(repeated.status).toBe(201);
    expect(repeated.headers.has("Idempotent-Replayed")).toBe(stored === 1);
    expect(await countStored(content)).toBe(1);
    acknowledged++;
  }
  expect(known).toContain(503);
  await report({
    fault: "connection cut at each byte of a keyed send",
    load: "1 writer",
    sent: 2 * cuts.length,
    acknowledged,
  });
});

test("100 requests blocked by one lock: health checks respond, and every request gets a response in time", async () => {
  await administrator.query("BEGIN");
  await administrator.query("SELECT 1 FROM channels WHERE channel_id = $1 FOR UPDATE", [loadChannels[0]]);
  const startedAt = performance.now();
  const blocked = Promise.all(Array.from({ length: 100 }, (_, index) => send(`blocked ${index}`)));
  await sleep(100);
  const healthMs: number[] = [];
  for (let count = 0; count < 20; count++) {
    const sentAt = performance.now();
    expect((await call(server.url, "GET", "/healthz")).status).toBe(200);
    healthMs.push(performance.now() - sentAt);
  }
  const others = await Promise.all(
    ["/v1/users", "/v1/users/crowd_a"].map((read) => call(server.url, "GET", read)),
  );
  for (const { status } of others) expect([200, 503]).toContain(status);
  const replies = await blocked;
  const tookMs = performance.now() - startedAt;
  await administrator.query("ROLLBACK");
  for (const { status, headers } of replies) {
    expect(status).toBe(503);
    expect(headers.get("Retry-After")).toBe("1");
  }
  expectWithinIfLong(50, healthMs.toSorted((a, b) => a - b)[10] ?? Number.NaN);
  expectWithinIfLong(5_000, tookMs);
  expect((await send("unblocked")).status).toBe(201);
});

test("a request that PostgreSQL aborts because of a deadlock is retried and succeeds", async () => {
  await call(server.url, "POST", "/v1/users", { body: { user_id: "dead_1", name: "Dead" } });
  const slowServer = await startServerOn(database.url, { settings: { MADANG_STATEMENT_TIMEOUT_MS: "5000" } });
  await administrator.query("SET deadlock_timeout = '10s'");
  await administrator.query("BEGIN");
  await administrator.query("SELECT 1 FROM channels WHERE channel_id = $1 FOR UPDATE", [loadChannels[1]]);
  const joined = call(slowServer.url, "PUT", `/v1/group/channels/${loadChannels[1]}/join`, {
    body: { member: "dead_1" },
  });
  await untilBlocking(async (sql) => (await administrator.query(sql)).rows);
  await administrator.query("SELECT 1 FROM users WHERE user_id = 'dead_1' FOR UPDATE");
  await administrator.query("COMMIT");
  expect((await joined).status).toBe(200);
  const { rows } = await administrator.query<{ deadlocks: string }>(
    "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()",
  );
  expect(Number(rows[0]?.deadlocks)).toBeGreaterThan(0);
  await slowServer.close();
});

test("a serialisation failure is retried, with and without an idempotency key", async () => {
  await administrator.query(`CREATE SEQUENCE faults;
    CREATE FUNCTION fail_every_other() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('faults') % 2 = 1 THEN RAISE EXCEPTION 'try again' USING ERRCODE = '40001'; END IF;
      RETURN NEW; END $$;
    CREATE TRIGGER fail BEFORE INSERT ON messages FOR EACH ROW EXECUTE FUNCTION fail_every_other()`);
  expect((await send("serialised alone")).status).toBe(201);
  expect((await send("serialised as one", "serialised")).status).toBe(201);
  expect(await countStored("serialised alone")).toBe(1);
  expect(await countStored("serialised as one")).toBe(1);
  await administrator.query("DROP TRIGGER fail ON messages");
});

function delayResponse(
  bytes: Buffer,
  { client }: { client: { write(bytes: Buffer): unknown; writable: boolean } },
): undefined {
  setTimeout(() => client.writable && client.write(bytes), 20);
}

function sendByteByByte(bytes: Buffer, { client }: { client: { write(bytes: Buffer): unknown } }): undefined {
  for (const byte of bytes) client.write(Buffer.of(byte));
}

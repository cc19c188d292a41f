import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import pg from "pg";
import pino from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { connect } from "../../src/db/connect";
import type { Db } from "../../src/db/db";
import { maxLagMs } from "../../src/db/replica/min-position";
import { pauseMs } from "../../src/db/replica/outage";
import { createPageSource, type ReplicaOutcome } from "../../src/db/replica/page-source";
import { findLogPosition, hasReached } from "../../src/db/replica/store";
import { requireSecret } from "../../src/db/secrets";
import { createCursors } from "../../src/paging/cursor";
import { call } from "../support/call";
import { report, scale } from "../support/report";
import { startServerOn, type TestServer } from "../support/server";
import { type Cluster, startCluster, startReplica } from "./cluster";
import { startProcess } from "./process";

const exportPath = "/v1/exports/group/channels/room/messages";
const lists = [
  { name: "users", path: "/v1/users", limit: 5 },
  { name: "channels", path: "/v1/group/channels", limit: 5 },
  { name: "messages", path: exportPath, limit: 100 },
] as const;
type ListName = (typeof lists)[number]["name"];

let primary: Cluster;
let replica: Cluster;
let writer: pg.Client;
let server: TestServer;
let outcomes: ReplicaOutcome[];
let log: string[];
/** The tests set the time. */
let clock = 0;
const opened: Db[] = [];

function open(url: string): Db {
  const limits = { maxConnections: 5, statementTimeoutMs: 3_000, connectTimeoutMs: 5_000 };
  const db = connect({ url, ...limits, onIdleError: () => undefined });
  opened.push(db);
  return db;
}

/** A server that writes to one database and may read pages from another. */
async function serve(primaryUrl: string, replicaUrl: string): Promise<TestServer> {
  const logger = pino({ level: "info" }, { write: (line: string) => void log.push(line) });
  const pages = createPageSource({
    primary: open(primaryUrl),
    replica: open(replicaUrl),
    now: () => clock,
    logger,
    onOutcome: (outcome) => outcomes.push(outcome),
  });
  return startServerOn(primaryUrl, { pages });
}

const queryReplica = (sql: string, values: unknown[] = []) => query(replica.directUrl(), sql, values);

async function query(url: string, sql: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(sql, values)).rows[0];
  } finally {
    await client.end();
  }
}

/** Waits until the replica has replayed the primary's log. The additional transaction flushes the log. */
async function catchUp(): Promise<void> {
  await queryReplica("SELECT pg_wal_replay_resume()");
  await writer.query("SELECT pg_logical_emit_message(true, 'test', 'now')");
  const { rows } = await writer.query("SELECT pg_current_wal_flush_lsn()::text AS lsn");
  for (;;) {
    const sql = "SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS is_done";
    const state = await queryReplica(sql, [rows[0].lsn]).catch(() => undefined);
    if (state?.is_done === true) return;
    await sleep(20);
  }
}

async function pauseReplay(): Promise<void> {
  await queryReplica("SELECT pg_wal_replay_pause()");
  for (;;) {
    const { state } = await queryReplica("SELECT pg_get_wal_replay_pause_state() AS state");
    if (state === "paused") return;
    // The replica checks for a pause between two records, so it gets another one.
    await writer.query("SELECT pg_logical_emit_message(true, 'test', 'now')");
    await sleep(20);
  }
}

const insertUsers = (ids: readonly string[], time: number) =>
  writer.query(
    `INSERT INTO users (user_id, name, created_at, updated_at) SELECT id, 'First', $2, $2 FROM unnest($1::text[]) AS id`,
    [ids, time],
  );
const insertChannels = (ids: readonly string[], time: number) =>
  writer.query(
    `INSERT INTO channels (channel_id, name, created_at, updated_at) SELECT id, 'Room', $2, $2 FROM unnest($1::text[]) AS id`,
    [ids, time],
  );
const insertMessages = (ids: readonly string[], time: number) =>
  writer.query(
    `INSERT INTO messages (channel_pk, sender_pk, type, content, created_at, updated_at)
     SELECT c.pk, u.pk, 'text', id, $2, $2 FROM unnest($1::text[]) AS id, channels c, users u
     WHERE channel_id = 'room' AND user_id = 'sender'`,
    [ids, time],
  );
const insert = { users: insertUsers, channels: insertChannels, messages: insertMessages };
const remove = {
  users: (id: string) => writer.query("UPDATE users SET deleted_at = 1 WHERE user_id = $1", [id]),
  channels: (id: string) => writer.query("UPDATE channels SET deleted_at = 1 WHERE channel_id = $1", [id]),
  messages: (id: string) => writer.query("DELETE FROM messages WHERE content = $1", [id]),
};
const idsOf = (count: number, prefix: string) => Array.from({ length: count }, (_, at) => `${prefix}_${at}`);

interface Page {
  readonly ids: readonly string[];
  readonly next: string | undefined;
  readonly body: ReturnType<typeof JSON.parse>;
}

async function readPage(url: string, name: ListName, next?: string): Promise<Page> {
  const list = lists.find((one) => one.name === name) ?? lists[0];
  const query = next === undefined ? `limit=${list.limit}` : `next=${encodeURIComponent(next)}`;
  const { status, body } = await call(url, "GET", `${list.path}?${query}`);
  expect(status).toBe(200);
  const ids = body[name].map(
    (one: Record<string, string>) => one.content ?? one[name === "users" ? "user_id" : "channel_id"],
  );
  return { ids, next: body.next, body };
}

/** Reads a list to its end, and calls `between` before each page after the first. */
async function walk(name: ListName, between: (page: number) => Promise<unknown>): Promise<string[]> {
  const first = await readPage(server.url, name);
  const seen = [...first.ids];
  let { next } = first;
  for (let page = 1; next !== undefined; page += 1) {
    await between(page);
    const read: Page = await readPage(server.url, name, next);
    seen.push(...read.ids);
    next = read.next;
  }
  return seen;
}

/** Makes the server cache the primary's position, so that later only the cursors determine what a replica must have. */
async function cachePosition(): Promise<void> {
  const { next } = await readPage(server.url, "users");
  await readPage(server.url, "users", next);
  await catchUp();
  outcomes.length = 0;
}

beforeAll(async () => {
  primary = await startCluster();
  replica = await startReplica(primary);
  writer = new pg.Client({ connectionString: primary.directUrl() });
  await writer.connect();
});
beforeEach(async () => {
  outcomes = [];
  log = [];
  clock = 0;
  await writer.query("TRUNCATE channels, users CASCADE");
  await insertUsers(["sender"], 0);
  await insertChannels(["room"], 0);
  await insertUsers(idsOf(23, "user"), 5);
  await insertChannels(idsOf(23, "chan"), 5);
  await insertMessages(idsOf(350, "text"), 5);
  await catchUp();
  server = await serve(primary.url, replica.url);
});
afterEach(async () => {
  await server.close();
  for (const db of opened.splice(0)) await db.close();
});
afterAll(async () => {
  await writer.end();
  await replica.close();
  await primary.close();
});

const allIds = {
  users: [...idsOf(23, "user").toReversed(), "sender"],
  channels: [...idsOf(23, "chan").toReversed(), "room"],
  messages: idsOf(350, "text").toReversed(),
};

test.each(lists)(
  "$name: all pages except the first come from the replica, with each row once",
  async ({ name }) => {
    await cachePosition();
    expect(await walk(name, catchUp)).toEqual(allIds[name]);
    expect(outcomes.length).toBeGreaterThanOrEqual(3);
    expect(new Set(outcomes)).toEqual(new Set(["replica"]));
  },
);

test("a replica that is behind a cursor does not serve its page", async () => {
  await cachePosition();
  await pauseReplay();
  await insertUsers(idsOf(20, "more"), 4);
  await insertChannels(idsOf(20, "chann"), 4);
  await insertMessages(idsOf(200, "more"), 4);
  const expected = {
    users: allIds.users.toSpliced(-1, 0, ...idsOf(20, "more").toReversed()),
    channels: allIds.channels.toSpliced(-1, 0, ...idsOf(20, "chann").toReversed()),
    messages: [...allIds.messages, ...idsOf(200, "more").toReversed()],
  };
  for (const { name } of lists) expect(await walk(name, async () => undefined)).toEqual(expected[name]);
  expect(new Set(outcomes)).toEqual(new Set(["behind"]));
  await catchUp();
  expect(await walk("users", catchUp)).toEqual(expected.users);
  expect(outcomes.at(-1)).toBe("replica");
});

test("a page shows everything from before the first page, and everything older than the max lag", async () => {
  await cachePosition();
  const { next } = await readPage(server.url, "messages");
  await catchUp();
  await pauseReplay();
  await writer.query("UPDATE users SET name = 'Second' WHERE user_id = 'sender'");
  const senderOf = async () => (await readPage(server.url, "messages", next)).body.messages[0].user.name;
  // Only the replica still has the old name.
  expect([await senderOf(), outcomes]).toEqual(["First", ["replica"]]);
  clock += maxLagMs;
  expect([await senderOf(), outcomes]).toEqual(["Second", ["replica", "behind"]]);
  await catchUp();
});

test("a deleted channel has no further page, even if the replica still has it", async () => {
  await cachePosition();
  const { next } = await readPage(server.url, "messages");
  await catchUp();
  await pauseReplay();
  expect((await call(server.url, "DELETE", "/v1/group/channels/room")).status).toBe(200);
  const reply = await call(server.url, "GET", `${exportPath}?next=${encodeURIComponent(next ?? "")}`);
  expect(reply.body.code).toBe("channel_not_found");
  await catchUp();
});

test("an edit and a deletion are in every page at once, although the replica does not have them", async () => {
  await cachePosition();
  const { next } = await readPage(server.url, "messages");
  await catchUp();
  const before = await readPage(server.url, "messages", next);
  const [edited, deleted] = before.body.messages;
  const messages = "/v1/group/channels/room/messages";
  await pauseReplay();
  const change = { body: { content: "edited" } };
  expect((await call(server.url, "PUT", `${messages}/${edited.message_id}`, change)).status).toBe(200);
  expect((await call(server.url, "DELETE", `${messages}/${deleted.message_id}`)).status).toBe(200);
  const after = await readPage(server.url, "messages", next);
  expect(after.ids.slice(0, 2)).toEqual(["edited", before.ids[2]]);
  expect(new Set(outcomes)).toEqual(new Set(["replica"]));
  await catchUp();
  expect((await readPage(server.url, "messages", next)).ids).toEqual(after.ids);
});

test("rows that exist throughout appear once, while the replica lags and catches up during inserts and deletes", async () => {
  const step = fc.record<Step>({
    lag: fc.constantFrom("pause", "resume", "catch up", "wait"),
    times: fc.array(fc.integer({ min: 1, max: 7 }), { maxLength: 4 }),
    victim: fc.nat(),
  });
  const history = fc.record({
    name: fc.constantFrom<ListName>("users", "channels", "messages"),
    steps: fc.array(step, { minLength: 3, maxLength: 8 }),
  });
  const paused: Step = { lag: "pause", times: [], victim: 0 };
  const caughtUp: Step = { lag: "catch up", times: [], victim: 0 };
  let histories = 0;
  const counts = { replica: 0, behind: 0, unavailable: 0 };
  await fc.assert(
    fc.asyncProperty(history, async ({ name, steps }) => {
      histories += 1;
      await catchUp();
      // Each history has its own rows, some of which the replica does not have when the walk begins.
      const old = idsOf(name === "messages" ? 150 : 12, `h${histories}`);
      const removed = new Set<string>();
      const change = async ({ lag, times, victim }: Step, at: number) => {
        if (lag === "pause") await queryReplica("SELECT pg_wal_replay_pause()");
        if (lag === "resume") await queryReplica("SELECT pg_wal_replay_resume()");
        if (lag === "catch up") await catchUp();
        if (lag === "wait") clock += maxLagMs;
        for (const [index, time] of times.entries())
          await insert[name]([`n${histories}_${at}_${index}`], time);
        const id = old[victim % old.length] ?? "";
        removed.add(id);
        await remove[name](id);
      };
      const [begin, ...later] = steps;
      if (begin !== undefined) await change(begin, 0);
      await insert[name](old, 6);
      const seen = await walk(name, async (page) => {
        const next = later[page - 1];
        if (next !== undefined) await change(next, page);
      });
      for (const outcome of outcomes.splice(0)) counts[outcome] += 1;
      const stayed = old.filter((id) => !removed.has(id)).toReversed();
      expect(seen.filter((id) => stayed.includes(id))).toEqual(stayed);
      expect(new Set(seen).size).toBe(seen.length);
    }),
    {
      numRuns: scale(12, 300),
      // Fixed examples, so that each case occurs: behind, up to date, then behind only the cursor.
      examples: [
        [{ name: "users", steps: [paused, paused, paused] }],
        [{ name: "users", steps: [caughtUp, caughtUp, caughtUp, caughtUp] }],
        [{ name: "users", steps: [paused, paused, paused] }],
      ],
    },
  );
  await catchUp();
  expect(counts.replica).toBeGreaterThan(0);
  expect(counts.behind).toBeGreaterThan(0);
  expect(counts.unavailable).toBe(0);
  await report({
    fault: "paging while the replica lags and catches up",
    load: `${histories} walks; ${counts.replica} pages from the replica, ${counts.behind} from the database`,
    sent: histories,
    acknowledged: histories,
  });
});

interface Step {
  lag: "pause" | "resume" | "catch up" | "wait";
  times: number[];
  victim: number;
}

test("if the replica is killed during paging, the primary takes over; after a restart the replica is used again", async () => {
  await cachePosition();
  const seen = await walk("users", async (page) => {
    if (page === 1) await catchUp();
    if (page === 2) await replica.kill();
  });
  expect(seen).toEqual(allIds.users);
  expect(outcomes).toEqual(["replica", "unavailable", "unavailable", "unavailable"]);
  expect(log.map((line) => JSON.parse(line).level)).toEqual([40]);

  await replica.restart();
  await catchUp();
  clock += pauseMs;
  outcomes.length = 0;
  expect(await walk("users", catchUp)).toEqual(allIds.users);
  expect(outcomes.at(-1)).toBe("replica");
  expect(log.map((line) => JSON.parse(line).level)).toEqual([40, 30]);
});

test("a replica that does not respond delays one page, and is then skipped", async () => {
  await cachePosition();
  const seen = await walk("users", async (page) => {
    if (page === 1) await catchUp();
    if (page === 2) await replica.signal("SIGSTOP");
  });
  await replica.signal("SIGCONT");
  expect(seen).toEqual(allIds.users);
  expect(outcomes).toEqual(["replica", "unavailable", "unavailable", "unavailable"]);
  expect(log).toHaveLength(1);
  await catchUp();
});

test("the primary serves a cursor from before there was a replica", async () => {
  await cachePosition();
  const secret = await requireSecret(server.db, "cursors", randomBytes);
  const content = { filters: {}, limit: 5, after: { createdAt: 5, pk: Number.MAX_SAFE_INTEGER } };
  const { ids } = await readPage(server.url, "users", createCursors(secret).sign("users", content));
  expect(ids).toEqual(allIds.users.slice(0, 5));
  expect(outcomes).toEqual([]);
});

test("a server without a replica continues paging and keeps the cursor's log position", async () => {
  const without = await startServerOn(primary.url);
  await cachePosition();
  const first = await readPage(server.url, "users");
  const second = await readPage(without.url, "users", first.next);
  await catchUp();
  const third = await readPage(server.url, "users", second.next);
  expect([...first.ids, ...second.ids, ...third.ids]).toEqual(allIds.users.slice(0, 15));
  expect(outcomes).toEqual(["replica"]);
  await without.close();
});

test("the built server reads pages from the replica, counts them, and stays ready without it", async () => {
  const settings = { DATABASE_REPLICA_URL: replica.url, MADANG_METRICS_PORT: "0", LOG_LEVEL: "info" };
  const child = await startProcess(primary.url, settings);
  try {
    const findUrl = () => /"url":"(http:[^"]+\/metrics)"/.exec(child.output())?.[1];
    await expect.poll(findUrl).toBeDefined();
    const count = async (outcome: ReplicaOutcome) => {
      const text = await (await fetch(findUrl() ?? "")).text();
      return Number(
        new RegExp(`madang_replica_reads_total{outcome="${outcome}"} (\\d+)`).exec(text)?.[1] ?? 0,
      );
    };
    const { next } = await readPage(child.url, "users");
    // The primary may first be slightly ahead.
    do {
      await catchUp();
      await readPage(child.url, "users", next);
    } while ((await count("replica")) === 0);
    await replica.kill();
    const before = await count("unavailable");
    expect((await call(child.url, "GET", "/readyz")).status).toBe(200);
    await readPage(child.url, "users", next);
    expect(await count("unavailable")).toBe(before + 1);
    expect(await child.end("SIGTERM")).toBe(0);
  } finally {
    await child.end("SIGKILL");
    await replica.restart();
    await catchUp();
  }
});

// The last test: a promoted replica no longer follows the primary.
test("after a promotion, old cursors work on both servers, and positions of different timelines are not compared", async () => {
  await cachePosition();
  const { next } = await readPage(server.url, "users");
  await catchUp();
  const before = await findLogPosition(open(primary.url));
  await catchUp();
  const standby = open(replica.url);
  expect(await hasReached(standby, before, before)).toBe(true);
  const other = { ...before, timeline: "00000002" };
  expect(await hasReached(standby, other, other)).toBe(false);
  expect(await hasReached(standby, before, other)).toBe(false);

  await queryReplica("SELECT pg_promote()");
  // It still reports a position beyond that of the cursor.
  expect((await readPage(server.url, "users", next)).ids).toEqual(allIds.users.slice(5, 10));
  const moved = await serve(replica.url, primary.url);
  expect((await readPage(moved.url, "users", next)).ids).toEqual(allIds.users.slice(5, 10));
  const begun = await readPage(moved.url, "users");
  expect((await readPage(moved.url, "users", begun.next)).ids).toEqual(allIds.users.slice(5, 10));
  expect(outcomes).toEqual(["behind", "behind", "behind"]);
  expect((await findLogPosition(open(replica.url))).timeline).toBe("00000002");
  await moved.close();
});

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

const room = "/v1/exports/group/channels/room/messages";
const lists = [
  { name: "users", path: "/v1/users", limit: 5 },
  { name: "channels", path: "/v1/group/channels", limit: 5 },
  { name: "messages", path: room, limit: 100 },
] as const;
type ListName = (typeof lists)[number]["name"];

let primary: Cluster;
let replica: Cluster;
let writer: pg.Client;
let server: TestServer;
let answers: ReplicaOutcome[];
let log: string[];
/** Time passes here when a test says so, and in no other way. */
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
    onOutcome: (outcome) => answers.push(outcome),
  });
  return startServerOn(primaryUrl, { pages });
}

const control = (sql: string, values: unknown[] = []) => ask(replica.directUrl(), sql, values);

async function ask(url: string, sql: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(sql, values)).rows[0];
  } finally {
    await client.end();
  }
}

/** Until the replica has done all that the primary has written; a transaction of its own brings it to the disk. */
async function catchUp(): Promise<void> {
  await control("SELECT pg_wal_replay_resume()");
  await writer.query("SELECT pg_logical_emit_message(true, 'test', 'now')");
  const { rows } = await writer.query("SELECT pg_current_wal_flush_lsn()::text AS lsn");
  for (;;) {
    const sql = "SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS is_done";
    const state = await control(sql, [rows[0].lsn]).catch(() => undefined);
    if (state?.is_done === true) return;
    await sleep(20);
  }
}

async function pause(): Promise<void> {
  await control("SELECT pg_wal_replay_pause()");
  for (;;) {
    const { state } = await control("SELECT pg_get_wal_replay_pause_state() AS state");
    if (state === "paused") return;
    // It pauses between two records, and while there is none it looks now and then.
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

/** Reads a list to its end, with something done before each further page. */
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

/** Lets the server learn where the primary is, so that from now on it asks no more of a replica than the cursors do. */
async function settle(): Promise<void> {
  const { next } = await readPage(server.url, "users");
  await readPage(server.url, "users", next);
  await catchUp();
  answers.length = 0;
}

beforeAll(async () => {
  primary = await startCluster();
  replica = await startReplica(primary);
  writer = new pg.Client({ connectionString: primary.directUrl() });
  await writer.connect();
});
beforeEach(async () => {
  answers = [];
  log = [];
  clock = 0;
  await writer.query("TRUNCATE messages, members, managers, channels, users");
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

const wholeOf = {
  users: [...idsOf(23, "user").toReversed(), "sender"],
  channels: [...idsOf(23, "chan").toReversed(), "room"],
  messages: idsOf(350, "text").toReversed(),
};

test.each(lists)("$name: all pages but the first come from the replica, each row once", async ({ name }) => {
  await settle();
  expect(await walk(name, catchUp)).toEqual(wholeOf[name]);
  expect(answers.length).toBeGreaterThanOrEqual(3);
  expect(new Set(answers)).toEqual(new Set(["replica"]));
});

test("a replica that has not done all that a cursor has seen never answers it", async () => {
  await settle();
  await pause();
  await insertUsers(idsOf(20, "more"), 4);
  await insertChannels(idsOf(20, "moro"), 4);
  await insertMessages(idsOf(200, "more"), 4);
  const expected = {
    users: wholeOf.users.toSpliced(-1, 0, ...idsOf(20, "more").toReversed()),
    channels: wholeOf.channels.toSpliced(-1, 0, ...idsOf(20, "moro").toReversed()),
    messages: [...wholeOf.messages, ...idsOf(200, "more").toReversed()],
  };
  for (const { name } of lists) expect(await walk(name, async () => undefined)).toEqual(expected[name]);
  expect(new Set(answers)).toEqual(new Set(["behind"]));
  await catchUp();
  expect(await walk("users", catchUp)).toEqual(expected.users);
  expect(answers.at(-1)).toBe("replica");
});

test("a page shows what was there when its walk began, and everything older than the longest lag", async () => {
  await settle();
  const { next } = await readPage(server.url, "messages");
  await catchUp();
  await pause();
  await writer.query("UPDATE users SET name = 'Second' WHERE user_id = 'sender'");
  const senderOf = async () => (await readPage(server.url, "messages", next)).body.messages[0].user.name;
  // The old name is what only the replica still knows: it was the one that answered.
  expect([await senderOf(), answers]).toEqual(["First", ["replica"]]);
  clock += maxLagMs;
  expect([await senderOf(), answers]).toEqual(["Second", ["replica", "behind"]]);
  await catchUp();
});

test("a channel that was deleted gives no further page, whatever the replica knows", async () => {
  await settle();
  const { next } = await readPage(server.url, "messages");
  await catchUp();
  await pause();
  expect((await call(server.url, "DELETE", "/v1/group/channels/room")).status).toBe(200);
  const reply = await call(server.url, "GET", `${room}?next=${encodeURIComponent(next ?? "")}`);
  expect(reply.body.code).toBe("channel_not_found");
  await catchUp();
});

test("an edit and a deletion are in every page at once, although the replica does not have them", async () => {
  await settle();
  const { next } = await readPage(server.url, "messages");
  await catchUp();
  const before = await readPage(server.url, "messages", next);
  const [edited, deleted] = before.body.messages;
  const messages = "/v1/group/channels/room/messages";
  await pause();
  const change = { body: { content: "edited" } };
  expect((await call(server.url, "PUT", `${messages}/${edited.message_id}`, change)).status).toBe(200);
  expect((await call(server.url, "DELETE", `${messages}/${deleted.message_id}`)).status).toBe(200);
  const after = await readPage(server.url, "messages", next);
  expect(after.ids.slice(0, 2)).toEqual(["edited", before.ids[2]]);
  expect(new Set(answers)).toEqual(new Set(["replica"]));
  await catchUp();
  expect((await readPage(server.url, "messages", next)).ids).toEqual(after.ids);
});

test("what exists throughout comes once, while the replica lags and leaps and others insert and delete", async () => {
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
      // Each history has rows of its own, some of which the replica does not know when the walk begins.
      const old = idsOf(name === "messages" ? 150 : 12, `h${histories}`);
      const gone = new Set<string>();
      const change = async ({ lag, times, victim }: Step, at: number) => {
        if (lag === "pause") await control("SELECT pg_wal_replay_pause()");
        if (lag === "resume") await control("SELECT pg_wal_replay_resume()");
        if (lag === "catch up") await catchUp();
        if (lag === "wait") clock += maxLagMs;
        for (const [index, time] of times.entries())
          await insert[name]([`n${histories}_${at}_${index}`], time);
        const id = old[victim % old.length] ?? "";
        gone.add(id);
        await remove[name](id);
      };
      const [begin, ...later] = steps;
      if (begin !== undefined) await change(begin, 0);
      await insert[name](old, 6);
      const seen = await walk(name, async (page) => {
        const next = later[page - 1];
        if (next !== undefined) await change(next, page);
      });
      for (const answer of answers.splice(0)) counts[answer] += 1;
      const stayed = old.filter((id) => !gone.has(id)).toReversed();
      expect(seen.filter((id) => stayed.includes(id))).toEqual(stayed);
      expect(new Set(seen).size).toBe(seen.length);
    }),
    {
      numRuns: scale(12, 300),
      // Without these chance might try nothing: behind at first, then up to date, then behind the cursor alone.
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
    lost: 0,
    doubled: 0,
    wrong: 0,
    longestOutageMs: undefined,
  });
});

interface Step {
  lag: "pause" | "resume" | "catch up" | "wait";
  times: number[];
  victim: number;
}

test("a replica that is killed in the middle of a walk is not missed, and is used again when it is back", async () => {
  await settle();
  const seen = await walk("users", async (page) => {
    if (page === 1) await catchUp();
    if (page === 2) await replica.kill();
  });
  expect(seen).toEqual(wholeOf.users);
  expect(answers).toEqual(["replica", "unavailable", "unavailable", "unavailable"]);
  expect(log.map((line) => JSON.parse(line).level)).toEqual([40]);

  await replica.revive();
  await catchUp();
  clock += pauseMs;
  answers.length = 0;
  expect(await walk("users", catchUp)).toEqual(wholeOf.users);
  expect(answers.at(-1)).toBe("replica");
  expect(log.map((line) => JSON.parse(line).level)).toEqual([40, 30]);
});

test("a replica that says nothing is waited for once, and then passed over", async () => {
  await settle();
  const seen = await walk("users", async (page) => {
    if (page === 1) await catchUp();
    if (page === 2) await replica.signal("SIGSTOP");
  });
  await replica.signal("SIGCONT");
  expect(seen).toEqual(wholeOf.users);
  expect(answers).toEqual(["replica", "unavailable", "unavailable", "unavailable"]);
  expect(log).toHaveLength(1);
  await catchUp();
});

test("a cursor from before there was a replica is answered by the database", async () => {
  await settle();
  const secret = await requireSecret(server.db, "cursors", randomBytes);
  const content = { filters: {}, limit: 5, after: { createdAt: 5, pk: Number.MAX_SAFE_INTEGER } };
  const { ids } = await readPage(server.url, "users", createCursors(secret).seal("users", content));
  expect(ids).toEqual(wholeOf.users.slice(0, 5));
  expect(answers).toEqual([]);
});

test("a server without the replica reads on, and hands on what the cursor carries", async () => {
  const without = await startServerOn(primary.url);
  await settle();
  const first = await readPage(server.url, "users");
  const second = await readPage(without.url, "users", first.next);
  await catchUp();
  const third = await readPage(server.url, "users", second.next);
  expect([...first.ids, ...second.ids, ...third.ids]).toEqual(wholeOf.users.slice(0, 15));
  expect(answers).toEqual(["replica"]);
  await without.close();
});

test("the server as it ships reads pages from the replica, shows how many, and stays ready without it", async () => {
  const settings = { DATABASE_REPLICA_URL: replica.url, MADANG_METRICS_PORT: "0", LOG_LEVEL: "info" };
  const child = await startProcess(primary.url, settings);
  try {
    const findUrl = () => /"url":"(http:[^"]+\/metrics)"/.exec(child.output())?.[1];
    await expect.poll(findUrl).toBeDefined();
    const count = async (answer: ReplicaOutcome) => {
      const text = await (await fetch(findUrl() ?? "")).text();
      return Number(
        new RegExp(`madang_replica_reads_total{outcome="${answer}"} (\\d+)`).exec(text)?.[1] ?? 0,
      );
    };
    const { next } = await readPage(child.url, "users");
    // The first look at the primary may find it a little ahead.
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
    await replica.revive();
    await catchUp();
  }
});

// The last: a replica that was promoted follows nobody any more.
test("after a promotion old cursors are still answered, by whoever is the primary, and places do not mix", async () => {
  await settle();
  const { next } = await readPage(server.url, "users");
  await catchUp();
  const before = await findLogPosition(open(primary.url));
  await catchUp();
  const standby = open(replica.url);
  expect(await hasReached(standby, before, before)).toBe(true);
  const other = { ...before, timeline: "00000002" };
  expect(await hasReached(standby, other, other)).toBe(false);
  expect(await hasReached(standby, before, other)).toBe(false);

  await control("SELECT pg_promote()");
  // It still says that it has done more than the cursor asks for.
  expect((await readPage(server.url, "users", next)).ids).toEqual(wholeOf.users.slice(5, 10));
  const moved = await serve(replica.url, primary.url);
  expect((await readPage(moved.url, "users", next)).ids).toEqual(wholeOf.users.slice(5, 10));
  const begun = await readPage(moved.url, "users");
  expect((await readPage(moved.url, "users", begun.next)).ids).toEqual(wholeOf.users.slice(5, 10));
  expect(answers).toEqual(["behind", "behind", "behind"]);
  expect((await findLogPosition(open(replica.url))).timeline).toBe("00000002");
  await moved.close();
});

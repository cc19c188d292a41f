import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeEach, expect, test } from "vitest";
import type { Db, Statement } from "../../src/db/db";
import { call, type Reply } from "../support/call";
import { checkData } from "../support/check-data";
import { isDistributed } from "../support/citus";
import { createDatabase, openDatabase } from "../support/database";
import { expectNearlyAll, expectWithinIfLong, report, scale } from "../support/report";
import { startServerOn } from "../support/server";
import { sweepDeletedUsers } from "../support/sweep";
import { startProcess } from "./process";

const database = await createDatabase();
const db = await openDatabase(database.url);
beforeEach(async () => {
  for (const schema of db.schemas())
    for (const table of ["messages", "members", "managers", "channels"])
      await run(schema, `DELETE FROM ${table} RETURNING 1`);
  await run(db, "DELETE FROM users RETURNING 1");
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const channels = "/v1/group/channels";

const run = (part: Db, text: string, values: readonly unknown[] = []) =>
  part.query({ name: `test.${createHash("sha256").update(text).digest("hex").slice(0, 20)}`, text }, values);

/** The users `busy` and `other` are participants of every channel, and `busy` is a manager of every third. */
async function insertChannels(count: number): Promise<void> {
  await run(
    db,
    `INSERT INTO users (user_id, name, created_at, updated_at)
     SELECT 'user_' || n, 'User', n, n FROM generate_series(1, 120) n
     UNION ALL VALUES ('busy', 'Busy', 500, 500), ('other', 'Other', 501, 501) RETURNING 1`,
  );
  const numbers = Array.from({ length: count }, (_, number) => number);
  // In a distributed database, each channel has its place.
  for (const group of db.isDistributed ? numbers.map((number) => [number]) : [numbers]) {
    const part = db.channel(`room_${group[0]}`);
    await run(
      part,
      `INSERT INTO channels (channel_id, name, member_count, manager_count, is_pair_only, first_participant_pk,
         second_participant_pk, created_at, updated_at)
       SELECT 'room_' || n, 'Room', 2, CASE WHEN n % 3 = 0 THEN 1 ELSE 0 END, n % 3 <> 0, busy.pk, other.pk, n, n
       FROM unnest($1::integer[]) n, users busy, users other
       WHERE busy.user_id = 'busy' AND other.user_id = 'other' RETURNING 1`,
      [group],
    );
    // OFFSET: PostgreSQL knows nothing of the new rows, and could read all of them for each number.
    const inserted = `unnest($1::integer[]) n CROSS JOIN LATERAL (
      SELECT pk, manager_count FROM channels WHERE channel_id = 'room_' || n AND deleted_at IS NULL OFFSET 0) c`;
    await run(
      part,
      `INSERT INTO members (channel_pk, user_pk, joined_at)
       SELECT c.pk, u.pk, 1 FROM ${inserted}
       JOIN users u ON u.user_id IN ('busy', 'other') AND u.deleted_at IS NULL RETURNING 1`,
      [group],
    );
    await run(
      part,
      `INSERT INTO managers (channel_pk, user_pk, joined_at)
       SELECT c.pk, u.pk, 1 FROM ${inserted}
       JOIN users u ON u.user_id = 'busy' AND u.deleted_at IS NULL WHERE c.manager_count = 1 RETURNING 1`,
      [group],
    );
  }
}

/** Creates a channel with the max number of members and managers, including `busy`. */
async function insertFullChannel(): Promise<void> {
  const part = db.channel("full");
  await run(
    part,
    `INSERT INTO channels (channel_id, name, member_count, manager_count, is_pair_only, created_at, updated_at)
     VALUES ('full', 'Full', 100, 10, false, 1, 1) RETURNING 1`,
  );
  for (const [table, count] of [
    ["members", 99],
    ["managers", 9],
  ] as const)
    await run(
      part,
      `INSERT INTO ${table} (channel_pk, user_pk, joined_at)
       SELECT c.pk, u.pk, 1 FROM channels c, users u
       WHERE c.channel_id = 'full' AND u.user_id IN (SELECT 'user_' || n FROM generate_series(1, ${count}) n UNION SELECT 'busy')
       RETURNING 1`,
    );
}

async function countRoles(): Promise<number> {
  const counts = await Promise.all(db.schemas().map((schema) => schema.query(countRolesOf)));
  return counts.flat().reduce((sum, { count }) => sum + count, 0);
}

const countRolesOf: Statement<{ count: number }> = {
  name: "test.count-roles",
  text: `SELECT (SELECT count(*) FROM members JOIN users u ON u.pk = user_pk WHERE u.deleted_at IS NOT NULL)
    + (SELECT count(*) FROM managers JOIN users u ON u.pk = user_pk WHERE u.deleted_at IS NOT NULL) AS count`,
};

async function untilSwept(): Promise<void> {
  while ((await run(db, "SELECT 1 FROM users WHERE needs_sweep")).length > 0) await sleep(20);
}

const codeOf = ({ status, body }: Reply) => `${status} ${body?.code ?? ""}`.trim();

test("a deleted user is removed everywhere immediately, before its roles have ended", async () => {
  await insertChannels(3);
  await insertFullChannel();
  // Without a sweeper.
  const server = await startServerOn(database.url);
  const request = (method: string, path: string, body?: unknown) =>
    call(server.url, method, path, body === undefined ? {} : { body });
  const idsIn = async (path: string) =>
    (await request("GET", path)).body.map(({ user_id }: { user_id: string }) => user_id);
  const expectGone = async () => {
    expect(await idsIn(`${channels}/room_0/members`)).toEqual(["other"]);
    expect(await idsIn(`${channels}/room_0/managers`)).toEqual([]);
    expect((await request("GET", "/v1/users?name=Busy")).body).toEqual({ users: [] });
  };
  expect((await request("DELETE", "/v1/users/busy")).status).toBe(200);
  expect(await countRoles()).toBe(3 + 1 + 2);
  const notFound = "404 user_not_found";
  expect(codeOf(await request("GET", "/v1/users/busy"))).toBe(notFound);
  expect(codeOf(await request("DELETE", "/v1/users/busy"))).toBe(notFound);
  expect(codeOf(await request("PUT", `${channels}/room_0/join`, { member: "busy" }))).toBe(notFound);
  expect(codeOf(await request("PUT", `${channels}/room_0/leave`, { member: "busy" }))).toBe(notFound);
  expect(codeOf(await request("POST", `${channels}/room_0/managers`, { manager: "busy" }))).toBe(notFound);
  const text = { user_id: "busy", type: "text", content: "hi" };
  expect(codeOf(await request("POST", `${channels}/room_0/messages`, text))).toBe(notFound);
  await expectGone();

  // Another user with the same id has none of the roles.
  expect((await request("POST", "/v1/users", { user_id: "busy", name: "Second" })).status).toBe(201);
  await expectGone();
  expect(codeOf(await request("POST", `${channels}/room_0/messages`, text))).toBe("403 not_a_participant");
  const pair = { channel_id: "pair", name: "Pair", members: ["busy", "other"], reuse: true };
  expect((await request("POST", channels, pair)).headers.get("X-Channel-Created")).toBe("true");

  // The limits count live users only.
  expect(codeOf(await request("PUT", `${channels}/full/join`, { member: "user_110" }))).toBe("200");
  expect(codeOf(await request("PUT", `${channels}/full/join`, { member: "user_111" }))).toBe(
    "409 member_limit_exceeded",
  );
  expect(codeOf(await request("POST", `${channels}/full/managers`, { manager: "user_110" }))).toBe("200");
  expect(codeOf(await request("POST", `${channels}/full/managers`, { manager: "user_111" }))).toBe(
    "409 manager_limit_exceeded",
  );

  while (await sweepDeletedUsers(server.db));
  expect(await countRoles()).toBe(0);
  expect((await checkData(database.url)).violations).toEqual([]);
  await server.close();
});

test("two steps end the roles of many deleted users: one removes them, one finds that none is left", async () => {
  await insertChannels(3);
  await insertFullChannel();
  const server = await startServerOn(database.url);
  for (const number of [1, 2, 3, 20, 21]) await call(server.url, "DELETE", `/v1/users/user_${number}`);
  await sweepDeletedUsers(server.db);
  expect(await countRoles()).toBe(0);
  await sweepDeletedUsers(server.db);
  expect(await run(db, "SELECT 1 FROM users WHERE needs_sweep")).toEqual([]);
  expect((await checkData(database.url)).violations).toEqual([]);
  await server.close();
});

test("the next process that starts finishes an interrupted deletion", async () => {
  await insertChannels(600);
  const interrupted = await startServerOn(database.url);
  await call(interrupted.url, "DELETE", "/v1/users/busy");
  await sweepDeletedUsers(interrupted.db);
  expect(await countRoles()).toBeGreaterThan(0);
  expect(await countRoles()).toBeLessThan(800);
  await interrupted.close();

  const next = await startProcess(database.url);
  await untilSwept();
  expect(await countRoles()).toBe(0);
  expect((await checkData(database.url)).violations).toEqual([]);
  await next.end("SIGTERM");
});

// On Citus, a step is that of one schema.
test.skipIf(isDistributed)(
  "the sweeper does not wait for a channel while it holds locks on others",
  async () => {
    await insertChannels(3);
    const server = await startServerOn(database.url);
    await call(server.url, "DELETE", "/v1/users/busy");
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    await holder.query("BEGIN");
    await holder.query("SELECT FROM channels WHERE channel_id = 'room_1' FOR UPDATE");
    await sweepDeletedUsers(server.db);
    const rows = await run(
      db,
      "SELECT channel_id FROM members JOIN channels c ON c.pk = channel_pk JOIN users u ON u.pk = user_pk WHERE u.user_id = 'busy'",
    );
    expect(rows).toEqual([{ channel_id: "room_1" }]);
    await holder.query("ROLLBACK");
    await holder.end();
    while (await sweepDeletedUsers(server.db));
    expect(await countRoles()).toBe(0);
    await server.close();
  },
);

test("deleting a user with very many channels is fast and does not block other requests, even if the server is killed", async () => {
  const count = scale(1_500, 80_000);
  await insertChannels(count);
  const [first, second] = await Promise.all([startProcess(database.url), startProcess(database.url)]);
  let isStopped = false;
  let sent = 0;
  let busy = 0;
  let maxDurationMs = 0;
  const wrong: string[] = [];
  const write = async (writer: number) => {
    for (let turn = writer; !isStopped; turn += 4) {
      const path = `${channels}/room_${(turn * 7_919) % count}/messages`;
      const startedAt = performance.now();
      const reply = await call(second.url, "POST", path, {
        body: { user_id: "other", type: "text", content: `${writer} ${turn}` },
      });
      maxDurationMs = Math.max(maxDurationMs, performance.now() - startedAt);
      sent++;
      if (reply.status === 503) busy++;
      else if (reply.status !== 201) wrong.push(codeOf(reply));
    }
  };
  const writers = [0, 1, 2, 3].map(write);
  const startedAt = performance.now();
  expect((await call(first.url, "DELETE", "/v1/users/busy")).status).toBe(200);
  const tookMs = performance.now() - startedAt;
  await first.end("SIGKILL");
  const atKill = await countRoles();
  const third = await startProcess(database.url);
  await untilSwept();
  const sweptMs = performance.now() - startedAt;
  isStopped = true;
  await Promise.all(writers);
  expect(await countRoles()).toBe(0);
  const { lost, duplicated, violations } = await checkData(database.url);
  await report({
    fault: `deletion of a user in ${count.toLocaleString("en-US")} channels, kill -9 of the server meanwhile`,
    load: `4 writers; response after ${Math.round(tookMs)} ms, ${atKill.toLocaleString("en-US")} roles left at the kill, none after ${Math.round(sweptMs)} ms`,
    sent,
    acknowledged: sent - wrong.length - busy,
    lost,
    duplicated,
    wrong: wrong.length + violations.length,
    maxOutageMs: maxDurationMs,
  });
  expect({ wrong, violations }).toEqual({ wrong: [], violations: [] });
  expectNearlyAll(sent - busy, sent);
  expectWithinIfLong(1_000, tookMs);
  await Promise.all([second, third].map((server) => server.end("SIGTERM")));
});

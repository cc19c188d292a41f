import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSweeper } from "../../src/modules/retention/sweep-store";
import { call } from "../support/call";
import { checkData } from "../support/check-data";
import { createDatabase, openDatabase } from "../support/database";
import { indexAll } from "../support/index-all";
import { expectWithinIfLong, isLong, report, scale } from "../support/report";
import { formatTimes, sendAtRate } from "./paced-sends";
import { type ServerProcess, startProcess } from "./process";

const dayMs = 86_400_000;
const days = 30;
const rounds = scale(4, 40);
const messagesPerImport = scale(100, 250);

let database: Awaited<ReturnType<typeof createDatabase>>;
let client: pg.Client;
let servers: ServerProcess[];
beforeAll(async () => {
  database = await createDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  // The clock of the database, which decides about retention, becomes one that the test moves.
  await client.query("CREATE TABLE clock AS SELECT interval '0' AS shift");
  await client.query(`CREATE FUNCTION public.statement_timestamp() RETURNS timestamptz LANGUAGE sql STABLE
    AS 'SELECT pg_catalog.statement_timestamp() + shift FROM clock'`);
  await client.query(
    `ALTER DATABASE "${new URL(database.url).pathname.slice(1)}" SET search_path = public, pg_catalog`,
  );
  servers = await Promise.all([startProcess(database.url), startProcess(database.url)]);
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.end("SIGTERM")));
  await client.end();
  await database.drop();
});

const rooms = ["room_1", "room_2", "held_room"];
const pathOf = (room: string) => `/v1/group/channels/${room}`;

async function send(method: string, path: string, body?: unknown, index = 0) {
  const reply = await call(servers[index % 2]?.url ?? "", method, path, body === undefined ? {} : { body });
  if (reply.status >= 300)
    throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
  return reply.body;
}

const setClock = (shiftMs: number) =>
  client.query("UPDATE clock SET shift = $1", [`${shiftMs} milliseconds`]);
const setRetention = (room: string, hold: boolean, index = 0) =>
  send("PUT", `${pathOf(room)}/retention`, { days, hold }, index);

/** The times of the messages that are stored, in order. */
const readTimes = async (room: string) =>
  (
    await client.query<{ time: string }>(
      `SELECT created_at AS time FROM messages WHERE channel_pk = (SELECT pk FROM channels WHERE channel_id = $1)
       ORDER BY created_at, pk`,
      [room],
    )
  ).rows.map(({ time }) => Number(time));

test("with a clock that goes back, imports of old messages and holds, exactly what was due is erased", async () => {
  for (const user_id of ["kim_01", "lee_02"]) await send("POST", "/v1/users", { user_id, name: "Kim" });
  for (const channel_id of rooms) {
    await send("POST", "/v1/group/channels", { channel_id, name: "Room", members: ["kim_01", "lee_02"] });
    await setRetention(channel_id, channel_id === "held_room");
  }
  await client.query("UPDATE members SET joined_at = 0");
  const startedAt = Date.now();
  const imported = new Map(rooms.map((room) => [room, [] as number[]]));
  let maxShiftMs = 0;
  let number = 0;
  /** Messages of any age up to twice the period, most of them around it. */
  const importSome = async (room: string, index: number) => {
    const messages = Array.from({ length: messagesPerImport }, () => {
      const ageMs =
        Math.random() < 0.5
          ? days * dayMs + (Math.random() - 0.5) * 60_000
          : Math.random() * 2 * days * dayMs;
      const created_at = Math.floor(Date.now() - ageMs);
      return { user_id: "kim_01", type: "text", content: "Hello", external_id: `id-${++number}`, created_at };
    });
    await send("POST", `/v1/imports/group/channels/${room}/messages`, { messages }, index);
    imported.get(room)?.push(...messages.map(({ created_at }) => created_at));
  };

  for (let round = 0; round < rounds; round++) {
    await Promise.all(rooms.map(importSome));
    // Back in every second round, and forward by up to ten days.
    const next = round % 2 === 0 ? Math.floor(Math.random() * 10 * dayMs) : 0;
    await setClock(next);
    maxShiftMs = Math.max(maxShiftMs, next);
    // Whatever was stored when the hold began is there when it ends.
    await setRetention("room_2", true, round);
    const before = await readTimes("room_2");
    await importSome("room_2", round);
    await sleep(scale(100, 500));
    const during = await readTimes("room_2");
    expect(during.length).toBe(before.length + messagesPerImport);
    await setRetention("room_2", false, round);
    await setRetention("room_1", false, round + 1);
  }

  // Everything that is due by the clock that went back is erased, and nothing that was never due.
  const db = await openDatabase(database.url);
  const step = createSweeper(db, undefined);
  while (await step());
  await db.close();
  const endedAt = Date.now();
  let erased = 0;
  for (const room of rooms) {
    const [times, all] = [
      await readTimes(room),
      (imported.get(room) ?? []).sort((one, other) => one - other),
    ];
    erased += all.length - times.length;
    if (room === "held_room") expect(times).toEqual(all);
    else {
      const neverDue = all.filter((time) => time >= endedAt + maxShiftMs - days * dayMs);
      expect(times.filter((time) => time >= endedAt + maxShiftMs - days * dayMs)).toEqual(neverDue);
      expect(times.filter((time) => time < startedAt - days * dayMs)).toEqual([]);
      expect(all.length - times.length).toBeGreaterThan(0);
    }
    const { unread_count } = await send("GET", `${pathOf(room)}/members/lee_02`);
    expect(unread_count).toBe(Math.min(100, times.length));
    expect((await send("GET", pathOf(room))).total_message_count).toBe(all.length);
  }
  // Each erased message has one event.
  const { rows } = await client.query(
    "SELECT count(*)::integer AS all, count(DISTINCT message_pk)::integer AS each FROM events WHERE type = 'message.deleted'",
  );
  expect(rows).toEqual([{ all: erased, each: erased }]);
  const { violations } = await checkData(database.url);
  expect(violations).toEqual([]);
  const total = [...imported.values()].flat().length;
  await report({
    fault: `retention with a clock of the database that went back ${Math.floor(rounds / 2)} times and holds that were set and lifted ${rounds} times: ${erased.toLocaleString("en-US")} of ${total.toLocaleString("en-US")} imported messages erased`,
    load: "2 processes",
    sent: total,
    acknowledged: total,
    wrong: violations.length,
  });
});

const p99Of = (times: readonly number[]) =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)] ?? 0;

const largeRooms = Array.from({ length: 10 }, (_, index) => `large_${index}`);
const duePerRoom = 100_000;
const keptPerRoom = 1_000;
const maxTookMs = 5 * 60_000;

/** Stores messages that will be due and others, which the operations would take long to store. */
async function storeLarge(url: string): Promise<void> {
  const large = new pg.Client({ connectionString: url });
  await large.connect();
  await large.query(
    `WITH sender AS (
       INSERT INTO users (user_id, name, created_at, updated_at) VALUES ('kim_01', 'Kim', 1, 1) RETURNING pk
     ), made AS (
       INSERT INTO channels (channel_id, name, member_count, is_pair_only, created_at, updated_at, total_message_count,
         latest_at, last_message_at)
       SELECT id, 'Large', 1, false, 1, 1, $2::integer + $3::integer, $4::bigint, $4::bigint FROM unnest($1::text[]) AS id
       RETURNING pk
     ), joined AS (
       INSERT INTO members (channel_pk, user_pk, joined_at) SELECT made.pk, sender.pk, 1 FROM made, sender
     )
     INSERT INTO messages (channel_pk, sender_pk, created_at, updated_at, type, content)
     SELECT made.pk, sender.pk, at, at, 'text', 'message ' || number
     FROM made, sender, generate_series(0, $2::integer + $3::integer - 1) AS number,
       LATERAL (SELECT $4::bigint - number - CASE WHEN number >= $3::integer THEN $5::bigint ELSE 0 END AS at) AS time`,
    [largeRooms, duePerRoom, keptPerRoom, Date.now(), 2 * days * dayMs],
  );
  const db = await openDatabase(url);
  await indexAll(db);
  await db.close();
  await large.query("VACUUM ANALYZE");
  await large.end();
}

test.runIf(isLong)(
  "1,000,000 messages that are due are erased within minutes beside sends to their channels",
  async () => {
    const { url, drop } = await createDatabase();
    await storeLarge(url);
    const server = await startProcess(url);
    const perSecond = 100;
    let requested = 0;
    const sendFor = async (seconds: number) => {
      requested += perSecond * seconds;
      const load = { user: "kim_01", channels: largeRooms, perSecond, seconds };
      const sent = await sendAtRate({ url: server.url, ...load });
      return [...sent.values()].map(({ startedAt, respondedAt }) => respondedAt - startedAt);
    };
    const before = await sendFor(30);

    const startedAt = performance.now();
    for (const room of largeRooms)
      await call(server.url, "PUT", `${pathOf(room)}/retention`, { body: { days, hold: false } });
    const reader = new pg.Client({ connectionString: url });
    await reader.connect();
    const limit = Date.now() - days * dayMs;
    const isDue = `SELECT FROM channels c
      WHERE EXISTS (SELECT FROM messages m WHERE m.channel_pk = c.pk AND m.created_at < $1)`;
    const during: number[] = [];
    while ((await reader.query(isDue, [limit])).rowCount !== 0) during.push(...(await sendFor(2)));
    const tookMs = performance.now() - startedAt;

    const due = largeRooms.length * duePerRoom;
    const kept = largeRooms.length * keptPerRoom + before.length + during.length;
    const { rows } = await reader.query(
      `SELECT (SELECT count(*) FROM messages)::integer AS kept, count(*)::integer AS all,
        count(DISTINCT message_pk)::integer AS each FROM events WHERE type = 'message.deleted'`,
    );
    expect(rows).toEqual([{ kept, all: due, each: due }]);
    await reader.end();
    await server.end("SIGTERM");
    const { violations } = await checkData(url);
    expect(violations).toEqual([]);
    await drop();
    await report({
      fault: `retention of ${due.toLocaleString("en-US")} messages that are due; sends ${formatTimes(before)} before, ${formatTimes(during)} meanwhile; done after ${Math.round(tookMs / 1_000)} s`,
      load: `${perSecond} sends per second to the ${largeRooms.length} channels`,
      sent: requested,
      acknowledged: before.length + during.length,
      wrong: violations.length,
    });
    expectWithinIfLong(maxTookMs, tookMs);
    expectWithinIfLong(2 * p99Of(before), p99Of(during));
  },
);

import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { prepareLoad, startLoad } from "../faults/load";
import { type ServerProcess, startProcess } from "../faults/process";
import { call } from "../support/call";
import { checkData } from "../support/check-data";
import { createDatabase } from "../support/database";
import { report, rowOf, scale } from "../support/report";

const writers = 32;
const kills = scale(2, 20);
/** Transactions that write an event and then stay open. */
const holders = 6;
const maxHeldMs = 800;

let database: Awaited<ReturnType<typeof createDatabase>>;
let servers: [ServerProcess, ServerProcess];
beforeAll(async () => {
  database = await createDatabase();
  servers = await Promise.all([startProcess(database.url), startProcess(database.url)]);
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.end("SIGTERM")));
  await database.drop();
});

/** Follows the feed until `stop`, and then to its end. */
function follow(url: () => string) {
  const seen: { readonly id: string; readonly channel: string }[] = [];
  let isStopped = false;
  const done = (async () => {
    let after = "";
    for (;;) {
      const isLast = isStopped;
      const path = `/v1/events?limit=${1 + Math.floor(Math.random() * 40)}&wait=1${after && `&after=${after}`}`;
      const reply = await call(url(), "GET", path).catch(() => undefined);
      if (reply === undefined || reply.status === 503) {
        await sleep(20);
        continue;
      }
      if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
      after = reply.body.next;
      for (const { event_id, channel_id = "" } of reply.body.events)
        seen.push({ id: event_id, channel: channel_id });
      if (isLast && reply.body.events.length === 0) return seen;
    }
  })();
  return {
    stop() {
      isStopped = true;
      return done;
    },
  };
}

/** Commits, or rolls back, only after a while. The channel stays locked for that time, as in every change of a channel. */
async function hold(isStopped: () => boolean, holder: number): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  while (!isStopped()) {
    const room = `held_${holder % 3}`;
    await client.query("BEGIN");
    await client.query("SELECT FROM channels WHERE channel_id = $1 FOR NO KEY UPDATE", [room]);
    await client.query(
      `INSERT INTO events (type, channel_pk, channel_id) SELECT 'channel.updated', pk, channel_id FROM channels
       WHERE channel_id = $1`,
      [room],
    );
    await sleep(Math.random() * maxHeldMs);
    await client.query(Math.random() < 0.2 ? "ROLLBACK" : "COMMIT");
  }
  await client.end();
}

test("a reader of the feed misses, repeats and reorders nothing, however late transactions commit and processes die", async () => {
  await prepareLoad(servers[0].url);
  for (let index = 0; index < 3; index++)
    await call(servers[0].url, "POST", "/v1/group/channels", {
      body: { channel_id: `held_${index}`, name: "Held", members: [], reuse: false },
    });
  let isStopped = false;
  const held = Array.from({ length: holders }, (_, holder) => hold(() => isStopped, holder));
  const readers = [
    follow(() => servers[0].url),
    follow(() => servers[1].url),
    follow(() => servers[Date.now() % 2]?.url ?? ""),
  ];
  const load = startLoad({ url: (writer) => servers[writer % 2 === 0 ? 0 : 1].url, writers, mayBreak: true });
  for (let kill = 0; kill < kills; kill++) {
    const goal = load.acknowledged() + scale(300, 1_000);
    while (load.acknowledged() < goal) await sleep(5);
    const victim = kill % 2 === 0 ? 1 : 0;
    const { port } = new URL(servers[victim].url);
    await servers[victim].end("SIGKILL");
    servers[victim] = await startProcess(database.url, { PORT: port });
  }
  await load.stop();
  isStopped = true;
  await Promise.all(held);
  const all = await Promise.all(readers.map((reader) => reader.stop()));

  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query(
    "SELECT 'evt_' || created_at || '_' || pk AS id, pk::int FROM events ORDER BY pk",
  );
  const { rows: unannounced } = await client.query(`SELECT FROM messages m WHERE (
    SELECT count(*) FROM events WHERE type = 'message.created' AND channel_pk = m.channel_pk AND message_pk = m.pk) <> 1`);
  await client.end();
  const keys = new Map<string, number>(rows.map(({ id, pk }) => [id, pk]));
  let missed = 0;
  let repeated = 0;
  let reordered = 0;
  for (const seen of all) {
    const ids = new Set(seen.map(({ id }) => id));
    missed += rows.filter(({ id }) => !ids.has(id)).length;
    repeated += seen.length - ids.size;
    const last = new Map<string, number>();
    for (const { id, channel } of seen) {
      const key = keys.get(id) ?? 0;
      if (channel !== "" && key <= (last.get(channel) ?? -1)) reordered++;
      last.set(channel, key);
    }
  }
  const check = await checkData(database.url, load);
  await report({
    ...rowOf("events: processes killed, transactions held open", writers, load, check),
    lost: missed,
    duplicated: repeated,
    wrong: reordered,
  });
  expect({ missed, repeated, reordered, unannounced: unannounced.length }).toEqual({
    missed: 0,
    repeated: 0,
    reordered: 0,
    unannounced: 0,
  });
  expect(rows.length).toBeGreaterThan(load.messages.length);
  expect(check).toEqual({ lost: 0, duplicated: 0, violations: [] });
});

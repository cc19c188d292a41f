import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkFeed, endFeed, flawless, followFeed, listenToFeed, rowOfFeed } from "../faults/feed-readers";
import { prepareLoad, startLoad } from "../faults/load";
import { type ServerProcess, startProcess } from "../faults/process";
import { call } from "../support/call";
import { checkData } from "../support/check-data";
import { createDatabase, openDatabase } from "../support/database";
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

/** Commits, or rolls back, only after a while. The channel stays locked for that time, as in every change of a channel. */
async function hold(isStopped: () => boolean, holder: number): Promise<void> {
  const db = await openDatabase(database.url);
  const channelId = `held_${holder % 3}`;
  while (!isStopped())
    await db
      .channel(channelId)
      .transaction(async (tx) => {
        await tx.query(lockChannel, [channelId]);
        await tx.query(insertEvent, [channelId]);
        await sleep(Math.random() * maxHeldMs);
        if (Math.random() < 0.2) throw new RolledBack();
      })
      .catch((error: unknown) => {
        if (!(error instanceof RolledBack)) throw error;
      });
  await db.close();
}

class RolledBack extends Error {}

const lockChannel = {
  name: "test.lock-channel",
  text: "SELECT pk FROM channels WHERE channel_id = $1 FOR NO KEY UPDATE",
};

const insertEvent = {
  name: "test.insert-event",
  text: `INSERT INTO events (type, channel_pk, channel_id) SELECT 'channel.updated', pk, channel_id FROM channels
    WHERE channel_id = $1 RETURNING 1`,
};

test("a reader of the feed misses, repeats and reorders nothing, however late transactions commit and processes die", async () => {
  await prepareLoad(servers[0].url);
  for (let index = 0; index < 3; index++)
    await call(servers[0].url, "POST", "/v1/group/channels", {
      body: { channel_id: `held_${index}`, name: "Held", members: [], reuse: false },
    });
  let isStopped = false;
  const held = Array.from({ length: holders }, (_, holder) => hold(() => isStopped, holder));
  const readers = Promise.all([
    followFeed(() => servers[0].url),
    followFeed(() => servers[Date.now() % 2]?.url ?? ""),
    listenToFeed(servers[0].url),
    listenToFeed(servers[1].url),
  ]);
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
  await endFeed(servers[0].url);
  const feed = await checkFeed(database.url, await readers);
  const check = await checkData(database.url, load);
  await report({
    ...rowOf("events: processes killed, transactions held open", writers, load, check),
    ...rowOfFeed(feed),
  });
  expect(feed).toEqual(flawless);
  expect(check).toEqual({ lost: 0, duplicated: 0, violations: [] });
});

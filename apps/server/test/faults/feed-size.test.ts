import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "../../src/db/connect";
import type { Database, Statement } from "../../src/db/db";
import { sweepExpiredEvents } from "../../src/modules/events/store";
import { createIndexer } from "../../src/modules/search/indexer";
import { countUsage } from "../../src/modules/usage/store";
import { isLong, report } from "../support/report";
import { type Cluster, startCluster } from "./cluster";
import { endFeed, followFeed, listenToFeed, type Seen } from "./feed-readers";
import { prepareLoad, startLoad } from "./load";
import { type ServerProcess, startProcess } from "./process";

/*
 * Seven days of events, of which each process removes the oldest once a minute, are compressed: 20 seconds are stored,
 * the sweep runs four times a second, and autovacuum looks every second.
 */
const retentionMs = 20_000;
const pauseMs = 250;
const testMs = 180_000;

const writers = 16;
let cluster: Cluster;
let server: ServerProcess;
let db: Database;
beforeAll(async () => {
  cluster = await startCluster(["autovacuum_naptime=1s"]);
  server = await startProcess(cluster.url);
  const limits = { maxConnections: 2, statementTimeoutMs: 10_000, connectTimeoutMs: 5_000 };
  db = connect({ url: cluster.directUrl(), ...limits, onIdleError: () => undefined });
});
afterAll(async () => {
  await db.close();
  await server.end("SIGTERM");
  await cluster.close();
});

interface Size {
  readonly megabytes: number;
  readonly stored: number;
  readonly numbered: number;
}

const measure: Statement<Size> = {
  name: "test.feed-size",
  text: `SELECT (pg_total_relation_size('events') + pg_total_relation_size('event_ranges'))::float8 / 1e6 AS megabytes,
      (SELECT count(*) FROM events) AS stored, (SELECT max(last_position) FROM event_ranges) AS numbered`,
};

async function readSize(): Promise<Size> {
  const [size] = await db.query(measure);
  if (size === undefined) throw new Error("An aggregate always has a row.");
  return size;
}

/** Sweeps until the time is over. Returns the size of each second, and how long the slowest sweep took. */
async function sweepAndMeasure() {
  const index = createIndexer(db);
  const sizes: Size[] = [];
  let slowestMs = 0;
  const startedAt = performance.now();
  for (let next = startedAt; performance.now() - startedAt < testMs; await sleep(pauseMs)) {
    const sweptAt = performance.now();
    while ((await countUsage(db)) === true);
    while ((await index()) === true);
    while (await sweepExpiredEvents(db, retentionMs));
    slowestMs = Math.max(slowestMs, performance.now() - sweptAt);
    if (performance.now() < next) continue;
    sizes.push(await readSize());
    next += 1_000;
  }
  return { sizes, slowestMs };
}

const distinct = (seen: readonly Seen[]) => new Set(seen.map(({ id }) => id)).size;
const largest = (sizes: readonly Size[]) => Math.max(...sizes.map(({ megabytes }) => megabytes));

test.runIf(isLong)(
  "a feed that is swept under load keeps its size, and its readers miss nothing",
  async () => {
    await prepareLoad(server.url);
    // Large pages: a reader that is slower than the writers would find its events removed.
    const readers = Promise.all([
      followFeed(
        () => server.url,
        () => 500,
      ),
      listenToFeed(server.url),
    ]);
    // A failure is reported where the readers are awaited.
    readers.catch(() => undefined);
    const load = startLoad({ url: () => server.url, writers });
    const { sizes, slowestMs } = await sweepAndMeasure();
    await load.stop();
    await endFeed(server.url);
    const all = await readers;

    const { stored, numbered } = await readSize();
    const third = Math.floor(sizes.length / 3);
    const [before, after] = [largest(sizes.slice(third, 2 * third)), largest(sizes.slice(2 * third))];
    const lost = all.reduce((sum, seen) => sum + numbered - distinct(seen), 0);
    const duplicated = all.reduce((sum, seen) => sum + seen.length - distinct(seen), 0);
    const wrong = load.wrong.length;
    const size = `${before.toFixed(1)} MB in the second minute, ${after.toFixed(1)} MB in the third`;
    await report({
      fault: `events swept under load, ${numbered} in all, ${stored} stored; at most ${size}; slowest sweep ${Math.round(slowestMs)} ms`,
      load: `${writers} writers`,
      sent: load.sent,
      acknowledged: load.acknowledged(),
      ...{ lost, duplicated, wrong },
      maxOutageMs: load.maxGapMs,
    });
    expect({ lost, duplicated, wrong }).toEqual({ lost: 0, duplicated: 0, wrong: 0 });
    expect(stored).toBeLessThan(numbered);
    expect(after).toBeLessThan(before * 1.5);
  },
);

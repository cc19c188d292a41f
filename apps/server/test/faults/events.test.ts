import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkData } from "../support/check-data";
import { targetOf } from "../support/postgres-proxy";
import { queryOnce } from "../support/query-once";
import { report, rowOf, scale } from "../support/report";
import { type Cluster, startCluster, startReplica } from "./cluster";
import { checkFeed, endFeed, flawless, followFeed, listenToFeed, rowOfFeed } from "./feed-readers";
import { type Load, prepareLoad, startLoad } from "./load";
import { type ServerProcess, startProcess } from "./process";

const writers = 16;
let cluster: Cluster;
let servers: ServerProcess[];
beforeEach(async () => {
  cluster = await startCluster();
  servers = [await startProcess(cluster.url), await startProcess(cluster.url)];
  await prepareLoad(urlOf(0));
});
afterEach(async () => {
  for (const server of servers) await server.end("SIGTERM");
  await cluster.close();
});

const urlOf = (index: number) => servers[index % servers.length]?.url ?? "";
const startReaders = () =>
  Promise.all([
    followFeed(() => urlOf(0)),
    followFeed(() => urlOf(Date.now())),
    listenToFeed(urlOf(0)),
    listenToFeed(urlOf(1)),
  ]);

async function untilAcknowledged(load: Load, count: number): Promise<void> {
  for (const goal = load.acknowledged() + count; load.acknowledged() < goal; await sleep(5))
    for (const server of servers) server.requireAlive();
}

/** Ends the load, and compares the database with what was acknowledged and with what the readers got. */
async function stopAndCheck(
  fault: string,
  load: Load,
  readers: ReturnType<typeof startReaders>,
  url: string,
) {
  await load.stop();
  await endFeed(urlOf(0));
  const feed = await checkFeed(url, await readers);
  const check = await checkData(url, load);
  await report({ ...rowOf(fault, writers, load, check), ...rowOfFeed(feed) });
  expect(feed).toEqual(flawless);
  expect({ ...check, wrong: load.wrong }).toEqual({ lost: 0, duplicated: 0, violations: [], wrong: [] });
}

test("readers miss, repeat and reorder nothing while PostgreSQL is killed and restarted", async () => {
  const readers = startReaders();
  const load = startLoad({ url: urlOf, writers });
  for (let round = 0; round < scale(1, 10); round++) {
    await untilAcknowledged(load, scale(150, 400));
    await cluster.kill();
    await sleep(200);
    await cluster.restart();
  }
  await untilAcknowledged(load, 150);
  await stopAndCheck("events: kill -9 of PostgreSQL under four readers", load, readers, cluster.directUrl());
});

// A synchronous replica has every change that was acknowledged or that a reader can see.
test("readers miss, repeat and reorder nothing when a replica takes over from PostgreSQL", async () => {
  const replicas: Cluster[] = [];
  const readers = startReaders();
  const load = startLoad({ url: urlOf, writers });
  try {
    let primary = cluster;
    for (let round = 0; round < scale(1, 5); round++) {
      const replica = await startReplica(primary);
      replicas.push(replica);
      await waitForReplica(primary.directUrl());
      await untilAcknowledged(load, scale(150, 400));
      await primary.kill();
      // The servers find the replica before it is promoted.
      cluster.proxy.retarget(targetOf(replica.directUrl()));
      await sleep(300);
      await queryOnce(replica.directUrl(), "SELECT pg_promote()");
      await untilAcknowledged(load, 150);
      primary = replica;
    }
    await stopAndCheck("events: failover to a synchronous replica", load, readers, primary.directUrl());
  } finally {
    for (const replica of replicas) await replica.close();
  }
});

/** From now on, every commit waits for the replica. */
async function waitForReplica(url: string): Promise<void> {
  await queryOnce(url, "ALTER SYSTEM SET synchronous_standby_names = '*'");
  await queryOnce(url, "SELECT pg_reload_conf()");
  const isSynchronous = "SELECT FROM pg_stat_replication WHERE sync_state = 'sync'";
  while ((await queryOnce(url, isSynchronous)).length === 0) await sleep(20);
}

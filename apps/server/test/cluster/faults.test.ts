import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { readSchemaMap } from "../../src/db/citus/schema-map";
import { withConnection } from "../../src/db/connection/with-connection";
import { type Load, prepareLoad, startLoad } from "../faults/load";
import { type ServerProcess, startProcess } from "../faults/process";
import { checkData } from "../support/check-data";
import { type CitusCluster, type CitusNode, citusPrograms, distributeIn, startCitus } from "../support/citus";
import { queryOnce } from "../support/query-once";
import { report, rowOf } from "../support/report";

const writers = 16;
const rounds = 5;
const database = "madang";

let cluster: CitusCluster;
let url: string;
let servers: ServerProcess[];
let run = 0;
beforeAll(async () => {
  cluster = await startCitus(citusPrograms ?? "");
  url = await distributeIn(cluster, database);
  servers = [await startProcess(url), await startProcess(url)];
  await prepareLoad(servers[0]?.url ?? "");
});
afterAll(async () => {
  for (const server of servers) await server.end("SIGTERM");
  await cluster.stop();
});

function load(): Load {
  const running = startLoad({ url: (writer) => servers[writer % 2]?.url ?? "", writers, run: `r${run++}` });
  onTestFinished(() => running.stop());
  return running;
}

async function untilAcknowledged(running: Load, count: number): Promise<void> {
  const goal = running.acknowledged() + count;
  while (running.acknowledged() < goal) {
    for (const server of servers) server.requireAlive();
    await sleep(5);
  }
}

/** Ends the load and compares the acknowledged writes with the stored rows. */
async function stopAndCheck(fault: string, running: Load): Promise<void> {
  await running.stop();
  await untilRecovered();
  const check = await checkData(url, running);
  await report(rowOf(fault, writers, running, check));
  expect({ ...check, wrong: running.wrong }).toEqual({ lost: 0, duplicated: 0, violations: [], wrong: [] });
}

/** Citus ends the transactions that a crash interrupted between PREPARE and COMMIT. */
async function untilRecovered(): Promise<void> {
  for (;;) {
    const counts = await Promise.all(cluster.workers.map(countPrepared));
    if (counts.every((count) => count === 0)) return;
    await sleep(50);
  }
}

const countPrepared = (worker: CitusNode) =>
  ask<{ count: number }>(
    worker.urlOf(database),
    "SELECT count(*)::integer AS count FROM pg_prepared_xacts",
  ).then(([row]) => row?.count ?? 0);

async function ask<Row extends pg.QueryResultRow>(node: string, sql: string): Promise<Row[]> {
  return withConnection(node, async (client) => (await client.query<Row>(sql)).rows);
}

test("kill -9 of a worker: its channels get 503 until it is back, and nothing is lost", async () => {
  const running = load();
  for (let round = 0; round < rounds; round++) {
    await untilAcknowledged(running, 100);
    const worker = cluster.workers[round % 2];
    await worker?.kill();
    await sleep(500);
    await worker?.start();
    await untilAcknowledged(running, 20);
  }
  await stopAndCheck("Citus: kill -9 of a worker", running);
});

test("kill -9 of the coordinator: 503 until it is back, and nothing is lost", async () => {
  const running = load();
  for (let round = 0; round < rounds; round++) {
    await untilAcknowledged(running, 100);
    await cluster.coordinator.kill();
    await sleep(500);
    await cluster.coordinator.start();
    await untilAcknowledged(running, 20);
  }
  await stopAndCheck("Citus: kill -9 of the coordinator", running);
});

test("a crash of the coordinator between PREPARE and COMMIT leaves each write done or not done", async () => {
  const running = load();
  for (let interrupted = 0; interrupted < rounds; ) {
    await untilAcknowledged(running, 50);
    const [worker] = cluster.workers;
    if (worker === undefined) throw new Error("A cluster has workers.");
    await withConnection(worker.urlOf(database), async (client) => {
      while ((await client.query("SELECT FROM pg_prepared_xacts")).rowCount === 0);
      await cluster.coordinator.kill();
      if ((await client.query("SELECT FROM pg_prepared_xacts")).rowCount !== 0) interrupted++;
    });
    await cluster.coordinator.start();
  }
  await stopAndCheck("Citus: coordinator killed between PREPARE and COMMIT", running);
});

test("schemas that move to another worker under load cause no error", async () => {
  const running = load();
  for (const schema of (await withConnection(url, readSchemaMap)) ?? []) {
    await untilAcknowledged(running, 50);
    const from = await findPort(schema);
    const to = cluster.workers.find(({ port }) => port !== from)?.port;
    const nodeOf = (port: number | undefined) => `(SELECT nodeid FROM pg_dist_node WHERE nodeport = ${port})`;
    await queryOnce(url, `SELECT citus_schema_move('${schema}', ${nodeOf(to)}, 'force_logical')`);
    expect(await findPort(schema)).toBe(to);
  }
  await untilAcknowledged(running, 50);
  await stopAndCheck("Citus: every schema moved", running);
});

const findPort = async (schema: string) =>
  (
    await ask<{ port: number }>(
      url,
      `SELECT nodeport AS port FROM citus_shards WHERE table_name = '${schema}.channels'::regclass`,
    )
  )[0]?.port;

test("a worker that is added under load takes over a part of the channels", async () => {
  const running = load();
  await untilAcknowledged(running, 50);
  const added = await cluster.addNode();
  await queryOnce(added.urlOf("postgres"), `CREATE DATABASE ${database}`);
  await queryOnce(added.urlOf(database), "CREATE EXTENSION citus");
  await queryOnce(url, `SELECT citus_add_node('127.0.0.1', ${added.port})`);
  await queryOnce(url, "SELECT rebalance_table_shards(shard_transfer_mode => 'force_logical')");
  const moved = await ask(url, `SELECT FROM pg_dist_shard_placement WHERE nodeport = ${added.port}`);
  expect(moved.length).toBeGreaterThan(0);
  await untilAcknowledged(running, 200);
  await stopAndCheck("Citus: a worker added, schemas rebalanced", running);
});

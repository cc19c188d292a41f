import { setTimeout as sleep } from "node:timers/promises";
import { createTarget, loadSide, type Settings, type Target } from "./compare";
import { observe } from "./observe";
import { findOperation } from "./operations/all";
import type { Operation } from "./operations/operation";
import { sendAtRate } from "./paced-sends";
import type { Demand } from "./simulate";
import { median } from "./statistics";
import type { Testbed } from "./testbed";

export const send = findOperation("messages.send");
/**
 * After VACUUM, PostgreSQL plans every statement again, on each connection and, on Citus, for each shard. Node compiles
 * hot code meanwhile.
 */
export const replanMs = 20_000;
/** While PostgreSQL writes each page to its log, as it does at the first change after a checkpoint. */
const firstWritesMs = 20_000;
/** Few sends and many take turns, and medians of the rounds count. */
const rounds = 5;
const measuredMs = 2_000;
const clients = 16;
const sendsPerSecond = 100;
const eventsPerPage = 100;
const readEvents: Operation = {
  id: "events.list",
  title: "read 100 events",
  turn: () => [{ method: "GET", path: `/v1/events?limit=${eventsPerPage}` }],
};

/** What reading an event needs, in milliseconds, of every process that serves streams. */
export interface Reading {
  readonly nodeMs: number;
  readonly postgresMs: number;
}

/**
 * Measures one process with few sends and with many. Both number events about equally often, so the difference is what a
 * send needs, and the rest what it takes to number.
 */
export async function measureDemand(
  testbed: Testbed,
  settings: Settings,
  turns: { next: number },
): Promise<{ demand: Demand; reading: Reading }> {
  const target = await createTarget(testbed, await testbed.startServer(), {
    ...settings,
    connections: clients,
  });
  const load = (ms: number) => loadSide(target, send, "server", turns, ms);
  await load(firstWritesMs);
  // As in a database that has been in use for a while.
  await testbed.database.query("VACUUM ANALYZE");
  await load(replanMs);
  const results: (Cost & { readonly loadMs: number })[] = [];
  for (let round = 0; round < rounds; round += 1) results.push(await measureRound(target, turns));
  const medianOf = (name: keyof (typeof results)[number]) => median(results.map((result) => result[name]));
  const notifiedMs = await measureNotified(target, () => load(measuredMs));
  const read = await loadSide(target, readEvents, "server", { next: 0 }, measuredMs);
  await target.server.stop();
  return {
    demand: {
      loadMs: medianOf("loadMs"),
      nodeMs: medianOf("nodeMs"),
      postgresMs: medianOf("postgresMs"),
      flushMs: await measureFlushMs(testbed),
      numbering: {
        nodeMs: Math.max(0, medianOf("numberingNodeMs") - notifiedMs),
        postgresMs: medianOf("numberingPostgresMs"),
        notifiedMs,
      },
    },
    reading: { nodeMs: read.nodeMs / eventsPerPage, postgresMs: read.postgresMs / eventsPerPage },
  };
}

/** Of a send, and of numbering once. */
interface Cost {
  readonly nodeMs: number;
  readonly postgresMs: number;
  readonly numberingNodeMs: number;
  readonly numberingPostgresMs: number;
}

async function measureRound(target: Target, turns: { next: number }) {
  const before = turns.next;
  const many = await observe(target, () => loadSide(target, send, "server", turns, measuredMs));
  const rate = (turns.next - before) / many.seconds;
  const few = await observe(target, () => sendAtRate(target, sendsPerSecond, measuredMs / 1_000));
  const split = (name: "nodeMs" | "postgresMs") => {
    const [low, high] = [few[name], many[name]];
    const each =
      (high * few.numbered - low * many.numbered) / (rate * few.numbered - sendsPerSecond * many.numbered);
    return { each, numbering: Math.max(0, low - sendsPerSecond * each) / few.numbered };
  };
  const [node, postgres] = [split("nodeMs"), split("postgresMs")];
  return {
    loadMs: many.result.loadMs,
    nodeMs: node.each,
    postgresMs: postgres.each,
    numberingNodeMs: node.numbering,
    numberingPostgresMs: postgres.numbering,
  };
}

/** What a notification costs another process, which is idle. */
async function measureNotified({ testbed }: Target, load: () => Promise<unknown>): Promise<number> {
  const server = await testbed.startServer();
  const idle = { testbed, server };
  await observe(idle, load);
  const quiet = await observe(idle, () => sleep(measuredMs));
  const notified = await observe(idle, load);
  await server.stop();
  return Math.max(0, notified.nodeMs - quiet.nodeMs) / (notified.numbered - quiet.numbered);
}

/** How much longer a commit takes with a flush of the log than without. */
async function measureFlushMs({ database }: Testbed): Promise<number> {
  await database.query("CREATE TABLE commits (id int)");
  const time = async (commit: "on" | "off") => {
    await database.query(`SET synchronous_commit = ${commit}`);
    const startedAt = performance.now();
    await database.query("INSERT INTO commits VALUES (1)");
    return performance.now() - startedAt;
  };
  const times: number[] = [];
  for (let index = 0; index < 200; index += 1) times.push((await time("on")) - (await time("off")));
  await database.query("DROP TABLE commits; RESET synchronous_commit");
  return Math.max(0, median(times));
}

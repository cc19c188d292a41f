import { setTimeout as sleep } from "node:timers/promises";
import { createTarget, loadSide, type Settings, type Target } from "./compare";
import { findOperation } from "./operations/all";
import type { Operation } from "./operations/operation";
import { sendAtRate } from "./paced-sends";
import { processorTimeMs, totalProcessorTimeMs } from "./processor-time";
import type { Demand } from "./simulate";
import { median } from "./statistics";
import type { Testbed } from "./testbed";

export const send = findOperation("messages.send");
/** While Node compiles hot code. */
export const compileMs = 5_000;
/** While PostgreSQL writes each page to its log, as it does at the first change after a checkpoint. */
const firstWritesMs = 20_000;
const measuredMs = 4_000;
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

/** A server's processor time in a second of some work, and how often it numbered events. */
interface Observed {
  readonly nodeMs: number;
  readonly postgresMs: number;
  readonly numbered: number;
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
  await load(compileMs);
  let sent = 0;
  const many = await observe(target, async () => {
    const before = turns.next;
    const { loadMs } = await load(measuredMs);
    sent = turns.next - before;
    return loadMs;
  });
  const few = await observe(target, () => sendAtRate(target, sendsPerSecond, measuredMs / 1_000));
  const rate = sent / many.seconds;
  const split = (name: "nodeMs" | "postgresMs") => {
    const [low, high] = [few[name], many[name]];
    const each =
      (high * few.numbered - low * many.numbered) / (rate * few.numbered - sendsPerSecond * many.numbered);
    return { each, numbering: Math.max(0, low - sendsPerSecond * each) / few.numbered };
  };
  const [node, postgres] = [split("nodeMs"), split("postgresMs")];
  const notifiedMs = await measureNotified(target, () => load(measuredMs));
  const read = await loadSide(target, readEvents, "server", { next: 0 }, measuredMs);
  await target.server.stop();
  return {
    demand: {
      loadMs: many.result,
      nodeMs: node.each,
      postgresMs: postgres.each,
      flushMs: await measureFlushMs(testbed),
      numbering: {
        nodeMs: Math.max(0, node.numbering - notifiedMs),
        postgresMs: postgres.numbering,
        notifiedMs,
      },
    },
    reading: { nodeMs: read.nodeMs / eventsPerPage, postgresMs: read.postgresMs / eventsPerPage },
  };
}

async function observe<Result>(
  { testbed, server }: Pick<Target, "testbed" | "server">,
  work: () => Promise<Result>,
): Promise<Observed & { readonly seconds: number; readonly result: Result }> {
  const read = async () => {
    const { rows } = await testbed.database.query("SELECT count(*)::int AS count FROM event_ranges");
    return {
      ms: performance.now(),
      nodeMs: processorTimeMs(server.pid),
      postgresMs: totalProcessorTimeMs(testbed.postgresPids),
      numbered: Number(rows[0].count),
    };
  };
  const before = await read();
  const result = await work();
  const after = await read();
  const seconds = (after.ms - before.ms) / 1_000;
  const perSecond = (name: keyof Observed) => (after[name] - before[name]) / seconds;
  return {
    nodeMs: perSecond("nodeMs"),
    postgresMs: perSecond("postgresMs"),
    numbered: perSecond("numbered"),
    seconds,
    result,
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

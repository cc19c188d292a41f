import { execFile } from "node:child_process";
import { promisify } from "node:util";
import pg from "pg";
import { createOnNodes, startCitus } from "../../apps/server/test/support/citus";
import { checkSetup, measureProcesses } from "./capacity";
import type { Check } from "./capacity-tables";
import { type OperationCost, tablesOfCitus } from "./citus-tables";
import { contextOf, createTarget, loadSide, type Settings, type Target } from "./compare";
import type { Findings } from "./findings";
import type { Measured } from "./load";
import { findOperation } from "./operations/all";
import type { Operation } from "./operations/operation";
import { medianOf } from "./row";
import type { Run } from "./run";
import { measureDemand, send } from "./send-demand";
import type { Side } from "./sides";
import { builtServer, createTestbed, readPid, type Testbed } from "./testbed";

const database = "bench";
const nodeSettings = ["max_wal_size=16GB", "checkpoint_timeout=60min", "shared_buffers=512MB"];
/** The history does not matter here. */
const messages = 10_000;
const rounds = 7;
const measuredMs = 700;
const processCounts = [1, 2];

const measured: readonly (readonly [operation: Operation, side: Side, title: string])[] = [
  ...["users.get", "users.create", "messages.list.newest", "exports.100.newest", "users.channels"].map(keyed),
  ...["channels.create", "channels.members.join", "messages.send"].map(keyed),
  [findOperation("messages.send"), "serverUnkeyed", "send, over 10,000 channels, without a key"],
];

function keyed(id: string) {
  const operation = findOperation(id);
  return [operation, "server", operation.title] as const;
}

/**
 * Measures requests before and after `madang-server distribute`, and which node spends how much on them. Then it compares
 * a simulation of sends with what is measured, and derives what higher rates need of each kind of node.
 */
export async function measureCitus({ settings, resources }: Run): Promise<Findings> {
  const sized = { ...settings, measuredMs, sizes: { ...settings.sizes, messages } };
  const cluster = await startCluster(resources);
  const testbed = await createTestbed(resources, sized.sizes, async () => cluster.url);
  const before = await measureOperations(testbed, sized, []);
  await promisify(execFile)(process.execPath, [builtServer, "distribute"], {
    env: { PATH: process.env.PATH ?? "", DATABASE_URL: testbed.url },
  });
  const workerPids = await Promise.all(cluster.workerUrls.map(askPid));
  const after = await measureOperations(testbed, sized, workerPids);
  const costs = measured.map(([, , title], index): OperationCost => {
    const [plain, distributed] = [before[index], after[index]];
    if (plain === undefined || distributed === undefined) throw new Error(`${title} was not measured.`);
    return { title, plain, distributed };
  });

  const all: Testbed = { ...testbed, postgresPids: [...testbed.postgresPids, ...workerPids] };
  const turns = { next: firstTurn };
  const { demand } = await measureDemand(all, sized, turns);
  // PREPARE and COMMIT PREPARED on the worker, the commit of the coordinator, and the way between them.
  const waiting = { ...demand, flushMs: await measureWaitMs(all, sized, turns) };
  const checks: Check[] = [];
  for (const processes of processCounts)
    for (const setup of await measureProcesses(all, sized, processes, turns))
      checks.push(checkSetup(waiting, setup));
  return {
    ...tablesOfCitus({ costs, workers: workerPids.length, checks }),
    data: { costs, demand: waiting, checks },
  };
}

/** After those of the measured operations, so that ids are not repeated. */
const firstTurn = 10_000_000;

async function startCluster(resources: AsyncDisposableStack) {
  const programs = process.env.MADANG_TEST_CITUS;
  if (programs === undefined)
    throw new Error(
      "Set MADANG_TEST_CITUS to the folder that pg_config --bindir prints, of a PostgreSQL with Citus.",
    );
  const starting = startCitus(programs, nodeSettings);
  resources.defer(async () => (await starting.catch(() => undefined))?.stop());
  const { coordinator, workers } = await starting;
  const url = await createOnNodes(
    coordinator.urlOf("postgres"),
    workers.map((worker) => worker.urlOf("postgres")),
    database,
  );
  return { url, workerUrls: workers.map((worker) => worker.urlOf(database)) };
}

/** How long a send with a key needs no processor, if it is the only one. */
async function measureWaitMs(testbed: Testbed, settings: Settings, turns: { next: number }): Promise<number> {
  const target = await createTarget(testbed, await testbed.startServer(), { ...settings, connections: 1 });
  await loadSide(target, send, "server", turns, settings.compileMs);
  const { perSecond, loadMs, nodeMs, postgresMs } = await loadSide(target, send, "server", turns);
  await target.server.stop();
  return 1_000 / perSecond - loadMs - nodeMs - postgresMs;
}

async function askPid(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const pid = await readPid(client);
  await client.end();
  return pid;
}

async function measureOperations(
  testbed: Testbed,
  settings: Settings,
  workerPids: readonly number[],
): Promise<Measured[]> {
  const target = await createTarget(testbed, await testbed.startServer(), settings);
  // The rows of the first measurement are still there after the distribution.
  const turns = { next: workerPids.length === 0 ? 0 : firstTurn / 2 };
  const results: Measured[] = [];
  for (const [operation, side] of measured)
    results.push(await measureOperation(target, operation, side, turns, workerPids));
  await target.server.stop();
  return results;
}

async function measureOperation(
  target: Target,
  operation: Operation,
  side: Side,
  turns: { next: number },
  workerPids: readonly number[],
): Promise<Measured> {
  const { testbed, settings } = target;
  await operation.prepare?.(contextOf(target));
  await loadSide(target, operation, side, turns, settings.compileMs, workerPids);
  const all: Measured[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await testbed.database.query("VACUUM");
    all.push(await loadSide(target, operation, side, turns, measuredMs, workerPids));
  }
  const result = medianOf(all);
  if (result.failed > 0) throw new Error(`${operation.id}: ${result.failed} requests failed.`);
  return result;
}

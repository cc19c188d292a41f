import pg from "pg";
import { createOnNodes, startCitus } from "../../apps/server/test/support/citus";
import { checkSetup, measureProcesses } from "./capacity";
import type { Check } from "./capacity-tables";
import { measureCosts } from "./citus-costs";
import { tablesOfCitus } from "./citus-tables";
import type { Findings } from "./findings";
import type { Run } from "./run";
import { measureDemand } from "./send-demand";
import { createTestbed, readPid, type Testbed } from "./testbed";

const database = "bench";
const nodeSettings = [
  "max_wal_size=16GB",
  "checkpoint_timeout=60min",
  "shared_buffers=512MB",
  // As the guide recommends.
  "citus.recover_2pc_interval=5s",
];
/** The history does not matter here. */
const messages = 10_000;
const processCounts = [1, 2];

/**
 * Measures which node spends how much on requests, before and after `madang-server distribute`. Then it compares a
 * simulation of sends with what is measured, and derives what higher rates need of each kind of node.
 */
export async function measureCitus({ settings, resources }: Run): Promise<Findings> {
  const sized = { ...settings, measuredMs: 2_000, sizes: { ...settings.sizes, messages } };
  const cluster = await startCluster(resources);
  const testbed = await createTestbed(resources, sized.sizes, async () => cluster.url);
  const turns = { next: 0 };
  const workerPids = await Promise.all(cluster.workerUrls.map(askPid));
  const costs = await measureCosts(testbed, sized, turns, workerPids);
  const all: Testbed = { ...testbed, postgresPids: [...testbed.postgresPids, ...workerPids] };
  const { demand } = await measureDemand(all, sized, turns);
  const waiting = { ...demand, flushMs: flushesOfSend * demand.flushMs };
  const checks: Check[] = [];
  for (const processes of processCounts)
    for (const setup of await measureProcesses(all, sized, processes, turns))
      checks.push(checkSetup(waiting, setup));
  return {
    ...tablesOfCitus({ costs, workers: workerPids.length, checks }),
    data: { costs, demand: waiting, checks },
  };
}

/** PREPARE and COMMIT PREPARED on the worker, and the commit of the coordinator. */
const flushesOfSend = 3;

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

async function askPid(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const pid = await readPid(client);
  await client.end();
  return pid;
}

import pg from "pg";
import { createOnNodes, startCitus } from "../../apps/server/test/support/citus";
import { measureCosts, type OperationCost } from "./citus-costs";
import type { Findings } from "./findings";
import type { Run } from "./target";
import { createTestbed, readPid } from "./testbed";

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

/** Measures which node spends how much on requests, before and after `madang-server distribute`. */
export async function measureCitus({ settings, resources }: Run): Promise<Findings> {
  const sized = { ...settings, measuredMs: 2_000, sizes: { ...settings.sizes, messages } };
  const cluster = await startCluster(resources);
  const testbed = await createTestbed(resources, sized.sizes, async () => cluster.url);
  const workerPids = await Promise.all(cluster.workerUrls.map(askPid));
  const costs = await measureCosts(testbed, sized, { next: 0 }, workerPids);
  return { tables: [tableOf(costs, workerPids.length)], notes: [], data: costs };
}

function tableOf(costs: readonly OperationCost[], workers: number): string[][] {
  const head = [
    "milliseconds per request",
    "servers connect to",
    "Node",
    "PostgreSQL or coordinator",
    `${workers} workers together`,
    "per second",
  ];
  const lines = costs.map(({ title, servers, measured: { nodeMs, postgresMs, othersMs, perSecond } }) => [
    title,
    servers,
    nodeMs.toFixed(3),
    postgresMs.toFixed(3),
    servers === "one PostgreSQL" ? "" : othersMs.toFixed(3),
    Math.round(perSecond).toLocaleString("en-US"),
  ]);
  return [head, ...lines];
}

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

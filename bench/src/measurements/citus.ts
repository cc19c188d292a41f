import pg from "pg";
import { createOnNodes, startCitus } from "../../../apps/server/test/support/citus";
import type { Findings } from "../results/findings";
import type { Run } from "../servers/target";
import { createTestbed, readPid } from "../servers/testbed";
import { measureCosts, type OperationCost } from "./citus-costs";

const database = "bench";
const nodeSettings = ["max_wal_size=16GB", "checkpoint_timeout=60min", "shared_buffers=512MB"];
/** Its settings are those of the nodes, too. */
const guide = new URL("../../docs/guides/distributing.md", import.meta.url);
/** The history does not matter here. With these users, each has five channels. */
const sizes = { messages: 10_000, users: 20_000 };

/** Measures which node spends how much on requests, before and after `madang-server distribute`. */
export async function measureCitus({ options, settings, resources }: Run): Promise<Findings> {
  const sized = { ...settings, measuredMs: 2_000, sizes: { ...settings.sizes, ...sizes } };
  const cluster = await startCluster(resources);
  const testbed = await createTestbed(resources, sized.sizes, { startPostgres: async () => cluster.url });
  const workerPids = await Promise.all(cluster.workerUrls.map(askPid));
  const costs = await measureCosts(testbed, sized, options, workerPids);
  return { tables: [tableOf(costs, workerPids.length)], notes: [], data: costs };
}

function tableOf(costs: readonly OperationCost[], workers: number): string[][] {
  const head = [
    "milliseconds per request",
    "on",
    "Node",
    "PostgreSQL or coordinator",
    `${workers} workers together`,
    "per second",
    "processors of other programs",
  ];
  const lines = costs.map(({ title, servers, measured }) => [
    title,
    servers,
    measured.nodeMs.toFixed(3),
    measured.postgresMs.toFixed(3),
    servers === "one PostgreSQL" ? "" : measured.othersMs.toFixed(3),
    Math.round(measured.perSecond).toLocaleString("en-US"),
    measured.otherProcessors.toFixed(1),
  ]);
  return [head, ...lines];
}

async function startCluster(resources: AsyncDisposableStack) {
  const programs = process.env.MADANG_TEST_CITUS;
  if (programs === undefined)
    throw new Error(
      "Set MADANG_TEST_CITUS to the folder that pg_config --bindir prints, of a PostgreSQL with Citus.",
    );
  const starting = startCitus(programs, nodeSettings, guide);
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

import { availableParallelism } from "node:os";
import { type Check, tablesOf } from "./capacity-tables";
import { createTarget, loadSide, type Settings } from "./compare";
import type { Findings } from "./findings";
import type { Measured } from "./load";
import type { Run } from "./run";
import { measureDemand, replanMs, send } from "./send-demand";
import { type Demand, simulate } from "./simulate";
import { median } from "./statistics";
import { createTestbed, type Testbed } from "./testbed";

const poolSize = 20;
const rounds = 7;
const measuredMs = 2_000;
const processCounts = [1, 2, 3];
/** With fewer, a process handles each request by itself, which needs more processor time. */
const clientCounts = [8, 16, 32, 64];

/**
 * Measures what a send needs on one process, simulates the throughput of other set-ups, and compares it with what these
 * really reach. If they agree, it derives what higher rates need.
 */
export async function measureCapacity({ settings, resources }: Run): Promise<Findings> {
  const testbed = await createTestbed(resources, settings.sizes);
  const turns = { next: 0 };
  const { demand, reading } = await measureDemand(testbed, settings, turns);
  const setups: Setup[] = [];
  for (const processes of processCounts)
    setups.push(...(await measureProcesses(testbed, { ...settings, measuredMs }, processes, turns)));
  const checks = setups.map((setup) => checkSetup(demand, setup));
  return { ...tablesOf({ demand, reading, checks }), data: { demand, reading, checks, setups } };
}

export interface Setup {
  readonly processes: number;
  readonly clients: number;
  /** One after another. */
  readonly measured: Measured[];
}

/** Starts so many processes, and loads them with each number of clients in turn. No other server runs. */
export async function measureProcesses(
  testbed: Testbed,
  settings: Settings,
  processes: number,
  turns: { next: number },
): Promise<Setup[]> {
  const workers = processes === 1 ? [] : ["--workers", String(processes)];
  const target = await createTarget(testbed, await testbed.startServer({ arguments: workers }), settings);
  const connections = Math.max(...clientCounts);
  await testbed.database.query("VACUUM ANALYZE");
  await loadSide({ ...target, settings: { ...settings, connections } }, send, "server", turns, replanMs);
  const setups = clientCounts.map((clients): Setup => ({ processes, clients, measured: [] }));
  for (let round = 0; round < rounds; round += 1)
    for (const { clients, measured } of setups)
      measured.push(
        await loadSide({ ...target, settings: { ...settings, connections: clients } }, send, "server", turns),
      );
  await target.server.stop();
  const failed = setups.flatMap(({ measured }) => measured).reduce((sum, { failed }) => sum + failed, 0);
  if (failed > 0) throw new Error(`${send.id}: ${failed} requests failed.`);
  return setups;
}

/** Round by round, because other programs leave a different part of the machine to each. */
export function checkSetup(demand: Demand, { processes, clients, measured }: Setup): Check {
  const simulated = measured.map(({ otherProcessors }) =>
    simulate(demand, { processes, clients, poolSize, processors: availableParallelism() - otherProcessors }),
  );
  const errors = measured.map(({ perSecond }, round) => (simulated[round] ?? Number.NaN) / perSecond - 1);
  return {
    processes,
    clients,
    perSecond: median(measured.map(({ perSecond }) => perSecond)),
    simulated: median(simulated),
    error: median(errors),
  };
}

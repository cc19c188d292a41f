import { availableParallelism } from "node:os";
import { createTarget, loadSide, type Settings, type Target } from "./compare";
import type { Findings } from "./findings";
import type { Measured } from "./load";
import { findOperation } from "./operations/all";
import { medianOf } from "./row";
import type { Run } from "./run";
import { type Demand, simulate } from "./simulate";
import { createTestbed } from "./testbed";

const operation = findOperation("messages.send");
const poolSize = 20;
const rounds = 5;
/** The simulation may be trusted if it is at most so far from what was measured. */
const maxError = 0.2;
/** The share of a processor that is planned with: the rest is for peaks. */
const plannedShare = 0.7;
const rates = [1_000, 10_000, 100_000];
/** The demands of a request are measured here. */
const reference = { processes: 1, connections: 8 };
const systems = [
  { processes: 1, connections: 2 },
  { processes: 1, connections: 8 },
  { processes: 1, connections: 32 },
  { processes: 2, connections: 8 },
  { processes: 2, connections: 32 },
];

/**
 * Measures what a send needs, simulates the throughput of other numbers of clients and processes, and compares it with
 * what these really reach. If they agree, it derives what higher rates need.
 */
export async function measureCapacity({ settings, resources }: Run): Promise<Findings> {
  const testbed = await createTestbed(resources, settings.sizes);
  const single = await createTarget(testbed, await testbed.startServer(), settings);
  const workers = await testbed.startServer({ arguments: ["--workers", "2"] });
  const double = await createTarget(testbed, workers, settings);
  const turns = { next: 0 };
  const measure = async (target: Target, connections: number): Promise<Measured> => {
    const changed = { ...target, settings: { ...target.settings, connections } satisfies Settings };
    const all: Measured[] = [];
    for (let round = 0; round < rounds; round += 1)
      all.push(await loadSide(changed, operation, "server", turns));
    const middle = medianOf(all);
    if (middle.failed > 0) throw new Error(`${operation.id}: ${middle.failed} requests failed.`);
    return middle;
  };
  // Node compiles hot code.
  for (const target of [single, double]) await measure(target, reference.connections);
  const alone = await measure(single, 1);
  const { nodeMs, postgresMs, loadMs } = await measure(single, reference.connections);
  const busyMs = alone.nodeMs + alone.postgresMs + alone.loadMs;
  const demand = { nodeMs, postgresMs, loadMs, waitMs: Math.max(0, 1_000 / alone.perSecond - busyMs) };
  const processors = availableParallelism();
  const checks: Check[] = [];
  for (const system of systems) {
    const target = system.processes === 1 ? single : double;
    const { perSecond } = await measure(target, system.connections);
    checks.push({ ...system, perSecond, simulated: simulate(demand, { ...system, poolSize, processors }) });
  }
  const isTrusted = checks.every((check) => Math.abs(errorOf(check)) <= maxError);
  const note = isTrusted
    ? `The simulation is at most ${percent(maxError)} from what was measured.`
    : `The simulation is more than ${percent(maxError)} from what was measured: the plan below is not supported.`;
  return {
    tables: [demandTable(demand), checkTable(checks), planTable(demand)],
    notes: [note],
    data: { demand, processors, checks },
  };
}

interface Check {
  readonly processes: number;
  readonly connections: number;
  readonly perSecond: number;
  readonly simulated: number;
}

const errorOf = ({ perSecond, simulated }: Check) => simulated / perSecond - 1;
const percent = (share: number) => `${(share * 100).toFixed(0)} %`;
const whole = (value: number) => Math.round(value).toLocaleString("en-US");

function demandTable({ nodeMs, postgresMs, loadMs, waitMs }: Demand): string[][] {
  const cells = [nodeMs, postgresMs, loadMs, waitMs].map((value) => value.toFixed(3));
  return [
    ["milliseconds of a send", "Node", "PostgreSQL", "the client", "disk and network"],
    [operation.title, ...cells],
  ];
}

function checkTable(checks: readonly Check[]): string[][] {
  const lines = checks.map((check) => [
    String(check.processes),
    String(check.connections),
    whole(check.perSecond),
    whole(check.simulated),
    percent(errorOf(check)),
  ]);
  return [["processes", "clients", "measured, per second", "simulated", "error"], ...lines];
}

/** How many processes of Node, and how many processors for PostgreSQL, a rate needs. */
function planTable({ nodeMs, postgresMs }: Demand): string[][] {
  const needed = (rate: number, ms: number) => whole(Math.ceil((rate * ms) / 1_000 / plannedShare));
  const lines = rates.map((rate) => [whole(rate), needed(rate, nodeMs), needed(rate, postgresMs)]);
  return [["sends per second", "processes of Node", "processors of PostgreSQL"], ...lines];
}

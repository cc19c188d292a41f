import type { Findings } from "./findings";
import type { Reading } from "./send-demand";
import { type Demand, simulate } from "./simulate";

/** Sends per second of so many processes of Node, and of clients that send one message after another. */
export interface Check {
  readonly processes: number;
  readonly clients: number;
  readonly perSecond: number;
  readonly simulated: number;
  /** Of the simulation, as a share of what was measured. Like the others, a median of the rounds. */
  readonly error: number;
}

export interface Capacity {
  readonly demand: Demand;
  readonly reading: Reading;
  readonly checks: readonly Check[];
}

/** The simulation may be trusted if it is at most so far from what was measured. */
const maxError = 0.2;
/** The share of a processor that is planned with: the rest is for peaks. */
export const plannedShare = 0.7;
export const rates = [1_000, 10_000, 100_000];
/** Assumed for the plan. */
export const processorsOfMachine = 16;
export const processorsOfLargestMachine = 96;

export function tablesOf({ demand, reading, checks }: Capacity): Pick<Findings, "tables" | "notes"> {
  const followed = (1_000 * plannedShare) / reading.nodeMs;
  return {
    tables: [demandTable(demand, reading), checkTable(checks), planTable(demand, reading)],
    notes: [
      verdictOn(checks),
      `A process that serves streams can read ${whole(followed)} events per second.`,
    ],
  };
}

/** Whether the plan may be trusted. */
export function verdictOn(checks: readonly Check[]): string {
  const farthest = Math.max(...checks.map(({ error }) => Math.abs(error)));
  return farthest <= maxError
    ? `The simulation is at most ${percent(farthest)} from what was measured.`
    : `The simulation is up to ${percent(farthest)} from what was measured, more than ${percent(maxError)}: the plan is not supported.`;
}

const percent = (share: number) => `${(share * 100).toFixed(0)} %`;
export const whole = (value: number) => Math.round(value).toLocaleString("en-US");

function demandTable({ nodeMs, postgresMs, flushMs, numbering }: Demand, reading: Reading): string[][] {
  const row = (title: string, ...values: readonly number[]) => [
    title,
    ...values.map((value) => value.toFixed(3)),
  ];
  return [
    ["milliseconds", "Node", "PostgreSQL"],
    row("a send", nodeMs, postgresMs),
    row("numbering new events, up to 50 times per second", numbering.nodeMs, numbering.postgresMs),
    [...row("the notification of that, each time and process", numbering.notifiedMs), ""],
    row("reading an event, for each process that serves streams", reading.nodeMs, reading.postgresMs),
    ["flush of the log, without a processor", "", flushMs.toFixed(3)],
  ];
}

export function checkTable(checks: readonly Check[]): string[][] {
  const lines = checks.map(({ processes, clients, perSecond, simulated, error }) => [
    String(processes),
    String(clients),
    whole(perSecond),
    whole(simulated),
    percent(error),
  ]);
  return [["processes", "clients", "measured, per second", "simulated", "error"], ...lines];
}

/** What a rate needs: the first plan, in steps of a tenth, whose simulated maximum leaves enough. */
function planTable(demand: Demand, { nodeMs, postgresMs }: Reading): string[][] {
  const lines = rates.map((rate) => {
    const { processes, processors, maximum } = findPlan(demand, rate);
    const tooMany = processors > processorsOfLargestMachine ? ": too many for one machine" : "";
    return [
      whole(rate),
      `${whole(processes)} (${whole(Math.ceil(processes / processorsOfMachine))})`,
      `${whole(processors)}${tooMany}`,
      whole(maximum),
      `${percent((rate * nodeMs) / 1_000)} + ${((rate * postgresMs) / 1_000).toFixed(2)}`,
    ];
  });
  return [
    [
      "sends per second",
      `processes of Node (machines of ${processorsOfMachine})`,
      "processors of PostgreSQL",
      "simulated maximum",
      "each process with streams: of its processor, and processors of PostgreSQL",
    ],
    ...lines,
  ];
}

function findPlan(demand: Demand, rate: number) {
  for (let factor = 1; ; factor *= 1.1) {
    const needed = (ms: number) => Math.ceil((factor * rate * ms) / 1_000);
    const [processes, processors] = [needed(demand.nodeMs), needed(demand.postgresMs)];
    const clients = 8 * (processes + processors);
    const system = { clients, processes, poolSize: processors, processors: Number.POSITIVE_INFINITY };
    const maximum = simulate({ ...demand, loadMs: 0 }, system);
    if (maximum * plannedShare >= rate) return { processes, processors, maximum };
  }
}

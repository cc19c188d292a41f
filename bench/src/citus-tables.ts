import {
  type Check,
  checkTable,
  plannedShare,
  processorsOfLargestMachine,
  processorsOfMachine,
  rates,
  verdictOn,
  whole,
} from "./capacity-tables";
import type { Findings } from "./findings";
import type { Measured } from "./load";

/** A request of servers that connect to one PostgreSQL, or to these nodes of the cluster that was made of it. */
export interface OperationCost {
  readonly title: string;
  readonly servers: "one PostgreSQL" | "coordinator" | "workers";
  /** `postgresMs` is that of the coordinator, `othersMs` that of all workers together. */
  readonly measured: Measured;
}

export interface ClusterDemand {
  readonly costs: readonly OperationCost[];
  readonly workers: number;
  readonly checks: readonly Check[];
}

export function tablesOfCitus({ costs, workers, checks }: ClusterDemand): Pick<Findings, "tables" | "notes"> {
  return {
    tables: [costTable(costs, workers), checkTable(checks), planTable(costs)],
    notes: [verdictOn(checks)],
  };
}

function costTable(costs: readonly OperationCost[], workers: number): string[][] {
  const lines = costs.map(({ title, servers, measured }) => [
    title,
    servers,
    measured.nodeMs.toFixed(3),
    measured.postgresMs.toFixed(3),
    servers === "one PostgreSQL" ? "" : measured.othersMs.toFixed(3),
    whole(measured.perSecond),
    limitOf(measured),
  ]);
  const head = [
    "milliseconds per request",
    "servers connect to",
    "Node",
    "PostgreSQL or coordinator",
    `${workers} workers together`,
    "per second",
    `max per second with ${processorsOfLargestMachine} processors`,
  ];
  return [head, ...lines];
}

/** How many requests per second the largest machine can serve as the only PostgreSQL, or as the coordinator. */
const limitOf = ({ postgresMs }: Measured) =>
  postgresMs < minMs ? "" : whole((processorsOfLargestMachine * plannedShare * 1_000) / postgresMs);
/** Below, a request does not use the node: what is measured is other work. */
const minMs = 0.005;

/** The processors that each kind of node needs for a rate. */
function planTable(costs: readonly OperationCost[]): string[][] {
  const sends = costs.filter(
    ({ title, servers }) => title.startsWith("send") && servers !== "one PostgreSQL",
  );
  const lines = rates.flatMap((rate) =>
    sends.map(({ title, servers, measured: { nodeMs, postgresMs, othersMs } }) => {
      const processors = (ms: number) => Math.ceil((rate * ms) / 1_000 / plannedShare);
      const coordinator = processors(postgresMs);
      const tooMany = coordinator > processorsOfLargestMachine ? ": too many for one machine" : "";
      return [
        `${whole(rate)} per second: ${title}`,
        servers,
        whole(processors(nodeMs)),
        `${whole(coordinator)}${tooMany}`,
        `${whole(processors(othersMs))} (${whole(Math.ceil(processors(othersMs) / processorsOfMachine))})`,
      ];
    }),
  );
  const head = [
    "processors needed",
    "servers connect to",
    "Node",
    "coordinator",
    `workers (machines of ${processorsOfMachine})`,
  ];
  return [head, ...lines];
}

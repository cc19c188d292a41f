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

/** A request on one PostgreSQL, and on the cluster that was made of it. `othersMs` is that of all workers together. */
export interface OperationCost {
  readonly title: string;
  readonly plain: Measured;
  readonly distributed: Measured;
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
  const lines = costs.map(({ title, plain, distributed }) => [
    title,
    plain.nodeMs.toFixed(3),
    plain.postgresMs.toFixed(3),
    distributed.nodeMs.toFixed(3),
    distributed.postgresMs.toFixed(3),
    distributed.othersMs.toFixed(3),
    whole(plain.perSecond),
    whole(distributed.perSecond),
    limitOf(plain),
    limitOf(distributed),
  ]);
  const head = [
    "milliseconds per request",
    "Node, before",
    "PostgreSQL, before",
    "Node",
    "coordinator",
    `${workers} workers together`,
    "per second, before",
    "per second",
    `at most per second with ${processorsOfLargestMachine} processors, before`,
    `with a coordinator of ${processorsOfLargestMachine}`,
  ];
  return [head, ...lines];
}

/** How many requests per second the largest machine can serve as the only PostgreSQL, or as the coordinator. */
const limitOf = ({ postgresMs }: Measured) =>
  whole((processorsOfLargestMachine * plannedShare * 1_000) / postgresMs);

/** The processors that each kind of node needs for a rate. */
function planTable(costs: readonly OperationCost[]): string[][] {
  const sends = costs.filter(({ title }) => title.startsWith("send"));
  const lines = rates.flatMap((rate) =>
    sends.map(({ title, distributed: { nodeMs, postgresMs, othersMs } }) => {
      const processors = (ms: number) => Math.ceil((rate * ms) / 1_000 / plannedShare);
      const coordinator = processors(postgresMs);
      const tooMany = coordinator > processorsOfLargestMachine ? ": too many for one machine" : "";
      return [
        `${whole(rate)} per second: ${title}`,
        whole(processors(nodeMs)),
        `${whole(coordinator)}${tooMany}`,
        `${whole(processors(othersMs))} (${whole(Math.ceil(processors(othersMs) / processorsOfMachine))})`,
      ];
    }),
  );
  const head = ["processors needed", "Node", "coordinator", `workers (machines of ${processorsOfMachine})`];
  return [head, ...lines];
}

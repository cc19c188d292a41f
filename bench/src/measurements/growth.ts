import { findOperation } from "../operations/all";
import { type Operation, pick } from "../operations/operation";
import { send } from "../operations/writes";
import type { Findings } from "../results/findings";
import { costMs } from "../results/row";
import { type Ratio, summarize } from "../results/statistics";
import { fullSizes, historyChannel, membersOfHistory } from "../servers/dataset";
import type { Run } from "../servers/target";
import { contextOf, createTarget, loadSide, type Target } from "../servers/target";
import { createTestbed } from "../servers/testbed";

/** The cost of an operation, in milliseconds of processor time, for each size of the database. */
interface Growth {
  readonly id: string;
  readonly title: string;
  readonly costs: readonly Ratio[];
}

const sendToHistory: Operation = {
  id: "messages.sendLong",
  title: "send into the long history",
  turn: (n) => [send(historyChannel, pick(n, membersOfHistory), n)],
};

const operations = [
  ...["exports.100.newest", "exports.100.middle", "exports.100.oldest"].map(findOperation),
  ...["messages.list.newest", "messages.list.oldest", "users.channels"].map(findOperation),
  ...["channels.members.join", "users.get", "users.list"].map(findOperation),
  sendToHistory,
];

const allSizes = [1_000, 10_000, 100_000, 1_000_000];
const rounds = 5;
const measuredMs = 1_000;
const maxSpread = 0.25;
/** A cost that grows by a smaller factor counts as constant. */
const maxGrowth = 1.2;

/** Measures the same operations on databases of every size. They take turns, so that noise affects all of them. */
export async function measureGrowth({ options, settings, resources }: Run): Promise<Findings> {
  const sizes = options.quick ? allSizes.slice(0, -1) : allSizes;
  const targets: Target[] = [];
  for (const size of sizes) {
    const grown = { ...fullSizes, users: size, channels: 1_000, pairs: 10, messages: size };
    const testbed = await createTestbed(resources, grown);
    const server = await testbed.startServer();
    targets.push(await createTarget(testbed, server, { ...settings, measuredMs, sizes: grown }));
  }
  const results: Growth[] = [];
  for (const operation of operations) results.push(await growthOf(operation, targets));
  return {
    tables: [tableOf(results, sizes)],
    notes: [...results.flatMap(evaluate), ...evaluateDepth(results)],
    data: results,
  };
}

async function growthOf(operation: Operation, targets: readonly Target[]): Promise<Growth> {
  const costs = targets.map((): number[] => []);
  const turns = targets.map(() => ({ next: 0 }));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, target] of targets.entries()) {
      // Every time, because the requests have a cursor of this database.
      await operation.prepare?.(contextOf(target));
      const measured = await loadSide(target, operation, "server", turns[index] ?? { next: 0 });
      if (measured.failed > 0) throw new Error(`${operation.id}: ${measured.failed} requests failed.`);
      // In the first round, Node compiles hot code.
      if (round > 0) costs[index]?.push(costMs(measured));
    }
  }
  return { id: operation.id, title: operation.title, costs: costs.map(summarize) };
}

const spreadOf = ({ costs }: Growth) => Math.max(...costs.map(({ spread }) => spread));
const lastOf = ({ costs }: Growth) => costs.at(-1)?.median ?? Number.NaN;
const growthFactor = (growth: Growth) => lastOf(growth) / (growth.costs[0]?.median ?? Number.NaN);

function tableOf(results: readonly Growth[], sizes: readonly number[]): string[][] {
  const head = ["milliseconds", ...sizes.map((size) => size.toLocaleString("en-US")), "growth", "spread"];
  const lines = results.map((growth) => [
    growth.title,
    ...growth.costs.map(({ median }) => median.toFixed(3)),
    growthFactor(growth).toFixed(2),
    `${(spreadOf(growth) * 100).toFixed(0)} %`,
  ]);
  return [head, ...lines];
}

function evaluate(growth: Growth): string[] {
  const spread = spreadOf(growth);
  if (spread > maxSpread) return [`${growth.title}: no verdict, the rounds spread by ${spread.toFixed(2)}.`];
  const factor = growthFactor(growth);
  return factor > maxGrowth ? [`${growth.title}: the cost grows by ${factor.toFixed(2)}.`] : [];
}

/** The oldest page of a history must not cost more than the newest. */
function evaluateDepth(results: readonly Growth[]): string[] {
  const [newest, ...deeper] = results.filter(({ id }) => id.startsWith("exports.100."));
  if (newest === undefined) return [];
  return deeper
    .filter((growth) => lastOf(growth) / lastOf(newest) > maxGrowth)
    .map(
      (growth) => `${growth.title}: costs ${(lastOf(growth) / lastOf(newest)).toFixed(2)} times the newest.`,
    );
}

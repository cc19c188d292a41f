import { type Contest, loadSide, worldOf } from "./contest";
import type { Measured } from "./load";
import { findOperation } from "./operations/all";
import { send } from "./operations/channels";
import { type Operation, pick } from "./operations/operation";
import type { Settings } from "./report";
import { makeSubKey, type Stage, setStage } from "./stage";
import { type Ratio, summarize } from "./statistics";
import { bigRoom, bigRoomMembers, fullSizes } from "./world";

/** The cost of one operation on ever larger databases: processor time of Node and PostgreSQL together, in milliseconds. */
export interface Grown {
  readonly id: string;
  readonly title: string;
  /** One for each size. */
  readonly costsMs: readonly Ratio[];
}

export const growthSizes = [1_000, 10_000, 100_000, 1_000_000];

/** A message into the channel whose history grows. */
const sendToHistory: Operation = {
  id: "messages.sendLong",
  title: "send into the long history",
  target: undefined,
  turn: (n) => [send(bigRoom, pick(n, bigRoomMembers), n)],
};

const operations = [
  ...["exports.100.newest", "exports.100.middle", "exports.100.oldest"].map(findOperation),
  ...["channels.members.join", "users.get", "users.list"].map(findOperation),
  sendToHistory,
];

const rounds = 3;
const rooms = 1_000;

/**
 * Measures the same operations on databases of every size, which are all there at once and take turns, so that a machine
 * that grows slower meanwhile is slower for all of them.
 */
export async function measureGrowth(
  settings: Settings,
  sizes: readonly number[],
  server: string | undefined,
): Promise<Grown[]> {
  const stages: Stage[] = [];
  const contests: Contest[] = [];
  try {
    for (const size of sizes) {
      const grownTo = { ...fullSizes, users: size, rooms, pairs: 10, messages: size };
      const stage = await setStage(grownTo, server);
      stages.push(stage);
      const program = await stage.startServer();
      const key = await makeSubKey(program.url);
      const sides = { server: program, ceiling: program };
      contests.push({ stage, sides, key, settings: { ...settings, ...pace, sizes: grownTo } });
    }
    const results: Grown[] = [];
    for (const operation of operations) results.push(await growthOf(operation, contests));
    return results;
  } finally {
    for (const { sides } of contests) await sides.server.stop();
    for (const stage of stages) await stage.close();
  }
}

const noTurns = { server: 0, ceiling: 0 };
const pace = { warmUpMs: 200, measuredMs: 1_000 };

async function growthOf(operation: Operation, contests: readonly Contest[]): Promise<Grown> {
  const costs = contests.map((): number[] => []);
  const turns = contests.map(() => ({ ...noTurns }));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, contest] of contests.entries()) {
      // Each time anew: the request bears a cursor of this database.
      await operation.prepare?.(worldOf(contest));
      const cost = costOf(await loadSide(contest, operation, "server", turns[index] ?? noTurns), operation);
      // In the first round Node still compiles.
      if (round > 0) costs[index]?.push(cost);
    }
  }
  return { id: operation.id, title: operation.title, costsMs: costs.map(summarize) };
}

function costOf({ nodeMs, postgresMs, failed }: Measured, { id }: Operation): number {
  if (failed > 0) throw new Error(`${id}: ${failed} requests failed.`);
  return nodeMs + postgresMs;
}

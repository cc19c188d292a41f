import { type Contest, loadSide, worldOf } from "./contest";
import { findOperation } from "./operations/all";
import type { Settings } from "./report";
import { makeSubKey, setStage } from "./stage";
import { median } from "./statistics";
import { fullSizes } from "./world";

/** What is measured at every size: the processor time of Node and PostgreSQL together, which a busy machine bends least. */
export const grown = [
  "exports.100.newest",
  "exports.100.middle",
  "exports.100.oldest",
  "messages.send",
  "members.join",
  "users.get",
  "users.list",
] as const;

export interface Grown {
  /** How many users and how many messages in one channel there were. */
  readonly size: number;
  readonly costMs: Readonly<Record<string, number>>;
}

const rounds = 3;

/** Measures the same operations on ever larger databases; each is seeded anew. */
export async function measureGrowth(
  settings: Settings,
  sizes: readonly number[],
  server: string | undefined,
): Promise<Grown[]> {
  const results: Grown[] = [];
  for (const size of sizes) {
    const stage = await setStage(
      { ...fullSizes, users: size, rooms: 1_000, pairs: 10, messages: size },
      server,
    );
    try {
      const program = await stage.startServer();
      const sides = { server: program, ceiling: program };
      const key = await makeSubKey(program.url);
      const sizesNow = { ...settings.sizes, users: size, rooms: 1_000, messages: size };
      const contest: Contest = { stage, sides, key, settings: { ...settings, sizes: sizesNow } };
      const costMs: Record<string, number> = {};
      for (const id of grown) costMs[id] = await costOf(contest, id);
      results.push({ size, costMs });
      await program.stop();
    } finally {
      await stage.close();
    }
  }
  return results;
}

async function costOf(contest: Contest, id: string): Promise<number> {
  const operation = findOperation(id);
  await operation.prepare?.(worldOf(contest));
  const turns = { server: 0, ceiling: 0 };
  const costs: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const { nodeMs, postgresMs, failed } = await loadSide(contest, operation, "server", turns);
    if (failed > 0) throw new Error(`${id}: ${failed} requests failed.`);
    if (round > 0) costs.push(nodeMs + postgresMs);
  }
  return median(costs);
}

import type { Target } from "./compare";
import { processorTimeMs, totalProcessorTimeMs } from "./processor-time";

/** A server's processor time in a second of some work, and how often it numbered events. */
interface Observed {
  readonly nodeMs: number;
  readonly postgresMs: number;
  readonly numbered: number;
}

/** Runs work, and measures what the server and PostgreSQL use meanwhile. */
export async function observe<Result>(
  { testbed, server }: Pick<Target, "testbed" | "server">,
  work: () => Promise<Result>,
): Promise<Observed & { readonly seconds: number; readonly result: Result }> {
  const read = async () => {
    const { rows } = await testbed.database.query("SELECT count(*)::int AS count FROM event_ranges");
    return {
      ms: performance.now(),
      nodeMs: processorTimeMs(server.pid),
      postgresMs: totalProcessorTimeMs(testbed.postgresPids),
      numbered: Number(rows[0].count),
    };
  };
  const before = await read();
  const result = await work();
  const after = await read();
  const seconds = (after.ms - before.ms) / 1_000;
  const perSecond = (name: keyof Observed) => (after[name] - before[name]) / seconds;
  return {
    nodeMs: perSecond("nodeMs"),
    postgresMs: perSecond("postgresMs"),
    numbered: perSecond("numbered"),
    seconds,
    result,
  };
}

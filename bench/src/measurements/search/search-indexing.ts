import pg from "pg";
import type { Db } from "../../../../apps/server/src/db/db";
import { numberEvents } from "../../../../apps/server/src/modules/events/numbering/number-store";
import { createIndexer } from "../../../../apps/server/src/modules/search/indexer";
import { processorTimeMs, totalProcessorTimeMs } from "../../results/processor-time";
import type { Testbed } from "../../servers/testbed";

export const indexingHead = [
  "indexing",
  "number",
  "seconds",
  "Node, µs of processor time for each",
  "PostgreSQL",
  "longest step, ms",
];

/** Runs the indexer of the server as fast as it can. */
export async function indexAll(
  { url, postgresPids, database }: Testbed,
  title: string,
  count: number,
  unit: "channel" | "message",
): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, types: { getTypeParser }, options: sessionOptions });
  await client.connect();
  const db = dbOf(client);
  await numberEvents(db, { waitsForLock: true });
  const step = createIndexer(db);
  const clocks = () =>
    [performance.now(), processorTimeMs(process.pid), totalProcessorTimeMs(postgresPids)] as const;
  const [startedAt, node, postgres] = clocks();
  let longestMs = 0;
  for (let isMore = true; isMore; ) {
    const stepAt = performance.now();
    isMore = (await step()) === true;
    longestMs = Math.max(longestMs, performance.now() - stepAt);
  }
  const [endedAt, nodeAfter, postgresAfter] = clocks();
  await client.end();
  await database.query("VACUUM ANALYZE search_blocks");
  const microseconds = (ms: number) => ((1_000 * ms) / count).toFixed(1);
  return [
    title,
    `${count.toLocaleString("en-US")} ${unit}s`,
    ((endedAt - startedAt) / 1_000).toFixed(0),
    microseconds(nodeAfter - node),
    microseconds(postgresAfter - postgres),
    longestMs.toFixed(0),
  ];
}

const sessionOptions =
  "-c enable_seqscan=off -c enable_bitmapscan=off -c plan_cache_mode=force_generic_plan -c jit=off";

/** 64-bit integers are numbers, as in the server. */
const getTypeParser: typeof pg.types.getTypeParser = (type, format) =>
  type === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(type, format);

/** One connection, without Prisma. */
function dbOf(client: pg.Client): Db {
  const db: Db = {
    async query<Row>({ name, text }: { name: string; text: string }, values: readonly unknown[] = []) {
      const { rows } = await client.query({ name, text, values: [...values] });
      // As the statement declares them.
      return rows as Row[];
    },
    async transaction(work) {
      await client.query("BEGIN");
      const result = await work({ ...db, isTransaction: true });
      await client.query("COMMIT");
      return result;
    },
    takeTurn: (_channelId, write) => write(),
    channel: () => db,
    schemas: () => [db],
    isDistributed: false,
  };
  return db;
}

import type pg from "pg";
import { fold } from "../../apps/server/src/resources/search/match";
import { processorTimeMs } from "./processor-time";
import { type Corpus, rare } from "./search-texts";
import { quantile } from "./statistics";

const messagesPerGinBlock = 128;

/** The other design: the hashes of the pairs of characters of each 128 messages, with the channel, in a GIN index. */
export async function measureGin(
  database: pg.Client,
  corpus: Corpus,
  channelId: string,
): Promise<string[][]> {
  await database.query(
    "CREATE TABLE bench_grams (channel_pk bigint, block integer, grams int4[] NOT NULL, PRIMARY KEY (channel_pk, block))",
  );
  await database.query("CREATE INDEX bench_grams_by_gram ON bench_grams USING gin (grams)");
  const { rows: channels } = await database.query("SELECT pk FROM channels WHERE channel_id = $1", [
    channelId,
  ]);
  const channelPk: string = channels[0].pk;
  const backend = (await database.query("SELECT pg_backend_pid() AS pid")).rows[0].pid;
  const before = processorTimeMs(backend);
  let at = "0";
  let block = 0;
  let buildMs = 0;
  for (;;) {
    const { rows } = await database.query(
      "SELECT created_at, content FROM messages WHERE channel_pk = $1 AND created_at > $2 ORDER BY created_at LIMIT 6400",
      [channelPk, at],
    );
    if (rows.length === 0) break;
    at = rows.at(-1).created_at;
    const startedAt = performance.now();
    const blocks = Array.from({ length: Math.ceil(rows.length / messagesPerGinBlock) }, (_, index) =>
      rows.slice(index * messagesPerGinBlock, (index + 1) * messagesPerGinBlock),
    ).map((messages) => [...new Set(messages.flatMap(({ content }) => pairsOf(content)))]);
    buildMs += performance.now() - startedAt;
    for (const grams of blocks)
      await database.query("INSERT INTO bench_grams VALUES ($1, $2, $3)", [channelPk, block++, grams]);
  }
  const insertMs = processorTimeMs(backend) - before;
  await database.query("SELECT gin_clean_pending_list('bench_grams_by_gram')");
  await database.query("VACUUM ANALYZE bench_grams");
  const { rows: sizes } = await database.query("SELECT pg_total_relation_size('bench_grams') AS total");
  const measure = async (terms: readonly string[], text: string, valuesOf: (term: string) => unknown[]) => {
    const times: number[] = [];
    let found = 0;
    for (const isMeasured of [false, true])
      for (const term of terms) {
        const startedAt = performance.now();
        const { rows } = await database.query({ name: text.slice(0, 60), text, values: valuesOf(term) });
        if (!isMeasured) continue;
        times.push(performance.now() - startedAt);
        found += Number(rows[0].count);
      }
    return { p50: quantile(times, 0.5), p95: quantile(times, 0.95), found: found / terms.length };
  };
  const messages = block * messagesPerGinBlock;
  const lines: string[][] = [];
  for (const [name, terms] of [
    ["absent", corpus.absent],
    ["rare", rare],
    ["one of thousands", corpus.medium],
    ["frequent", corpus.frequent],
  ] as const) {
    const gin = await measure(
      terms,
      "SELECT count(*) FROM bench_grams WHERE channel_pk = $1 AND grams @> $2",
      (term) => [channelPk, pairsOf(term)],
    );
    lines.push([name, gin.p50.toFixed(1), gin.p95.toFixed(1), (gin.found * messagesPerGinBlock).toFixed(0)]);
  }
  return [
    [
      `GIN, ${(Number(sizes[0].total) / messages).toFixed(0)} bytes per message, ${((1_000 * insertMs) / messages).toFixed(1)} ms of PostgreSQL and ${((1_000 * buildMs) / messages).toFixed(1)} of Node per 1,000`,
      "all blocks, p50, ms",
      "p95",
      "messages to read",
    ],
    ...lines,
  ];
}

function pairsOf(text: string): number[] {
  const pairs = new Set<number>();
  for (const word of fold(text).split(/\s+/u))
    for (let index = 0; index + 1 < word.length; index++)
      pairs.add(
        (Math.imul(word.charCodeAt(index), 0x9e3779b1) ^ Math.imul(word.charCodeAt(index + 1), 0x85ebca6b)) |
          0,
      );
  return [...pairs];
}

import type pg from "pg";
import type { Findings } from "../../results/findings";
import { processorTimeMs, totalProcessorTimeMs } from "../../results/processor-time";
import { quantile } from "../../results/statistics";
import { createTarget, type Run, type Target } from "../../servers/target";
import { createTestbed } from "../../servers/testbed";
import { measureLists, seedTeams } from "./prefix-lists";
import {
  addNewMessages,
  addRareTerms,
  long,
  newMessages,
  seedChannels,
  seedTexts,
  userId,
} from "./search-data";
import { indexAll, indexingHead } from "./search-indexing";
import { createCorpus, rare } from "./search-texts";
import { measureSendsBesideSearches } from "./sends-beside-searches";

const textCount = 200_000;
const userChannels = 300;
const messagesOfEach = 300;
const smallChannels = 100_000;
const messagesOfSmall = 30;
const teams = 1_000_000;

/**
 * Searches, the size of the index, the cost of indexing, sends beside searches, and lists by ids and by the beginning of
 * names.
 */
export async function measureSearch({ options, settings, resources }: Run): Promise<Findings> {
  const { messages } = settings.sizes;
  const few = { users: 1_000, channels: 10, pairs: 1, messages: 1_000 };
  const testbed = await createTestbed(resources, few);
  const corpus = createCorpus(options.quick ? textCount / 4 : textCount);
  const small = options.quick ? smallChannels / 10 : smallChannels;
  await seedTexts(testbed.database, corpus);
  await seedChannels(testbed.database, corpus, [
    [long, 1, messages],
    ["search_many_", userChannels, messagesOfEach],
  ]);
  await addRareTerms(testbed.database, messages);
  const allMessages = messages + userChannels * messagesOfEach;
  const indexing = [
    indexingHead,
    await indexAll(testbed, "the messages of an existing database", allMessages, "message"),
  ];
  await addNewMessages(testbed.database, corpus);
  indexing.push(await indexAll(testbed, "new messages in one channel", newMessages, "message"));
  await seedChannels(testbed.database, corpus, [["search_small_", small, messagesOfSmall]]);
  await seedTeams(testbed.database, options.quick ? teams / 10 : teams);
  await testbed.database.query("UPDATE consumers SET position = 0 WHERE name LIKE 'search build %'");
  indexing.push(await indexAll(testbed, "a pass over channels without a full block", small, "channel"));
  const sizes = await readSizes(testbed.database);
  const target = await createTarget(testbed, await testbed.startServer(), { ...settings, sizes: few });
  const rows: SearchRow[] = [];
  const inLong = `/v1/group/channels/${long}/messages/search`;
  const ofUser = `/v1/users/${userId}/messages/search`;
  const pairs = (terms: readonly string[]) => terms.map((term, index) => `${term} ${terms.at(-1 - index)}`);
  const classes = {
    frequent: corpus.frequent,
    "one of thousands": corpus.medium,
    "two terms": pairs(corpus.medium),
    rare,
    absent: corpus.absent,
  };
  for (const [path, place] of [
    [inLong, `a channel of ${messages.toLocaleString("en-US")}`],
    [ofUser, `a user in ${userChannels} channels of ${messagesOfEach}`],
  ] as const)
    for (const [name, terms] of Object.entries(classes))
      rows.push(await measureTerms(target, path, `${place}, ${name}`, terms));
  const beside = await measureSendsBesideSearches(target, inLong, corpus.medium);
  const lists = await measureLists(target, options.quick ? teams / 10 : teams);
  return {
    tables: [tableOfRows(rows), sizes, indexing, beside, lists],
    notes: [],
    data: { rows, sizes, indexing, beside, lists },
  };
}

interface SearchRow {
  readonly title: string;
  readonly terms: number;
  readonly firstMs: readonly number[];
  readonly longestMs: number;
  readonly requests: number;
  readonly nodeMs: number;
  readonly postgresMs: number;
}

/** The first page of each term, and the requests until the first match, or the end. */
async function measureTerms(
  { server, headers, testbed }: Target,
  path: string,
  title: string,
  terms: readonly string[],
): Promise<SearchRow> {
  const get = async (query: string) => {
    const startedAt = performance.now();
    const response = await fetch(`${server.url}${path}?${query}`, { headers });
    // The response of the contract.
    const body = (await response.json()) as { messages: unknown[]; next?: string };
    if (response.status !== 200) throw new Error(`A search failed: ${JSON.stringify(body)}`);
    return { ...body, tookMs: performance.now() - startedAt };
  };
  const firstMs: number[] = [];
  let longestMs = 0;
  let requests = 0;
  const clocks = () => [processorTimeMs(server.pid), totalProcessorTimeMs(testbed.postgresPids)] as const;
  // The first round fills caches, and Node compiles.
  let start = clocks();
  for (const isMeasured of [false, true]) {
    start = clocks();
    for (const term of terms) {
      let page = await get(new URLSearchParams({ q: term }).toString());
      if (!isMeasured) continue;
      firstMs.push(page.tookMs);
      requests += 1;
      longestMs = Math.max(longestMs, page.tookMs);
      while (page.next !== undefined && page.messages.length === 0) {
        page = await get(new URLSearchParams({ next: page.next }).toString());
        longestMs = Math.max(longestMs, page.tookMs);
        requests += 1;
      }
    }
  }
  const [node, postgres] = clocks();
  return {
    title,
    terms: terms.length,
    firstMs,
    longestMs,
    requests: requests / terms.length,
    nodeMs: (node - start[0]) / requests,
    postgresMs: (postgres - start[1]) / requests,
  };
}

function tableOfRows(rows: readonly SearchRow[]): string[][] {
  const head = [
    "search in",
    "terms",
    "first page, p50, ms",
    "p95",
    "longest request",
    "requests until a match or the end",
    "Node, ms of processor time per request",
    "PostgreSQL",
  ];
  return [
    head,
    ...rows.map((row) => [
      row.title,
      String(row.terms),
      quantile(row.firstMs, 0.5).toFixed(1),
      quantile(row.firstMs, 0.95).toFixed(1),
      row.longestMs.toFixed(1),
      row.requests.toFixed(2),
      row.nodeMs.toFixed(1),
      row.postgresMs.toFixed(1),
    ]),
  ];
}

async function readSizes(database: pg.Client): Promise<string[][]> {
  const { rows } = await database.query(
    `SELECT CASE WHEN channel_id LIKE 'search\\_%\\_%' THEN regexp_replace(channel_id, '[0-9]+$', '…') ELSE channel_id END AS kind,
        sum(total_message_count)::bigint AS messages, sum(blocks)::int AS blocks, sum(bytes)::float8 AS bytes
      FROM channels c CROSS JOIN LATERAL (
        SELECT count(*) AS blocks, COALESCE(sum(pg_column_size(b.*) + 4), 0) AS bytes FROM search_blocks b WHERE channel_pk = c.pk) s
      WHERE channel_id LIKE 'search%' GROUP BY 1 ORDER BY 1`,
  );
  const { rows: totals } = await database.query(
    `SELECT pg_total_relation_size('search_blocks') AS total, pg_relation_size('search_blocks') AS heap,
      (SELECT count(*) FROM search_blocks) * 32 AS messages`,
  );
  const total = totals[0];
  return [
    ["size of the index", "messages", "blocks", "bytes per message"],
    ...rows.map(({ kind, messages, blocks, bytes }) => [
      kind,
      Number(messages).toLocaleString("en-US"),
      blocks.toLocaleString("en-US"),
      (bytes / Number(messages)).toFixed(1),
    ]),
    [
      "the table and its key, per indexed message",
      Number(total.messages).toLocaleString("en-US"),
      "",
      (Number(total.total) / Number(total.messages)).toFixed(1),
    ],
  ];
}

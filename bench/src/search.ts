import pg from "pg";
import type { Queryable } from "../../apps/server/src/db/db";
import { nameTables, plainNames } from "../../apps/server/src/db/tables";
import { createIndexer } from "../../apps/server/src/resources/search/indexer";
import type { Findings } from "./findings";
import { measureLists, seedTeams } from "./prefix-lists";
import { processorTimeMs, totalProcessorTimeMs } from "./processor-time";
import { measureGin } from "./search-gin";
import { type Corpus, createCorpus, rare } from "./search-texts";
import { measureSendsBesideSearches } from "./sends-beside-searches";
import { quantile } from "./statistics";
import { createTarget, type Run, type Target } from "./target";
import { createTestbed, type Testbed } from "./testbed";

const textCount = 200_000;
const long = "search_long";
const userId = "search_user";
const userChannels = 300;
const messagesOfEach = 300;
const newMessages = 100_000;
const smallChannels = 100_000;
const messagesOfSmall = 30;
const teams = 1_000_000;

/**
 * Searches, the size of the index, the cost of indexing, another design on the same messages, sends beside searches, and lists by
 * ids and by the beginning of names.
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
  const now = start + 4e11;
  // Within a day, after which the indexer would pass over all channels.
  const later = now + 2e7;
  const indexing = [
    indexingHead,
    await indexAll(testbed, "the messages of an existing database", allMessages, "message", now),
  ];
  await addNewMessages(testbed.database, corpus);
  indexing.push(await indexAll(testbed, "new messages in one channel", newMessages, "message", later));
  await seedChannels(testbed.database, corpus, [["search_small_", small, messagesOfSmall]]);
  await seedTeams(testbed.database, options.quick ? teams / 10 : teams);
  await testbed.database.query("UPDATE search_positions SET walked_pk = 0");
  indexing.push(
    await indexAll(testbed, "a pass over channels without a full block", small, "channel", later),
  );
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
  const gin = await measureGin(testbed.database, corpus, long);
  return {
    tables: [tableOfRows(rows), sizes, indexing, gin, beside, lists],
    notes: [],
    data: { rows, sizes, indexing, gin, beside, lists },
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

const start = Date.UTC(2025, 0, 1);

type ChannelsToSeed = readonly (readonly [id: string, channels: number, messagesOfEach: number])[];

async function seedTexts(database: pg.Client, { texts }: Corpus): Promise<void> {
  await database.query("CREATE TABLE bench_texts (i integer PRIMARY KEY, content text NOT NULL)");
  for (let from = 0; from < texts.length; from += 10_000)
    await database.query(
      "INSERT INTO bench_texts SELECT $1::int + i - 1, t FROM unnest($2::text[]) WITH ORDINALITY AS x (t, i)",
      [from, texts.slice(from, from + 10_000)],
    );
  await database.query(
    "INSERT INTO users (user_id, name, created_at, updated_at) VALUES ($1, 'Search', $2, $2)",
    [userId, start],
  );
}

/** The channels of a kind get their messages in turn. A kind of one channel has its id, the others a number after it. */
async function seedChannels(database: pg.Client, { texts }: Corpus, kinds: ChannelsToSeed): Promise<void> {
  const run = (text: string, values?: unknown[]) => database.query(text, values);
  await run("SET session_replication_role = replica; SET synchronous_commit = off");
  for (const [id, channels, count] of kinds) {
    await run(
      `INSERT INTO channels (channel_id, name, created_at, updated_at, member_count, total_message_count, latest_at,
          last_message_at)
        SELECT $1 || CASE WHEN $3 > 1 THEN i::text ELSE '' END, 'Channel', $2, $2, 1, $4, $2::bigint + 1000 * $4::bigint,
          $2::bigint + 1000 * $4::bigint
        FROM generate_series(1, $3::int) AS i`,
      [id, start, channels, count],
    );
    await run(
      `INSERT INTO messages (channel_pk, created_at, sender_pk, type, content, updated_at)
        SELECT c.pk, $3::bigint + 1000 * n.i, (SELECT min(pk) FROM users) + (n.i + c.pk) % 20, 'text', t.content,
          $3::bigint + 1000 * n.i
        FROM generate_series(1, $2::int) AS n (i) JOIN channels c ON starts_with(c.channel_id, $1)
        JOIN bench_texts t ON t.i = (n.i::bigint * 7919 + c.pk * 104729) % $4::int ORDER BY n.i, c.pk`,
      [id, count, start, texts.length],
    );
  }
  await run(
    `INSERT INTO members (channel_pk, user_pk, joined_at) SELECT c.pk, u.pk, $2 FROM channels c, users u
      WHERE u.user_id = $1 AND c.channel_id LIKE 'search\\_many%' ON CONFLICT DO NOTHING`,
    [userId, start],
  );
  await run("RESET session_replication_role; RESET synchronous_commit");
  await run("VACUUM ANALYZE");
}

async function addRareTerms(database: pg.Client, messages: number): Promise<void> {
  for (const [index, term] of rare.entries())
    await database.query(
      `UPDATE messages SET content = content || ' ' || $1 FROM channels c
        WHERE c.pk = channel_pk AND c.channel_id = $2 AND messages.created_at = ANY ($3::bigint[])`,
      [
        term,
        long,
        Array.from({ length: 11 }, (_, n) => start + 1_000 * Math.floor((messages / 11) * n + 500 + index)),
      ],
    );
}

/** Messages after all others, in a channel of their own, as sends would add them. */
async function addNewMessages(database: pg.Client, corpus: Corpus): Promise<void> {
  await seedChannels(database, corpus, [["search_new", 1, newMessages]]);
  // After the time up to which the indexer has followed the messages.
  await database.query(
    `UPDATE messages m SET created_at = followed_created_at + (m.created_at - ${start}) / 10 FROM search_positions,
      channels c WHERE c.pk = channel_pk AND c.channel_id = 'search_new'`,
  );
  await database.query(
    `UPDATE channels SET latest_at = (SELECT max(m.created_at) + 1 FROM messages m WHERE m.channel_pk = channels.pk)
      WHERE channel_id = 'search_new'`,
  );
}

const indexingHead = [
  "indexing",
  "number",
  "seconds",
  "Node, µs of processor time for each",
  "PostgreSQL",
  "longest step, ms",
];

/** Runs the indexer of the server as fast as it can. */
async function indexAll(
  { url, postgresPids, database }: Testbed,
  title: string,
  count: number,
  unit: "channel" | "message",
  now: number,
): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, types: { getTypeParser }, options: sessionOptions });
  await client.connect();
  const step = createIndexer(queryableOf(client), () => now, 0);
  const clocks = () =>
    [performance.now(), processorTimeMs(process.pid), totalProcessorTimeMs(postgresPids)] as const;
  const [startedAt, node, postgres] = clocks();
  let longestMs = 0;
  for (let isMore = true; isMore; ) {
    const stepAt = performance.now();
    isMore = await step();
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
function queryableOf(client: pg.Client): Queryable {
  const queryable: Queryable = {
    async query<Row>({ name, text }: { name: string; text: string }, values: readonly unknown[] = []) {
      const { rows } = await client.query({ name, text: nameTables(text, plainNames), values: [...values] });
      // As the statement declares them.
      return rows as Row[];
    },
    async transaction(work) {
      await client.query("BEGIN");
      const result = await work(queryable);
      await client.query("COMMIT");
      return result;
    },
    channel: () => queryable,
    shards: () => [queryable],
    isDistributed: false,
  };
  return queryable;
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

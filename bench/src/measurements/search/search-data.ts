import type pg from "pg";
import { type Corpus, rare } from "./search-texts";

export const long = "search_long";
export const userId = "search_user";
export const newMessages = 100_000;

export const start = Date.UTC(2025, 0, 1);

type ChannelsToSeed = readonly (readonly [id: string, channels: number, messagesOfEach: number])[];

export async function seedTexts(database: pg.Client, { texts }: Corpus): Promise<void> {
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
export async function seedChannels(
  database: pg.Client,
  { texts }: Corpus,
  kinds: ChannelsToSeed,
): Promise<void> {
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

export async function addRareTerms(database: pg.Client, messages: number): Promise<void> {
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
export async function addNewMessages(database: pg.Client, corpus: Corpus): Promise<void> {
  await seedChannels(database, corpus, [["search_new", 1, newMessages]]);
  await database.query(
    `INSERT INTO events (type, channel_pk, channel_id, message_created_at, message_pk)
      SELECT 'message.created', channel_pk, channel_id, m.created_at, m.pk
      FROM messages m JOIN channels c ON c.pk = channel_pk WHERE channel_id = 'search_new'`,
  );
  await database.query(
    `UPDATE channels SET latest_at = (SELECT max(m.created_at) + 1 FROM messages m WHERE m.channel_pk = channels.pk)
      WHERE channel_id = 'search_new'`,
  );
}

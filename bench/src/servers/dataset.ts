import type pg from "pg";

/** `quick` has a shorter history; the rest is the same. */
export interface Sizes {
  readonly users: number;
  readonly channels: number;
  readonly pairs: number;
  readonly messages: number;
}

export const fullSizes: Sizes = { users: 100_000, channels: 10_000, pairs: 1_000, messages: 1_000_000 };
export const quickSizes: Sizes = { ...fullSizes, messages: 200_000 };

/** The time of the first message, and the number of days in the history. */
export const historyStart = Date.UTC(2026, 0, 1);
export const historyDays = 90;

/** The channel with the whole history, and one that all senders share. */
export const historyChannel = "history";
export const busyChannel = "busy";
/** A user with 1,000 channels, if there are as many. */
export const inboxUser = "inbox_user";
export const channelsOfInbox = 1_000;
export const membersPerChannel = 10;
export const membersOfHistory = 100;

export const userIdAt = (index: number) => `user_${String(index).padStart(7, "0")}`;
export const channelIdAt = (index: number) => `chan_${String(index).padStart(6, "0")}`;
/** Which user is the k-th member of a small channel; from `membersPerChannel` on, users who are not members. */
export const memberOf = (channel: number, k: number, { users }: Sizes) =>
  ((channel * 37 + k * 101) % users) + 1;

/**
 * Fills a migrated database, without triggers: the rows are consistent, and checking each of them would take minutes.
 */
export async function seed(client: pg.Client, sizes: Sizes): Promise<void> {
  const { users, channels, pairs, messages } = sizes;
  await client.query("SET session_replication_role = replica; SET synchronous_commit = off");
  await client.query(insertUsers, [users, historyStart]);
  await client.query(insertChannels("chan_", membersPerChannel, false), [channels, historyStart]);
  await client.query(insertChannels("pair_", 2, true), [pairs, historyStart]);
  for (const id of [historyChannel, busyChannel])
    await client.query(insertLargeChannel, [
      id,
      membersOfHistory,
      historyStart,
      id === historyChannel ? messages : 0,
    ]);
  await client.query(joinChannels, [membersPerChannel, users, historyStart]);
  await client.query(joinPairs, [historyStart]);
  await client.query(joinLargeChannels, [[historyChannel, busyChannel], membersOfHistory, historyStart]);
  await client.query(insertMessages, [historyChannel, messages, historyStart, historyDays, membersOfHistory]);
  await client.query(insertInboxUser, [inboxUser, historyStart]);
  await client.query(insertInboxMessages, [Math.min(channels, channelsOfInbox), messages, historyStart]);
  await client.query(updateInboxChannels);
  await client.query(joinInbox, [inboxUser]);
  await client.query("RESET session_replication_role; RESET synchronous_commit");
  await client.query("VACUUM ANALYZE");
  await client.query("CHECKPOINT");
}

const insertUsers = `INSERT INTO users (user_id, name, profile_url, meta, created_at, updated_at)
  SELECT 'user_' || lpad(i::text, 7, '0'), CASE WHEN i % 5 = 0 THEN '김민수 ' || i ELSE 'Kim Minsu ' || i END,
    CASE WHEN i % 4 <> 0 THEN 'https://example.com/images/' || i || '.png' END,
    jsonb_build_object('team', 'team-' || i % 50, 'locale', 'ko-KR'), $2::bigint + i, $2::bigint + i
  FROM generate_series(1, $1::int) AS i`;

const insertChannels = (prefix: string, members: number, isPair: boolean) =>
  `INSERT INTO channels (channel_id, name, meta, member_count, is_pair_only, first_participant_pk,
    second_participant_pk, created_at, updated_at)
  SELECT '${prefix}' || lpad(i::text, 6, '0'), 'Channel ' || i, '{"kind": "small"}', ${members}, ${isPair},
    ${isPair ? "(SELECT pk FROM users WHERE user_id = 'user_' || lpad((2 * i - 1)::text, 7, '0') AND deleted_at IS NULL)" : "NULL"},
    ${isPair ? "(SELECT pk FROM users WHERE user_id = 'user_' || lpad((2 * i)::text, 7, '0') AND deleted_at IS NULL)" : "NULL"},
    $2::bigint + i, $2::bigint + i
  FROM generate_series(1, $1::int) AS i`;

const insertLargeChannel = `INSERT INTO channels (channel_id, name, meta, member_count, is_pair_only, total_message_count,
    total_file_count, created_at, updated_at)
  VALUES ($1, 'Large', '{}', $2::int, false, $4::int, $4::int / 20, $3::bigint, $3::bigint)`;

const joinChannels = `INSERT INTO members (channel_pk, user_pk, joined_at)
  SELECT c.pk, u.pk, $3::bigint + k FROM channels c
  CROSS JOIN generate_series(0, $1::int - 1) AS k
  JOIN users u ON u.user_id = 'user_' || lpad(((substr(c.channel_id, 6)::int * 37 + k * 101) % $2::int + 1)::text, 7, '0')
  WHERE c.channel_id ~ '^chan_[0-9]+$'`;

const joinPairs = `INSERT INTO members (channel_pk, user_pk, joined_at)
  SELECT pk, person, $1::bigint FROM channels, unnest(ARRAY[first_participant_pk, second_participant_pk]) AS person
  WHERE is_pair_only`;

const joinLargeChannels = `INSERT INTO members (channel_pk, user_pk, joined_at)
  SELECT c.pk, u.pk, $3::bigint + k FROM channels c CROSS JOIN generate_series(1, $2::int) AS k
  JOIN users u ON u.user_id = 'user_' || lpad(k::text, 7, '0') WHERE c.channel_id = ANY ($1::text[])`;

// Every fifth message in Hangul, every twentieth a file, the senders in pseudo-random order.
const insertMessages = `INSERT INTO messages (channel_pk, created_at, sender_pk, type, content, file, meta, updated_at)
  SELECT c.pk, at, m.pks[1 + (i::bigint * 7919 % $5)::int], CASE WHEN i % 20 = 0 THEN 'file' ELSE 'text' END,
    CASE WHEN i % 20 = 0 THEN NULL WHEN i % 5 = 1 THEN '내일 점심은 열두 시에 먹어요, 자리는 제가 잡아 둘게요. ' || i
      ELSE 'See you at noon, I will keep a seat for you near the window; bring the papers. ' || i END,
    CASE WHEN i % 20 = 0 THEN jsonb_build_object('type', 'image/png', 'name', 'menu-' || i || '.png',
      'url', 'https://example.com/files/menu-' || i || '.png', 'size', 40000 + i) END,
    CASE WHEN i % 3 = 0 THEN '{"lang": "ko"}'::jsonb ELSE '{}' END, at
  FROM channels c, (SELECT array_agg(pk ORDER BY pk) AS pks FROM users WHERE pk <= $5) m,
    generate_series(1, $2::int) AS i,
    LATERAL (SELECT $3::bigint + i::bigint * ($4::bigint * 86400000 / $2::int) AS at) t
  WHERE c.channel_id = $1 ORDER BY i`;

const insertInboxUser = `INSERT INTO users (user_id, name, created_at, updated_at) VALUES ($1, 'Inbox', $2::bigint, $2::bigint)`;

// As many messages as the history has, in the first channels, from two of their members.
const insertInboxMessages = `INSERT INTO messages (channel_pk, created_at, sender_pk, type, content, updated_at)
  SELECT c.pk, $3::bigint + 1000 * i + c.pk, pks[1 + i % 2], 'text', 'See you at noon, I will keep a seat for you. ' || i,
    $3::bigint + 1000 * i + c.pk
  FROM generate_series(1, $2::int / $1::int) AS i
  CROSS JOIN (
    SELECT c.pk, array_agg(m.user_pk ORDER BY m.joined_at) AS pks FROM channels c JOIN members m ON m.channel_pk = c.pk
    WHERE c.channel_id ~ '^chan_[0-9]+$' AND substr(c.channel_id, 6)::int <= $1::int GROUP BY c.pk) AS c
  ORDER BY i`;

const updateInboxChannels = `UPDATE channels SET total_message_count = sent.count, latest_at = sent.at, last_message_at = sent.at
  FROM (SELECT channel_pk, count(*), max(created_at) AS at FROM messages GROUP BY channel_pk) AS sent
  WHERE pk = sent.channel_pk`;

// A third of the channels has no mark, a third ten unread messages, a third none.
const joinInbox = `WITH counted AS (
    UPDATE channels SET member_count = member_count + 1
    WHERE channel_id ~ '^chan_[0-9]+$' AND total_message_count > 0 RETURNING pk, created_at)
  INSERT INTO members (channel_pk, user_pk, joined_at, read_created_at, read_pk)
  SELECT counted.pk, u.pk, counted.created_at, mark.created_at, mark.pk FROM counted
  JOIN users u ON u.user_id = $1
  LEFT JOIN LATERAL (
    SELECT m.created_at, m.pk FROM messages m WHERE m.channel_pk = counted.pk AND counted.pk % 3 > 0
    ORDER BY m.created_at DESC, m.pk DESC OFFSET CASE counted.pk % 3 WHEN 1 THEN 10 ELSE 0 END LIMIT 1) AS mark ON true`;

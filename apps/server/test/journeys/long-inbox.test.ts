import { afterAll, beforeAll, expect, test } from "vitest";
import { chatWith } from "../support/chat";
import { collect } from "../support/collect";
import { queryOnce } from "../support/query-once";
import { startServer, type TestServer } from "../support/server";

/**
 * Inboxes that are long enough to be read from the newest messages of all channels, compared with a plain definition of their lists. Few
 * different times make many lines equally old, in pages and at their ends. They are stored in another order than that of the lines.
 */

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  for (const sql of fill) await queryOnce(server.databaseUrl, sql);
});
afterAll(() => server.close());

/** Of 4,000 channels, one has most, one the older half, and one those without messages and half of the others, most of them archived. */
const users = ["every_01", "older_02", "silent_03"];
const isIn = `CASE user_id WHEN 'every_01' THEN c.pk % 3 > 0 WHEN 'older_02' THEN c.pk <= 2000
  ELSE c.pk % 2 = 0 OR c.total_message_count = 0 END`;

const fill = [
  `INSERT INTO users (user_id, name, created_at, updated_at)
    SELECT id, 'Kim', 1, 1 FROM unnest(ARRAY['${users.join("','")}', 'sender_04', 'blocked_05']) AS id`,
  `INSERT INTO channels (channel_id, name, created_at, updated_at, total_message_count)
    SELECT 'room_' || i, 'Room', 1, 1, CASE WHEN i % 5 > 0 THEN 3 ELSE 0 END FROM generate_series(1, 4000) AS i`,
  `INSERT INTO messages (channel_pk, sender_pk, type, content, created_at, updated_at)
    SELECT c.pk, u.pk, 'text', 'Hi', at, at FROM channels c, generate_series(1, 3) AS i, LATERAL (
      SELECT c.pk / 2000 * 500 + 100 + hashint8(c.pk * i) % 100 * 2 AS at) AS t
    JOIN users u ON u.user_id = CASE WHEN at % 7 = 0 THEN 'blocked_05' ELSE 'sender_04' END
    WHERE total_message_count > 0 ORDER BY hashint8(c.pk), c.pk, i`,
  `UPDATE channels c SET last_message_at = newest, latest_at = newest FROM (
      SELECT channel_pk, max(created_at) AS newest FROM messages GROUP BY channel_pk) AS m WHERE m.channel_pk = c.pk`,
  // Some newest messages, or all messages, were deleted, and some channels.
  `DELETE FROM messages m USING channels c WHERE c.pk = channel_pk AND (c.pk % 11 = 0 OR c.pk % 13 = 0 AND m.created_at = last_message_at)`,
  "UPDATE channels SET last_message_at = NULL WHERE pk % 11 = 0 OR pk % 13 = 0",
  "UPDATE channels SET deleted_at = 1 WHERE pk % 17 = 0",
  // Joined before the messages, or after them.
  `INSERT INTO members (channel_pk, user_pk, joined_at, position, read_created_at, read_pk, notify, is_archived, hidden_at, hidden_pk)
    SELECT c.pk, u.pk, 1 + c.pk % 900, 1, CASE WHEN c.pk % 4 > 0 THEN latest_at END, CASE WHEN c.pk % 4 > 0 THEN 1e9 END,
      CASE WHEN c.pk % 23 = 0 THEN 'none' END, archives, CASE WHEN hides THEN latest_at - c.pk % 2 * 50 END, CASE WHEN hides THEN 1e9 END
    FROM channels c CROSS JOIN users u
      CROSS JOIN LATERAL (SELECT user_id = 'silent_03' AND c.pk % 4 > 0 OR c.pk % 19 = 0 AS archives) AS a
      CROSS JOIN LATERAL (SELECT c.pk % 29 = 0 AND NOT archives AS hides) AS h
    WHERE user_id = ANY (ARRAY['${users.join("','")}']) AND ${isIn}`,
  `INSERT INTO blocks (user_pk, blocked_pk, created_at) SELECT one.pk, other.pk, 1 FROM users one, users other
    WHERE one.user_id = 'older_02' AND other.user_id = 'blocked_05'`,
  "VACUUM ANALYZE",
];

/** Every line of a user, in order. */
const defineLines = (userId: string) => `SELECT channel_id, unread, is_archived, notify = 'none' AS is_silent,
    hidden_at IS NOT NULL AND NOT COALESCE(newest > hidden_at, false) AS is_hidden
  FROM (
    SELECT c.*, m.*, (SELECT max(created_at) FROM messages WHERE channel_pk = c.pk) AS newest, (
      SELECT count(*)::integer FROM messages s WHERE s.channel_pk = c.pk AND (created_at, s.pk) > (COALESCE(read_created_at, joined_at), COALESCE(read_pk, position))
        AND sender_pk NOT IN (SELECT blocked_pk FROM blocks b WHERE b.user_pk = m.user_pk)) AS unread
    FROM members m JOIN users u ON u.pk = m.user_pk JOIN channels c ON c.pk = m.channel_pk
    WHERE u.user_id = '${userId}' AND c.deleted_at IS NULL) AS line
  ORDER BY COALESCE(newest, joined_at) DESC, channel_pk DESC`;

interface Line {
  readonly channel_id: string;
  readonly unread: number;
  readonly is_archived: boolean;
  readonly is_hidden: boolean;
  readonly is_silent: boolean | null;
}

const isInInbox = (line: Line) => !line.is_archived && !line.is_hidden;

test.each(users)("every list of the long inbox of %s has its lines in order", async (userId) => {
  const chat = chatWith(server);
  const lines = await queryOnce<Line>(server.databaseUrl, defineLines(userId));
  expect(lines.length).toBeGreaterThan(1_500);
  const expected = (isListed: (line: Line) => boolean) =>
    lines.filter(isListed).map(({ channel_id, unread }) => [channel_id, unread]);
  for (const [filter, isListed] of [
    [{}, isInInbox],
    [{ unread: true }, (line: Line) => isInInbox(line) && line.unread > 0],
    [{ archived: true }, ({ is_archived }: Line) => is_archived],
    [{ hidden: true }, ({ is_hidden }: Line) => is_hidden],
  ] as const) {
    expect(expected(isListed).length).toBeGreaterThan(0);
    const found = await collect(chat.users.channels(userId, { ...filter, pageSize: 29 }));
    expect(found.map(({ channel_id, unread_count }) => [channel_id, unread_count])).toEqual(
      expected(isListed),
    );
  }
});

test.each(users)("the totals of the long inbox of %s are the sums over its lines", async (userId) => {
  const lines = await queryOnce<Line>(server.databaseUrl, defineLines(userId));
  const isQuiet = (line: Line) => !isInInbox(line) || line.is_silent === true;
  const loud = lines.filter((line) => line.unread > 0 && !isQuiet(line));
  const sum = (of: readonly Line[]) => of.reduce((count, { unread }) => count + unread, 0);
  expect(await chatWith(server).users.unread(userId)).toEqual({
    unread_count: sum(loud),
    channel_count: loud.length,
    quiet_unread_count: sum(lines.filter(isQuiet)),
  });
});

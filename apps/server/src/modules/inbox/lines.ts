import { readAt, selectUnread } from "../../chat/members/unread";

/** The channels of a user that a list has. */
export interface Lines {
  /** In SQL, for rows `m` of `members` and `c` of `channels`. */
  readonly isListed: string;
  readonly isOnlyUnread?: boolean;
}

/** Those of a list that may have very many. It has all lines that are archived, or all others, except for some. */
export interface ManyLines extends Lines {
  readonly isArchived: boolean;
}

/** In how many channels of a list, or more, a user must be for `newestLines`. For fewer, all of them are read. */
const manyChannels = 1_000;

/** It examines at most half as many messages as the user has channels in the list, and at most half of this, which limits what it costs in vain. */
const maxCounted = 8_000;

/** The user `u`, and as `own.has_blocks` whether it blocks anybody. Otherwise, no message looks for a block of its sender. */
export const userWithBlocks = `users u CROSS JOIN LATERAL (
      SELECT EXISTS (SELECT FROM blocks b WHERE b.user_pk = u.pk OFFSET 0) AS has_blocks OFFSET 0) AS own`;

/**
 * The lines of the user `u` by last activity after the position `($2, $3)`, the first `$4`, in SQL. Reads every membership. If the
 * newest message was deleted, the time of the previous one is not on the channel's row, so it is read from the index of messages. For
 * unread messages, channels are examined in their order until the page is full.
 */
export const everyLine = ({ isListed, isOnlyUnread = false }: Lines): string => `SELECT * FROM (
    SELECT * FROM (
      SELECT m.*, c.channel_id AS named, COALESCE(last_message_at, CASE WHEN total_message_count > 0 THEN (
          SELECT sent.created_at FROM messages sent WHERE sent.channel_pk = m.channel_pk
          ORDER BY sent.created_at DESC, sent.pk DESC LIMIT 1) END, joined_at) AS active_at
      FROM members m JOIN channels c ON c.pk = m.channel_pk AND c.deleted_at IS NULL
      WHERE m.user_pk = u.pk AND ${isOnlyUnread ? `c.latest_at >= ${readAt("m")}` : "true"} AND ${isListed}) AS every
    WHERE (active_at, channel_pk) < ($2::bigint, $3::bigint)
    ORDER BY active_at DESC, channel_pk DESC ${isOnlyUnread ? "OFFSET 0" : "LIMIT $4"}) AS sorted
  WHERE ${isOnlyUnread ? hasUnread("sorted") : "true"}
  ORDER BY active_at DESC, channel_pk DESC LIMIT $4`;

/**
 * The same, without reading every membership of a user who has very many of them, if the user's channels are a fair part of those with
 * the newest messages. `page_end` has a row if `newest` is a page: then no earlier message makes a line of it, and what it misses are
 * channels without messages that the user joined since. Very many of those are read like all others.
 */
export const firstLines = (lines: ManyLines): string => `WITH counted AS MATERIALIZED (
    SELECT count(*) AS channels FROM (SELECT FROM ${membersOf(lines)} LIMIT ${maxCounted}) AS counted
  ), newest AS MATERIALIZED (${newestLines(lines)}
  ), page_end AS MATERIALIZED (
    SELECT at FROM (SELECT min(active_at) AS at FROM newest HAVING count(*) >= $4) AS page_end
    WHERE NOT EXISTS (SELECT FROM ${membersOf(lines)} AND joined_at BETWEEN at AND $2 OFFSET ${maxCounted / 2})
  )
  SELECT * FROM newest WHERE EXISTS (SELECT FROM page_end)
  UNION ALL (
    SELECT m.*, c.channel_id, m.joined_at FROM page_end
      CROSS JOIN LATERAL (SELECT * FROM ${membersOf(lines)} AND joined_at BETWEEN at AND $2 OFFSET 0) AS m
      JOIN channels c ON c.pk = m.channel_pk AND c.deleted_at IS NULL
    WHERE ${lines.isOnlyUnread ? "false" : lines.isListed} AND (m.joined_at, m.channel_pk) < ($2, $3)
      AND NOT EXISTS (SELECT FROM messages sent WHERE sent.channel_pk = m.channel_pk OFFSET 0))
  UNION ALL (SELECT * FROM (${everyLine(lines)}) AS every_line WHERE NOT EXISTS (SELECT FROM page_end))
  ORDER BY active_at DESC, channel_pk DESC LIMIT $4`;

/**
 * Walks from the position through the messages of all channels, newest first: one that is the last of a channel of the user makes a
 * line. OFFSET makes PostgreSQL look up each message, and stop when there are enough.
 */
const newestLines = ({ isListed, isOnlyUnread = false }: ManyLines): string => `
    SELECT m.*, c.channel_id AS named, sent.created_at AS active_at FROM messages sent
      CROSS JOIN LATERAL (
        SELECT * FROM members WHERE channel_pk = sent.channel_pk AND user_pk = u.pk OFFSET 0) AS m
      CROSS JOIN LATERAL (
        SELECT * FROM channels WHERE pk = m.channel_pk AND deleted_at IS NULL OFFSET 0) AS c
    WHERE (SELECT channels FROM counted) >= ${manyChannels}
      AND sent.created_at <= $2 AND sent.created_at > COALESCE((
        SELECT created_at FROM messages WHERE created_at <= $2
        ORDER BY created_at DESC OFFSET (SELECT channels / 2 FROM counted) LIMIT 1), -1)
      AND (sent.created_at, m.channel_pk) < ($2, $3) AND ${isListed}
      AND sent.pk = (
        SELECT pk FROM messages WHERE channel_pk = m.channel_pk ORDER BY created_at DESC, pk DESC LIMIT 1)
      ${isOnlyUnread ? `AND ${hasUnread("m")}` : ""}
    ORDER BY sent.created_at DESC FETCH FIRST ($4) ROWS WITH TIES`;

const membersOf = ({ isArchived }: ManyLines) =>
  `members WHERE user_pk = u.pk AND ${isArchived ? "is_archived" : "NOT is_archived"}`;

const hasUnread = (member: string) => `(${selectUnread("true", member, "own.has_blocks")} LIMIT 1)`;

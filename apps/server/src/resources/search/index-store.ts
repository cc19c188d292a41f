import type { Statement } from "../../db/db";
import type { Position } from "../../paging/position";
import { reportSearchChange } from "./changes-store";
import { searchedText } from "./store";

/** How far a shard is indexed. */
export interface Progress {
  readonly version: number;
  /** The pass over all channels has reached this channel. Null: it is complete. */
  readonly walkedPk: number | null;
  readonly walkedAt: number;
  /** New messages up to this position are counted. */
  readonly followedAt: number;
  readonly followedPk: number;
}

export const addProgress: Statement<unknown> = {
  name: "search-index.add-progress",
  text: `INSERT INTO {search_positions} (id, version, walked_pk, walked_at, followed_created_at, followed_pk)
    SELECT 1, $1, 0, $2, $3, 0 WHERE NOT EXISTS (SELECT FROM {search_positions} WHERE id = 1) ON CONFLICT DO NOTHING RETURNING 1`,
};

export const lockProgress: Statement<Progress> = {
  name: "search-index.lock-progress",
  text: `SELECT version, walked_pk AS "walkedPk", walked_at AS "walkedAt", followed_created_at AS "followedAt",
      followed_pk AS "followedPk"
    FROM {search_positions} WHERE id = 1 FOR NO KEY UPDATE SKIP LOCKED`,
};

export const restartWalk: Statement<unknown> = {
  name: "search-index.restart-walk",
  text: "UPDATE {search_positions} SET version = $1, walked_pk = 0 WHERE id = 1 RETURNING 1",
};

export const saveWalk: Statement<unknown> = {
  name: "search-index.save-walk",
  text: "UPDATE {search_positions} SET walked_pk = $1::bigint, walked_at = $2 WHERE id = 1 RETURNING 1",
};

export const saveFollowed: Statement<unknown> = {
  name: "search-index.save-followed",
  text: "UPDATE {search_positions} SET followed_created_at = $1::bigint, followed_pk = $2 WHERE id = 1 RETURNING 1",
};

export const listChannels: Statement<{ pk: number }> = {
  name: "search-index.list-channels",
  text: "SELECT pk FROM {channels} WHERE pk > $1::bigint ORDER BY pk LIMIT $2",
};

/** The number of new messages of each channel. Each row repeats the position of the newest message of all channels. */
export const listNew: Statement<{ channelPk: number; count: number; lastAt: number; lastPk: number }> = {
  name: "search-index.list-new",
  text: `WITH new AS MATERIALIZED (
      SELECT channel_pk, created_at, pk FROM {messages}
      WHERE (created_at, pk) > ($1::bigint, $2::bigint) AND created_at < $3::bigint
      ORDER BY created_at, pk LIMIT $4
    ), last AS (SELECT created_at, pk FROM new ORDER BY created_at DESC, pk DESC LIMIT 1)
    SELECT channel_pk AS "channelPk", count(*) AS count, (SELECT created_at FROM last) AS "lastAt",
      (SELECT pk FROM last) AS "lastPk"
    FROM new GROUP BY channel_pk`,
};

/**
 * Removes all blocks of a channel that has a block of an older version. Removing only that one would extend the next block
 * over its messages, because a block begins after the previous one.
 */
export const removeOutdated: Statement<unknown> = {
  name: "search-index.remove-outdated",
  // ARRAY, because a plan that was made while the table was empty would read all of it for IN.
  text: `DELETE FROM {search_blocks} WHERE channel_pk = ANY (ARRAY(
      SELECT pk FROM unnest($1::bigint[]) AS channel (pk)
      WHERE EXISTS (SELECT FROM {search_blocks} WHERE channel_pk = pk AND version < $2 OFFSET 0))) RETURNING 1`,
};

/** A channel with enough messages after its newest block for another block. */
export interface DueChannel {
  readonly channelPk: number;
  readonly latestAt: number;
  readonly fromAt: number;
  readonly fromPk: number;
}

export const listDue: Statement<DueChannel> = {
  name: "search-index.list-due",
  text: `SELECT c.pk AS "channelPk", latest_at AS "latestAt", COALESCE(newest.last_created_at, 0) AS "fromAt",
      COALESCE(newest.last_pk, 0) AS "fromPk"
    FROM (SELECT DISTINCT unnest($1::bigint[]) AS key) AS given
    CROSS JOIN LATERAL (SELECT pk, latest_at FROM {channels} WHERE pk = key AND deleted_at IS NULL OFFSET 0) AS c
    LEFT JOIN LATERAL (
      SELECT last_created_at, last_pk FROM {search_blocks} WHERE channel_pk = c.pk
      ORDER BY last_created_at DESC, last_pk DESC LIMIT 1) AS newest ON true
    CROSS JOIN LATERAL (
      SELECT FROM {messages} WHERE channel_pk = c.pk
        AND (created_at, pk) > (COALESCE(newest.last_created_at, 0), COALESCE(newest.last_pk, 0)) AND created_at < latest_at
      ORDER BY created_at, pk OFFSET $2 LIMIT 1) AS enough
    ORDER BY c.pk`,
};

export interface IndexedMessage extends Position {
  /** The number of its block in the request, from 1. */
  readonly number: number;
  readonly text: string | null;
  readonly senderPk: number | null;
}

export const readMessages: Statement<IndexedMessage> = {
  name: "search-index.read-messages",
  text: `SELECT number, found.* FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
      WITH ORDINALITY AS block (of_channel, from_at, from_pk, to_at, to_pk, number)
    CROSS JOIN LATERAL (
      SELECT created_at AS "createdAt", pk, sender_pk AS "senderPk", ${searchedText} AS text FROM {messages}
      WHERE channel_pk = of_channel AND (created_at, pk) > (from_at, from_pk) AND (created_at, pk) <= (to_at, to_pk)
      ORDER BY created_at, pk LIMIT $6) AS found
    ORDER BY number, "createdAt", pk`,
};

export const addBlocks: Statement<unknown> = {
  name: "search-index.add-blocks",
  // A deleted channel gets none: the sweeper has removed its blocks. On Citus, there is no foreign key.
  text: `INSERT INTO {search_blocks} (channel_pk, last_created_at, last_pk, signature, version)
    SELECT block.*, $5::integer
    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bytea[]) AS block (of_channel, at, key, signature)
    CROSS JOIN LATERAL (SELECT FROM {channels} WHERE pk = of_channel FOR KEY SHARE) AS channel
    RETURNING 1`,
};

/** A changed message, and the block that contains it. Messages after the newest block have none. */
export interface Change {
  readonly channelPk: number;
  readonly createdAt: number;
  readonly messagePk: number;
  readonly pk: number;
  readonly fromAt: number;
  readonly fromPk: number;
  readonly toAt: number | null;
  readonly toPk: number | null;
}

export const listChanges: Statement<Change> = {
  name: "search-index.list-changes",
  text: `SELECT change.channel_pk AS "channelPk", created_at AS "createdAt", message_pk AS "messagePk", pk,
      COALESCE(previous.last_created_at, 0) AS "fromAt", COALESCE(previous.last_pk, 0) AS "fromPk",
      block.last_created_at AS "toAt", block.last_pk AS "toPk"
    FROM (
      SELECT * FROM {search_changes} ORDER BY channel_pk, created_at, message_pk, pk LIMIT $1
    ) AS change
    LEFT JOIN LATERAL (
      SELECT last_created_at, last_pk FROM {search_blocks}
      WHERE channel_pk = change.channel_pk AND (last_created_at, last_pk) >= (created_at, message_pk)
      ORDER BY last_created_at, last_pk LIMIT 1) AS block ON true
    LEFT JOIN LATERAL (
      SELECT last_created_at, last_pk FROM {search_blocks}
      WHERE channel_pk = change.channel_pk AND (last_created_at, last_pk) < (block.last_created_at, block.last_pk)
      ORDER BY last_created_at DESC, last_pk DESC LIMIT 1) AS previous ON true`,
};

export const addChanges: Statement<unknown> = {
  name: "search-index.add-changes",
  text: `${reportSearchChange("unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS block (channel_pk, created_at, pk)")} RETURNING 1`,
};

export const removeBlocks: Statement<unknown> = {
  name: "search-index.remove-blocks",
  text: `DELETE FROM {search_blocks} b USING unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS old (of_channel, at, key)
    WHERE channel_pk = of_channel AND last_created_at = at AND last_pk = key RETURNING 1`,
};

export const removeChanges: Statement<unknown> = {
  name: "search-index.remove-changes",
  text: `DELETE FROM {search_changes} c
    USING unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) AS done (of_channel, at, message, key)
    WHERE channel_pk = of_channel AND created_at = at AND message_pk = message AND pk = key RETURNING 1`,
};

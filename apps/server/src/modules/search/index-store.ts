import type { Statement } from "../../db/db";
import { readPage } from "../../paging/page-bytes";
import type { Position } from "../../paging/position";
import { eventsOfBatch } from "../events/consumers-store";
import type { Extent } from "./extent";
import { searchedText } from "./store";

/** The build of the newest version: each has a row of `consumers`, with the key of the last channel that it has indexed. */
export const findBuild: Statement<{ name: string; version: number; position: number }> = {
  name: "search-index.find-build",
  text: `SELECT name, split_part(name, ' ', 3)::integer AS version, position FROM consumers
    WHERE name LIKE 'search build %' ORDER BY 2 DESC LIMIT 1`,
};

export const startBuild: Statement<unknown> = {
  name: "search-index.start-build",
  text: `WITH removed AS (DELETE FROM consumers WHERE name LIKE 'search build %')
    INSERT INTO consumers (name, position) VALUES ($1, 0)`,
};

/** What the events of a batch say about a channel. */
interface EventsOfChannel {
  readonly channelPk: number;
  readonly added: number;
  /** The edited and deleted messages, by their times and keys. */
  readonly messages: readonly (readonly [createdAt: number, pk: number])[];
  /** The times of the messages of each import. Null: there was none. */
  readonly times: readonly (readonly number[])[] | null;
}

export const readEventsOfBatch: Statement<EventsOfChannel> = {
  name: "search-index.read-changes",
  text: `SELECT channel_pk AS "channelPk", (count(*) FILTER (WHERE type = 'message.created')
        + COALESCE(sum((detail->>'imported')::integer) FILTER (WHERE type = 'messages.imported'), 0))::float8 AS added,
      COALESCE(json_agg(json_build_array(message_created_at, message_pk))
        FILTER (WHERE type IN ('message.updated', 'message.deleted')), '[]') AS messages,
      json_agg(detail->'times') FILTER (WHERE type = 'messages.imported') AS times
    FROM ${eventsOfBatch} AND type IN ('message.created', 'message.updated', 'message.deleted', 'messages.imported')
    GROUP BY channel_pk`,
};

export const listChannels: Statement<{ pk: number }> = {
  name: "search-index.list-channels",
  text: "SELECT pk FROM channels WHERE pk > $1::bigint ORDER BY pk LIMIT $2",
};

/**
 * Removes all blocks of a channel that has a block of an older version. Removing only that one would extend the next block
 * over its messages, because a block begins after the previous one.
 */
export const removeOutdated: Statement<unknown> = {
  name: "search-index.remove-outdated",
  // ARRAY, because a plan that was made while the table was empty would read all of it for IN.
  text: `DELETE FROM search_blocks WHERE channel_pk = ANY (ARRAY(
      SELECT pk FROM unnest($1::bigint[]) AS channel (pk)
      WHERE EXISTS (SELECT FROM search_blocks WHERE channel_pk = pk AND version < $2 OFFSET 0))) RETURNING 1`,
};

/** What follows the newest block of channels that have enough messages there for another one, before the newest time. */
export const listDue: Statement<Extent> = {
  name: "search-index.list-due",
  text: `SELECT c.pk AS "channelPk", COALESCE(newest.last_created_at, 0) AS "fromAt",
      COALESCE(newest.last_pk, 0) AS "fromPk", latest_at - 1 AS "toAt", ${Number.MAX_SAFE_INTEGER} AS "toPk"
    FROM (SELECT DISTINCT unnest($1::bigint[]) AS key) AS given
    CROSS JOIN LATERAL (SELECT pk, latest_at FROM channels WHERE pk = key AND deleted_at IS NULL OFFSET 0) AS c
    LEFT JOIN LATERAL (
      SELECT last_created_at, last_pk FROM search_blocks WHERE channel_pk = c.pk
      ORDER BY last_created_at DESC, last_pk DESC LIMIT 1) AS newest ON true
    CROSS JOIN LATERAL (
      SELECT FROM messages WHERE channel_pk = c.pk
        AND (created_at, pk) > (COALESCE(newest.last_created_at, 0), COALESCE(newest.last_pk, 0)) AND created_at < latest_at
      ORDER BY created_at, pk OFFSET $2 LIMIT 1) AS enough
    ORDER BY c.pk`,
};

export interface IndexedMessage extends Position {
  /** The number of its extent in the request, from 1. */
  readonly number: number;
  readonly text: string | null;
  readonly senderPk: number | null;
}

/** How many bytes of text a step reads, and as how many each message counts at least. */
export const bytesPerStep = 2 ** 18;
export const minMessageBytes = 2 ** 8;

/** The messages of extents, in the order of the extents and oldest first: as many as a step reads, and one more. */
export const readMessages: Statement<IndexedMessage> = {
  name: "search-index.read-messages",
  text: `SELECT number, "createdAt", pk, "senderPk", text FROM ${readPage(
    `SELECT number, found.* FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
      WITH ORDINALITY AS extent (of_channel, from_at, from_pk, to_at, to_pk, number)
    CROSS JOIN LATERAL (
      SELECT created_at AS "createdAt", pk, sender_pk AS "senderPk", ${searchedText} AS text FROM messages
      WHERE channel_pk = of_channel AND (created_at, pk) > (from_at, from_pk) AND (created_at, pk) <= (to_at, to_pk)
      ORDER BY created_at, pk LIMIT ${bytesPerStep / minMessageBytes}) AS found`,
    'number, "createdAt", pk',
    `GREATEST(octet_length(text), ${minMessageBytes})`,
    bytesPerStep,
  )} AS of_page`,
};

export const addBlocks: Statement<unknown> = {
  name: "search-index.add-blocks",
  // A channel that the sweeper has removed gets none.
  text: `INSERT INTO search_blocks (channel_pk, last_created_at, last_pk, signature, version)
    SELECT block.*, $5::integer
    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bytea[]) AS block (of_channel, at, key, signature)
    CROSS JOIN LATERAL (SELECT FROM channels WHERE pk = of_channel FOR KEY SHARE) AS channel
    RETURNING 1`,
};

/** The first blocks of some messages. `to` is the key of a block. Messages after the newest block are in none. */
export const listBlocks: Statement<Extent> = {
  name: "search-index.list-blocks",
  text: `SELECT DISTINCT of_channel AS "channelPk", COALESCE(previous.last_created_at, 0) AS "fromAt",
      COALESCE(previous.last_pk, 0) AS "fromPk", block.last_created_at AS "toAt", block.last_pk AS "toPk"
    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
      AS change (of_channel, from_at, from_pk, to_at, to_pk)
    CROSS JOIN LATERAL (
      SELECT last_created_at, last_pk FROM search_blocks WHERE channel_pk = of_channel
        AND (last_created_at, last_pk) > (from_at, from_pk) AND (last_created_at, last_pk) < (to_at, to_pk)
      UNION ALL
      (SELECT last_created_at, last_pk FROM search_blocks WHERE channel_pk = of_channel
        AND (last_created_at, last_pk) >= (to_at, to_pk) ORDER BY last_created_at, last_pk LIMIT 1)) AS block
    LEFT JOIN LATERAL (
      SELECT last_created_at, last_pk FROM search_blocks
      WHERE channel_pk = of_channel AND (last_created_at, last_pk) < (block.last_created_at, block.last_pk)
      ORDER BY last_created_at DESC, last_pk DESC LIMIT 1) AS previous ON true
    ORDER BY 1, 4, 5 LIMIT $6`,
};

export const removeBlocks: Statement<unknown> = {
  name: "search-index.remove-blocks",
  text: `DELETE FROM search_blocks b USING unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS old (of_channel, at, key)
    WHERE channel_pk = of_channel AND last_created_at = at AND last_pk = key RETURNING 1`,
};

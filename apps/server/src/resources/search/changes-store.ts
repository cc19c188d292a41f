/**
 * Adds messages to `search_changes`: the signature of their block may lack their text, so searches read them directly until
 * the indexer has signed the block again. Used by statements that edit or erase messages, or insert them before the newest one
 * of a channel. `source` is a FROM clause with the columns `channel_pk`, `created_at` and `pk`.
 */
export const reportSearchChange = (source: string): string =>
  `INSERT INTO {search_changes} (channel_pk, created_at, message_pk) SELECT channel_pk, created_at, pk FROM ${source}`;

/**
 * Removes messages from the search index, in the statement that erases them or their texts. `messages` is a table with the
 * columns `channel_pk`, `created_at` and `pk`. A signature covers all texts of its block, so it is removed: searches read the
 * whole block until the indexer has signed the remaining messages. Blocks are locked in the order of their keys, as the
 * indexer locks them.
 *
 * The indexer may have read the messages just before, and store a block with their texts that this statement does not find, or
 * have replaced the block while this statement waited for it. Messages without a block are reported, so that it signs them again.
 */
export const removeFromSearch = (messages: string): string => `located AS (
      SELECT message.channel_pk, message.created_at, message.pk, last_created_at, last_pk FROM ${messages} AS message
      LEFT JOIN LATERAL (
        SELECT last_created_at, last_pk FROM {search_blocks}
        WHERE channel_pk = message.channel_pk AND (last_created_at, last_pk) >= (message.created_at, message.pk)
        ORDER BY last_created_at, last_pk LIMIT 1) AS block ON true
    ), unsigned AS (
      UPDATE {search_blocks} b SET signature = NULL FROM (
        SELECT DISTINCT channel_pk, last_created_at, last_pk FROM located
        ORDER BY channel_pk, last_created_at, last_pk) AS block
      WHERE b.channel_pk = block.channel_pk AND b.last_created_at = block.last_created_at AND b.last_pk = block.last_pk
      RETURNING b.channel_pk, b.last_created_at AS created_at, b.last_pk AS pk
    ), reported AS (${reportSearchChange(`(
        SELECT * FROM unsigned UNION ALL
        SELECT channel_pk, created_at, pk FROM located WHERE NOT EXISTS (
          SELECT FROM unsigned u
          WHERE u.channel_pk = located.channel_pk AND u.created_at = last_created_at AND u.pk = last_pk)) AS stale`)})`;

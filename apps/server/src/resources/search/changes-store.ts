/**
 * Reports that messages may have a text that the signature of their block does not contain. Searches read them directly until
 * the index contains it. For statements that edit messages, or add them before the newest one of a channel: `source` is their
 * FROM clause, with the columns `channel_pk`, `created_at` and `pk`.
 */
export const reportSearchChange = (source: string): string =>
  `INSERT INTO {search_changes} (channel_pk, created_at, message_pk) SELECT channel_pk, created_at, pk FROM ${source}`;

/**
 * Removes messages from the search index, in the statement that erases them or their texts. `messages` is a table with their
 * columns `channel_pk`, `created_at` and `pk`. A signature is made of the texts of its block, so the block loses it: searches read
 * the block directly until the indexer has signed what is left of it. The blocks are locked in the order of their keys, as by the
 * indexer.
 */
export const removeFromSearch = (messages: string): string => `unsigned AS (
      UPDATE {search_blocks} b SET signature = NULL FROM (
        SELECT DISTINCT block.* FROM ${messages} AS message CROSS JOIN LATERAL (
          SELECT channel_pk, last_created_at, last_pk FROM {search_blocks}
          WHERE channel_pk = message.channel_pk AND (last_created_at, last_pk) >= (message.created_at, message.pk)
          ORDER BY last_created_at, last_pk LIMIT 1) AS block
        ORDER BY block.channel_pk, block.last_created_at, block.last_pk) AS block
      WHERE b.channel_pk = block.channel_pk AND b.last_created_at = block.last_created_at AND b.last_pk = block.last_pk
      RETURNING b.channel_pk, b.last_created_at AS created_at, b.last_pk AS pk
    ), reported AS (${reportSearchChange("unsigned")})`;

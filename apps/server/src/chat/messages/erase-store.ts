import { emit } from "../emit";

/** SQL that reads the channel, as `channel`, whose messages are erased. An earlier statement of the transaction must have locked it. */
export const channelForErasure = (condition: string): string =>
  `channel AS (
      SELECT pk, channel_id, last_message_at, is_held, retention_days FROM channels
      WHERE ${condition} AND deleted_at IS NULL
    )`;

/** The events of messages that changed, in the order of the messages. They belong to the senders. */
export const emitChange = (
  type: "message.updated" | "message.deleted" | "message.pinned" | "message.unpinned",
  changed: string,
  channelId = "$1",
): string =>
  emit(
    type,
    {
      channelPk: "channel_pk",
      channelId,
      userPk: "u.pk",
      userId: "u.user_id",
      messageCreatedAt: `${changed}.created_at`,
      messagePk: `${changed}.pk`,
    },
    `${changed} LEFT JOIN users u ON u.pk = sender_pk ORDER BY ${changed}.created_at, ${changed}.pk`,
  );

/** The result of a change of a message: the key of the user who sent it, for the audit log. A system message has none. */
export interface OfSender {
  readonly senderPk: number | null;
}

export const selectSender = (changed: string): string => `SELECT sender_pk AS "senderPk" FROM ${changed}`;

/**
 * SQL that subtracts the deleted replies in `erased` from the reply counts of their messages. `erased` has the rows of a DELETE
 * whose channels are locked. The GROUP BY makes the UPDATE run after the DELETE, so that it skips deleted messages.
 */
export const lowerReplyCounts = `UPDATE messages parent SET reply_count = parent.reply_count - gone.replies
      FROM (
        SELECT channel_pk, reply_to_created_at, reply_to_pk, count(*) AS replies FROM erased
        WHERE reply_to_pk IS NOT NULL GROUP BY channel_pk, reply_to_created_at, reply_to_pk
      ) gone
      WHERE parent.channel_pk = gone.channel_pk AND parent.created_at = gone.reply_to_created_at
        AND parent.pk = gone.reply_to_pk`;

/**
 * SQL that erases the messages of `channel` whose keys are in `chosen` (`created_at`, `pk`), as `erased`, and updates all counts
 * of them.
 */
export const eraseChosen = `erased AS (
      DELETE FROM messages m USING channel, chosen
      WHERE m.channel_pk = channel.pk AND m.created_at = chosen.created_at AND m.pk = chosen.pk RETURNING m.*
    ), answered AS (${lowerReplyCounts}
    ), emitted AS (${emitChange("message.deleted", "erased", "(SELECT channel_id FROM channel)")}), counted AS (
      UPDATE channels c SET moderation_revision = c.moderation_revision + 1,
        last_message_at = CASE WHEN EXISTS (SELECT FROM erased WHERE created_at = channel.last_message_at) THEN NULL
          ELSE c.last_message_at END
      FROM channel WHERE c.pk = channel.pk AND EXISTS (SELECT FROM erased)
    )`;

import { emit } from "../emit";

/** The events of messages that changed, in the order of the messages. They belong to the senders. */
export const emitChange = (
  type: "message.updated" | "message.deleted" | "message.pinned" | "message.unpinned",
  changed: string,
  channelId = "$1",
  detail?: string,
): string =>
  emit(
    type,
    {
      ...(detail !== undefined && { detail }),
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
 * SQL that erases the messages of `chosen` (`channel_pk`, `created_at`, `pk`), as `erased`, and updates all counts of them. An earlier
 * statement of the transaction must have locked their channels. `live` has those of channels that are not deleted: the others are not
 * visible any more, so their erasure has no events. The GROUP BY makes the UPDATE of the messages run after the DELETE, so that it skips
 * deleted ones.
 */
export const eraseChosen = `erased AS (
      DELETE FROM messages m USING chosen
      WHERE m.channel_pk = chosen.channel_pk AND m.created_at = chosen.created_at AND m.pk = chosen.pk RETURNING m.*
    ), answered AS (
      UPDATE messages parent SET reply_count = parent.reply_count - gone.replies
      FROM (
        SELECT channel_pk, reply_to_created_at, reply_to_pk, count(*) AS replies FROM erased
        WHERE reply_to_pk IS NOT NULL GROUP BY channel_pk, reply_to_created_at, reply_to_pk
      ) gone
      WHERE parent.channel_pk = gone.channel_pk AND parent.created_at = gone.reply_to_created_at
        AND parent.pk = gone.reply_to_pk
    ), live AS (
      SELECT erased.*, channel_id FROM erased JOIN channels c ON c.pk = channel_pk AND c.deleted_at IS NULL
    ), emitted AS (${emitChange("message.deleted", "live", "channel_id")}), counted AS (
      UPDATE channels c SET moderation_revision = moderation_revision + 1,
        last_message_at = NULLIF(last_message_at, newest)
      FROM (SELECT channel_pk, max(created_at) AS newest FROM live GROUP BY channel_pk) AS each_one
      WHERE c.pk = channel_pk
    )`;

import type { Reader, Statement } from "../../db/db";
import { nameList } from "../../db/row";
import { ServiceError } from "../../errors";
import { defineCommand, isFirst } from "../../write/command";
import { writeOrExplain } from "../../write/write-or-explain";
import type { Writer } from "../../write/writer";
import { defineLookup, hasEntry, requireChannelAndUser, requireChannelPk } from "../channels/store";
import { emit } from "../events/emit";
import { isNotSuspended, isStillFreeOf } from "../moderation/conditions";
import { userColumns, userFields } from "../users/store";
import { hasRole, type Obstacles, obstacles, requireMaySend } from "./may-send";
import { isPlain, type NewMessage, type Sent, toRow } from "./new-message";
import { chooseCommand, linksOf, valuesOf } from "./send-batch-store";
import { type MessageRow, requireMessage } from "./store";

/**
 * Stores a message and counts it, in one statement. In a frozen channel only managers may send; a system message is always
 * accepted.
 */
export async function sendMessage(writer: Writer, message: NewMessage, now: number): Promise<MessageRow> {
  const { channelId, senderId, content, file, meta } = message;
  const shard = writer.channel(channelId);
  const sent = await writeOrExplain(
    () =>
      isPlain(message)
        ? shard.write(send, [channelId, senderId, now, content, file, meta])
        : shard.write(chooseCommand({ mayWait: true, isLinked: true }), [
            ...valuesOf([message], now),
            ...linksOf([message]),
          ]),
    () => explainRejection(writer.reader, message),
  );
  return toRow(message, sent);
}

async function explainRejection(db: Reader, message: NewMessage): Promise<undefined> {
  const { channelId, senderId, replyTo, mentions } = message;
  if (senderId === null) await requireChannelPk(db, channelId);
  else requireMaySend(await requireChannelAndUser(db, explain, channelId, senderId), channelId, senderId);
  if (replyTo !== null) await requireMessage(db, { channelId, messageId: replyTo });
  if (mentions === null) return;
  const [absent] = await db.channel(channelId).query(findAbsent, [channelId, mentions]);
  if (absent !== undefined)
    throw new ServiceError(
      "member_not_found",
      `The user ${absent.userId} is not a participant or manager of the channel ${channelId}, so a message there cannot mention it.`,
    );
}

const about = { channelPk: "channel_pk", channelId: "$1", userPk: "sender_pk" };

// The sender is always locked before the channel. The time and key of a message are assigned while the channel is locked,
// so they are in the order in which messages become visible, and times never decrease, whatever the clock does.
const send = defineCommand<Sent>(
  "messages.send",
  6,
  `sender AS (
      SELECT pk, ${userColumns} FROM {users} u
      WHERE user_id = $2 AND deleted_at IS NULL AND ${isFirst} AND ${isNotSuspended("u")} FOR KEY SHARE
    ), counted AS (
      UPDATE {channels} c SET total_message_count = c.total_message_count + 1,
        total_file_count = c.total_file_count + CASE WHEN $5::jsonb IS NULL THEN 0 ELSE 1 END,
        latest_at = GREATEST(c.latest_at, $3::bigint), last_message_at = GREATEST(c.latest_at, $3::bigint)
      FROM sender
      WHERE c.channel_id = $1 AND c.deleted_at IS NULL AND ${isStillFreeOf("mutes", "c", "sender.pk")}
        AND ${hasRole("c", "sender.pk")}
      RETURNING c.pk AS channel_pk, sender.pk AS sender_pk, c.latest_at AS sent_at
    ), stored AS (
      INSERT INTO {messages} (channel_pk, sender_pk, created_at, updated_at, type, content, file, meta)
      SELECT channel_pk, sender_pk, sent_at, sent_at,
        CASE WHEN $5::jsonb IS NULL THEN 'text' ELSE 'file' END, $4, $5::jsonb, $6::jsonb
      FROM counted RETURNING channel_pk, sender_pk, pk, created_at
    ), emitted AS (${emit("message.created", { ...about, userId: "$2", messageCreatedAt: "created_at", messagePk: "pk" }, "stored")}), effect AS (
      SELECT stored.pk AS "messagePk", stored.created_at AS "sentAt", ${nameList("sender", userFields)} FROM stored, sender
    )`,
  { messageCreatedAt: "sentAt", messagePk: "messagePk" },
);

const explain = defineLookup<Obstacles>("messages.explain", obstacles);

/** The first of these users that is neither a participant nor a manager. */
const findAbsent: Statement<{ readonly userId: string }> = {
  name: "messages.find-absent",
  text: `SELECT named.user_id AS "userId"
    FROM {channels} c, unnest($2::text[]) WITH ORDINALITY AS named (user_id, position)
    LEFT JOIN {users} u ON u.user_id = named.user_id AND u.deleted_at IS NULL
    WHERE c.channel_id = $1 AND c.deleted_at IS NULL AND NOT ${hasEntry("members")} AND NOT ${hasEntry("managers")}
    ORDER BY named.position LIMIT 1`,
};

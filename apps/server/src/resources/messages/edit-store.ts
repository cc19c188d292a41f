import type { Reader, Statement } from "../../db/db";
import { ServiceError } from "../../errors";
import type { Writer } from "../../idempotency/writer";
import { oldest } from "../../paging/position";
import { rejectUnknownChannel } from "../channels/store";
import { emit } from "../events/emit";
import { writeOrExplain } from "../write-or-explain";
import { findPosition, rejectUnknownMessage } from "./message-id";
import { type MessageRow, selectMessages } from "./store";

export interface MessageKey {
  readonly channelId: string;
  readonly messageId: string;
}

/** Absent fields keep their value. */
export interface MessageChange {
  readonly content: string | undefined;
  readonly meta: Record<string, string> | undefined;
}

export async function requireMessage(db: Reader, name: MessageKey): Promise<MessageRow> {
  const [found] = await db.channel(name.channelId).query(get, keyOf(name));
  if (found === undefined) return rejectUnknownChannel(name.channelId);
  return found.messagePk === null ? rejectUnknownMessage(name.channelId, name.messageId) : found;
}

export async function updateMessage(
  writer: Writer,
  name: MessageKey,
  { content, meta }: MessageChange,
  now: number,
): Promise<void> {
  const values = [...keyOf(name), content ?? null, meta ?? null, now];
  await writeOrExplain(
    async () => (await writer.channel(name.channelId).write(update, values))[0],
    async () => {
      const { file } = await requireMessage(writer, name);
      if (file !== null && content !== undefined) rejectContentOfFile();
      return undefined;
    },
  );
}

/** Deletes the row of the message. The channel's totals still count it. */
export async function deleteMessage(writer: Writer, name: MessageKey): Promise<void> {
  await writeOrExplain(
    async () => (await writer.channel(name.channelId).write(erase, keyOf(name)))[0],
    async () => void (await requireMessage(writer, name)),
  );
}

/** An invalid message id becomes the oldest position, which no message has. */
function keyOf({ channelId, messageId }: MessageKey): [string, number, number] {
  const { createdAt, pk } = findPosition(messageId) ?? oldest;
  return [channelId, createdAt, pk];
}

/** No row: the channel does not exist. A row without a message: the message does not exist. */
type Row = MessageRow | { readonly messagePk: null };

function rejectContentOfFile(): never {
  const message = "Only a text message has content.";
  throw new ServiceError("invalid_request", `The message is a file message. ${message}`, [
    { in: "body", path: "content", message },
  ]);
}

const get: Statement<Row> = {
  name: "messages.get",
  text: `SELECT found.* FROM {channels} c
    LEFT JOIN LATERAL (${selectMessages(
      "{messages} WHERE channel_pk = c.pk AND created_at = $2 AND pk = $3",
    )}) AS found ON true
    WHERE channel_id = $1 AND deleted_at IS NULL`,
};

// Each change increments the revision of the channel, by which an export notices that a replica does not have it yet. The
// channel is locked before its messages, as everywhere. What the writes return is stored with an idempotency key, so it
// contains nothing of the message.
const lockChannel = `SELECT pk, last_message_at, message_revision FROM {channels}
  WHERE channel_id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE`;

const emitChange = (type: "message.updated" | "message.deleted", changed: string) =>
  emit(
    type,
    {
      channelPk: "channel_pk",
      channelId: "$1",
      userPk: "u.pk",
      userId: "u.user_id",
      messageCreatedAt: `${changed}.created_at`,
      messagePk: `${changed}.pk`,
    },
    `${changed} JOIN {users} u ON u.pk = sender_pk`,
  );

const update: Statement<{ readonly isUpdated: true }> = {
  name: "messages.update",
  text: `WITH channel AS (${lockChannel}), updated AS (
      UPDATE {messages} m SET content = COALESCE($4, content), meta = COALESCE($5::jsonb, meta),
        updated_at = GREATEST($6, updated_at + 1)
      FROM channel
      WHERE channel_pk = channel.pk AND created_at = $2 AND m.pk = $3 AND ($4::text IS NULL OR type = 'text')
      RETURNING m.*
    ), emitted AS (${emitChange("message.updated", "updated")}), counted AS (
      UPDATE {channels} c SET message_revision = channel.message_revision + 1
      FROM channel, updated WHERE c.pk = channel.pk AND c.pk = updated.channel_pk
    )
    SELECT true AS "isUpdated" FROM updated`,
};

const erase: Statement<{ readonly isErased: true }> = {
  name: "messages.erase",
  text: `WITH channel AS (${lockChannel}), erased AS (
      DELETE FROM {messages} m USING channel
      WHERE channel_pk = channel.pk AND created_at = $2 AND m.pk = $3 RETURNING m.*
    ), emitted AS (${emitChange("message.deleted", "erased")}), counted AS (
      UPDATE {channels} c SET message_revision = channel.message_revision + 1,
        last_message_at = NULLIF(channel.last_message_at, erased.created_at)
      FROM channel, erased WHERE c.pk = channel.pk AND c.pk = erased.channel_pk
    )
    SELECT true AS "isErased" FROM erased`,
};

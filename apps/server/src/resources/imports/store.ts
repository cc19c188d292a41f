import type { Queryable, Statement } from "../../db/db";
import { ServiceError } from "../../errors";
import type { Writer } from "../../idempotency/writer";
import { rejectUnknownChannel } from "../channels/store";
import { emit } from "../events/emit";
import type { FileReference } from "../messages/store";
import { writeOrExplain } from "../write-or-explain";

/** A message as the request has it. The statement reads it by these names. */
export interface ImportedMessage {
  readonly external_id?: string | undefined;
  readonly user_id: string;
  readonly content?: string;
  readonly file?: FileReference;
  readonly meta?: Record<string, string> | undefined;
  readonly created_at: number;
}

export interface ImportBatch {
  readonly channelId: string;
  /** The sender of each message. */
  readonly senderIds: readonly string[];
  /** A JSON array of `ImportedMessage`. */
  readonly encodedMessages: Buffer;
}

export interface ImportResult {
  readonly imported: number;
  readonly skipped: number;
}

/** Stores messages with their own times, all or none, and counts them, in one statement. */
export async function importMessages(writer: Writer, batch: ImportBatch): Promise<ImportResult> {
  return writeOrExplain(
    async () =>
      (await writer.channel(batch.channelId).write(store, [batch.channelId, batch.encodedMessages]))[0],
    () => explainRejected(writer, batch),
  );
}

async function explainRejected(db: Queryable, { channelId, senderIds }: ImportBatch): Promise<undefined> {
  const [look] = await db.channel(channelId).query(lookAtSenders, [channelId, senderIds]);
  if (look === undefined) return rejectUnknownChannel(channelId);
  const index = look.missing?.[0];
  if (index === undefined) return undefined;
  const message = `There is no user ${senderIds[index]}.`;
  const path = `messages.${index}.user_id`;
  throw new ServiceError("user_not_found", `In the body, ${path}: ${message}`, [
    { in: "body", path, message },
  ]);
}

/** One event for all messages of a request. */
const aboutImport = {
  channelPk: "channel.pk",
  channelId: "$1",
  detail: "jsonb_build_object('imported', messages)",
};

// The senders are locked before the channel, as everywhere. The keys of the messages are drawn in the order of the
// request, while the channel is locked: messages of the same time come in the order in which they became visible. While
// the newest message is deleted, an older import does not say which message is the newest now.
const store: Statement<ImportResult> = {
  name: "imports.store",
  text: `WITH sent AS MATERIALIZED (
      SELECT * FROM ROWS FROM (json_to_recordset(convert_from($2::bytea, 'UTF8')::json) AS (
        external_id text, user_id text, content text, file jsonb, meta jsonb, created_at bigint)) WITH ORDINALITY
    ), sender AS (
      SELECT pk, user_id FROM {users}
      WHERE user_id = ANY (ARRAY(SELECT user_id FROM sent)) AND deleted_at IS NULL
      ORDER BY pk FOR KEY SHARE
    ), channel AS (
      SELECT pk, total_message_count, total_file_count, last_message_at, latest_at FROM {channels}
      WHERE channel_id = $1 AND deleted_at IS NULL
        AND (SELECT count(*) FROM sender) = (SELECT count(DISTINCT user_id) FROM sent)
      FOR NO KEY UPDATE
    ), stored AS (
      INSERT INTO {messages} (channel_pk, sender_pk, created_at, updated_at, type, content, file, meta, external_id)
      SELECT channel.pk, sender.pk, created_at, created_at, CASE WHEN file IS NULL THEN 'text' ELSE 'file' END,
        content, file, COALESCE(sent.meta, '{}'), external_id
      FROM sent JOIN sender USING (user_id) CROSS JOIN channel ORDER BY ordinality
      ON CONFLICT DO NOTHING
      RETURNING created_at, file
    ), added AS (
      SELECT count(*) AS messages, count(file) AS files, max(created_at) AS newest FROM stored
    ), counted AS (
      UPDATE {channels} c SET total_message_count = channel.total_message_count + added.messages,
        total_file_count = channel.total_file_count + added.files,
        latest_at = GREATEST(channel.latest_at, added.newest),
        last_message_at = CASE WHEN channel.last_message_at IS NOT NULL OR channel.total_message_count = 0
          OR added.newest >= channel.latest_at THEN GREATEST(channel.last_message_at, added.newest) END
      FROM channel, added WHERE c.pk = channel.pk AND added.messages > 0
    ), emitted AS (${emit("messages.imported", aboutImport, "channel, added WHERE messages > 0")})
    SELECT messages AS imported, (SELECT count(*) FROM sent) - messages AS skipped FROM channel, added`,
};

/** No row: there is no such channel. */
const lookAtSenders: Statement<{ readonly missing: readonly number[] | null }> = {
  name: "imports.look-at-senders",
  text: `SELECT (
      SELECT array_agg(row_number - 1 ORDER BY row_number)
      FROM unnest($2::text[]) WITH ORDINALITY AS sent (user_id, row_number)
      WHERE NOT EXISTS (SELECT FROM {users} u WHERE u.user_id = sent.user_id AND u.deleted_at IS NULL)) AS missing
    FROM {channels} WHERE channel_id = $1 AND deleted_at IS NULL`,
};

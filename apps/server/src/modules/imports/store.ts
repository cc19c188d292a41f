import { type ErrorCode, erasedUserId, type MessagePart } from "@madang/contract";
import type { UncheckedText } from "../../call/unchecked-text";
import { lockUsersAndChannels } from "../../chat/channels/lock-store";
import { rejectUnknownChannel } from "../../chat/channels/store";
import { emit } from "../../chat/emit";
import { attachFiles } from "../../chat/messages/attach-store";
import type { Database, Statement } from "../../db/db";
import { describeField, ServiceError } from "../../errors/service-error";
import { writeOrExplain } from "../../write/write-or-explain";
import type { Writer } from "../../write/writer";

/** What is read here of a message of the request. The statement reads all of it. */
export interface ImportedMessage {
  /** Absent in a system message. */
  readonly user_id?: string;
  readonly content?: UncheckedText | undefined;
  readonly parts?: readonly MessagePart[] | undefined;
  readonly created_at: number;
  readonly mentions?: readonly string[] | undefined;
  readonly attachments?: readonly { readonly file_id: string }[] | undefined;
}

/** A message of a request that has files. */
export interface MessageWithFiles {
  readonly index: number;
  readonly senderId: string | null;
  readonly fileIds: readonly string[];
}

interface ImportBatch {
  readonly channelId: string;
  /** The senders and the mentioned users. */
  readonly userIds: readonly string[];
  readonly withFiles: readonly MessageWithFiles[];
  /** A JSON array of `ImportedMessage`. */
  readonly encodedMessages: Buffer;
}

interface ImportResult {
  readonly imported: number;
  readonly skipped: number;
}

/** Creates the sender of messages whose sender was erased elsewhere: like the users that are erased here, but with a known key. */
export async function addErasedUser({ prisma }: Database): Promise<void> {
  const user = {
    pk: 0,
    userId: erasedUserId,
    name: "Deleted user",
    createdAt: 0,
    updatedAt: 0,
    deletedAt: 0,
  };
  await prisma.user.createMany({ data: [user], skipDuplicates: true });
}

/** Stores messages with their own times, all or none, counts them, and gives them their files. */
export async function importMessages(writer: Writer, batch: ImportBatch): Promise<ImportResult> {
  const { channelId, userIds, encodedMessages, withFiles } = batch;
  const values = [channelId, encodedMessages];
  return writeOrExplain(
    () =>
      writer.writeAll(async (tx) => {
        // The next statement sees the current rows: the users, the messages that exist, and whose replies it counts. An erasure of a
        // mentioned user waits until the mentions are stored. If it was first, the next statement does not find the user.
        const locked = await tx.query(lockUsersAndChannels, [[channelId], userIds]);
        const [result] = locked.length === 0 ? [] : await tx.query(store, values);
        if (result === undefined) return [];
        const { stored, ...counts } = result;
        for (const { index, senderId, fileIds } of withFiles) {
          const place = stored?.find((message) => message.index === index);
          if (place !== undefined)
            await attachFiles(tx, { channelId, senderId }, fileIds, place).catch((error: unknown) => {
              if (!(error instanceof ServiceError)) throw error;
              throw rejectionOf(error.code, `messages.${index}.attachments`, error.detail);
            });
        }
        return [counts];
      }),
    async () => {
      const [found] = await writer.db.query(findUnknown, values);
      if (found === undefined) return rejectUnknownChannel(channelId);
      if (found.code === null) return undefined;
      const { code, path, name } = found;
      const message =
        code === "user_not_found"
          ? `There is no user ${name}.`
          : `There is no message with the external_id ${JSON.stringify(name)} in the channel ${channelId}.`;
      throw rejectionOf(code, path, message);
    },
  );
}

/** The rejection of a request because of one of its messages, which the path names. */
function rejectionOf(code: ErrorCode, path: string, message: string): ServiceError {
  const field = { in: "body", path, message } as const;
  return new ServiceError(code, describeField(field), { errors: [field] });
}

/** One event for all messages of a request, with their times: those who read the feed to follow all messages find them there. */
const aboutImport = {
  channelPk: "channel.pk",
  channelId: "$1",
  detail: "jsonb_build_object('imported', messages, 'times', times)",
};

const sent = `sent AS MATERIALIZED (
      SELECT *, row_number() OVER (PARTITION BY external_id ORDER BY ordinality) = 1 AS is_first
      FROM ROWS FROM (json_to_recordset(convert_from($2::bytea, 'UTF8')::json) AS (
        external_id text, user_id text, content text, file jsonb, meta jsonb, created_at bigint, reply_to text,
        mentions jsonb, parts text, attachments jsonb)) WITH ORDINALITY
    )`;

/** A message with parts may come without. */
const content = "CASE WHEN file IS NULL THEN COALESCE(content, '') END";

/**
 * Counts the rows of `stored`, in the row of `channel`. While the newest message is deleted, an older import does not say which message
 * is the newest now. The result also says where the messages with files are stored, by their place in the request.
 */
const count = `added AS (
      SELECT count(*) AS messages, count(file) AS files, max(created_at) AS newest,
        jsonb_agg(DISTINCT created_at) AS times
      FROM stored
    ), counted AS (
      UPDATE channels c SET total_message_count = channel.total_message_count + added.messages,
        total_file_count = channel.total_file_count + added.files,
        latest_at = GREATEST(channel.latest_at, added.newest),
        last_message_at = CASE WHEN channel.last_message_at IS NOT NULL OR channel.total_message_count = 0
          OR added.newest >= channel.latest_at THEN GREATEST(channel.last_message_at, added.newest) END
      FROM channel, added WHERE c.pk = channel.pk AND added.messages > 0
    ), emitted AS (${emit("messages.imported", aboutImport, "channel, added WHERE messages > 0")})
    SELECT messages AS imported, (SELECT count(*) FROM sent) - messages AS skipped, (
        SELECT jsonb_agg(jsonb_build_object('index', ordinality - 1, 'sentAt', created_at, 'messagePk', pk))
        FROM accepted WHERE attachments IS NOT NULL) AS stored
    FROM channel, added`;

/** The existing users among the senders and the mentioned ones, and the erased user. */
const person = `person AS (
      SELECT pk, user_id FROM users
      WHERE deleted_at IS NULL AND user_id = ANY (ARRAY(
        SELECT user_id FROM sent UNION SELECT jsonb_array_elements_text(mentions) FROM sent))
      UNION ALL SELECT pk, user_id FROM users WHERE pk = 0
    )`;

/** What the request names and does not exist, for a row `channel`. */
const unknown = `unknown AS (
      SELECT 'user_not_found' AS code, ordinality, '.user_id' AS path, user_id AS name FROM sent
      WHERE user_id IS NOT NULL AND user_id NOT IN (SELECT user_id FROM person)
      UNION ALL
      SELECT 'user_not_found', ordinality, '.mentions.' || place - 1, name
      FROM sent CROSS JOIN LATERAL jsonb_array_elements_text(mentions) WITH ORDINALITY AS mention (name, place)
      WHERE name NOT IN (SELECT user_id FROM person)
      UNION ALL
      SELECT 'message_not_found', ordinality, '.reply_to', reply_to FROM linked
      WHERE reply_to IS NOT NULL AND reply_to_pk IS NULL
    )`;

/**
 * The messages that the channel does not have yet, with their keys, and the messages to which they reply: those that the
 * channel has, or earlier ones of the request. The keys are drawn in the order of the request, while the channel is locked: messages of
 * the same time come in the order in which they became visible. OFFSET makes PostgreSQL look for each message: it could
 * also read those of all channels.
 */
const linked = `fresh AS MATERIALIZED (
      SELECT *, nextval('messages_pk_seq') AS pk FROM (
        SELECT sent.*, channel.pk AS channel_pk FROM sent, channel
        WHERE external_id IS NULL OR (is_first AND NOT EXISTS (
          SELECT FROM messages m WHERE m.channel_pk = channel.pk AND m.external_id = sent.external_id OFFSET 0))
        ORDER BY ordinality) ordered
    ), linked AS MATERIALIZED (
      SELECT fresh.*, COALESCE(known.created_at, near.created_at) AS reply_to_created_at,
        COALESCE(known.pk, near.pk) AS reply_to_pk
      FROM fresh
      LEFT JOIN LATERAL (
        SELECT created_at, pk FROM messages m WHERE m.channel_pk = fresh.channel_pk AND m.external_id = fresh.reply_to
        OFFSET 0) AS known ON true
      LEFT JOIN fresh near ON near.external_id = fresh.reply_to AND near.ordinality < fresh.ordinality
    )`;

interface StoredResult extends ImportResult {
  readonly stored:
    | readonly { readonly index: number; readonly sentAt: number; readonly messagePk: number }[]
    | null;
}

// Replies to messages that it inserts are counted as it inserts them.
const store: Statement<StoredResult> = {
  name: "imports.store",
  text: `WITH ${sent}, ${person}, channel AS (
      SELECT pk, total_message_count, total_file_count, last_message_at, latest_at FROM channels
      WHERE channel_id = $1 AND deleted_at IS NULL
    ), ${linked}, ${unknown}, accepted AS (
      SELECT * FROM linked WHERE NOT EXISTS (SELECT FROM unknown)
    ), replies AS (
      SELECT channel_pk, reply_to_created_at, reply_to_pk, count(*) AS replies FROM accepted
      WHERE reply_to_pk IS NOT NULL GROUP BY channel_pk, reply_to_created_at, reply_to_pk
    ), stored AS (
      INSERT INTO messages (channel_pk, pk, sender_pk, created_at, updated_at, type, content, file, meta,
        external_id, reply_to_created_at, reply_to_pk, reply_count, mentions, parts)
      SELECT channel_pk, accepted.pk, person.pk, created_at, created_at,
        CASE WHEN user_id IS NULL THEN 'system' WHEN file IS NULL THEN 'text' ELSE 'file' END,
        ${content}, file, COALESCE(meta, '{}'), external_id, reply_to_created_at, reply_to_pk, COALESCE((
          SELECT replies FROM replies
          WHERE replies.reply_to_created_at = created_at AND replies.reply_to_pk = accepted.pk), 0), mentions, parts
      FROM accepted LEFT JOIN person USING (user_id)
      RETURNING channel_pk, created_at, pk, file
    ), answered AS (
      UPDATE messages m SET reply_count = m.reply_count + replies.replies FROM replies
      WHERE m.channel_pk = replies.channel_pk AND m.created_at = replies.reply_to_created_at
        AND m.pk = replies.reply_to_pk
    ), noted AS (
      INSERT INTO mentions (channel_pk, message_created_at, message_pk, user_pk, is_own)
      SELECT channel_pk, created_at, accepted.pk, person.pk, COALESCE(person.user_id = accepted.user_id, false)
      FROM accepted CROSS JOIN LATERAL jsonb_array_elements_text(mentions) AS mention (name)
      JOIN person ON person.user_id = mention.name
    ), ${count} WHERE NOT EXISTS (SELECT FROM unknown)`,
};

/** No row: there is no such channel. A row without a code: everything exists. */
const findUnknown: Statement<
  | { readonly code: null }
  | { readonly code: "user_not_found" | "message_not_found"; readonly path: string; readonly name: string }
> = {
  name: "imports.find-unknown",
  text: `WITH ${sent}, ${person}, channel AS (
      SELECT pk FROM channels WHERE channel_id = $1 AND deleted_at IS NULL
    ), ${linked}, ${unknown}
    SELECT code, 'messages.' || ordinality - 1 || path AS path, name FROM channel
    LEFT JOIN (SELECT * FROM unknown ORDER BY ordinality LIMIT 1) first ON true`,
};

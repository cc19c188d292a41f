import { limits } from "@madang/contract";
import { type Db, databaseNow, type Statement, type Tx } from "../../db/db";
import { nameList } from "../../db/row";
import { ServiceError } from "../../errors/service-error";
import type { ActingUser } from "../../security/acting-user";
import { defineCommand } from "../../write/command";
import { runCalls } from "../../write/run-command";
import { writeOrExplain } from "../../write/write-or-explain";
import { openWriter, type Writer } from "../../write/writer";
import { lockUsersAndChannels } from "../channels/lock-store";
import { maySend, requireMaySend } from "../channels/may-send";
import { isNotTooFast, tooFast } from "../channels/slow-mode";
import { hasAnyRole } from "../channels/visibility";
import { emit } from "../emit";
import { formatMessageId, rejectUnknownMessage } from "../message-id";
import { lockUserByPk, userColumns, userFields } from "../users/store";
import { attachFiles } from "./attach-store";
import { explainRejection } from "./may-send-store";
import {
  type AssignedMessage,
  findParent,
  isOneStatement,
  type NewMessage,
  type SentMessage,
  toRow,
} from "./new-message";

/** Stores a message and counts it. In a frozen channel only managers may send; a system message is always accepted. */
export async function sendMessage(writer: Writer, message: NewMessage, now: number): Promise<SentMessage> {
  return writeOrExplain(
    async (attempt) => {
      const sent =
        attempt === 1 && isOneStatement(message)
          ? await writer.write(send, toColumns(message, now, writer.request.acting))
          : await storeLocked(writer, message, now);
      return sent.map((row) => toRow(message, row));
    },
    async () => void (await requireSendable(writer, message)),
  );
}

/** What decides whether a message may be sent, besides its text. */
type Sendable = Pick<NewMessage, "channelId" | "senderId" | "replyTo" | "mentions" | "externalId">;

/**
 * Throws the reason why the message may not be sent. Returns whether an earlier request with the idempotency key has sent it: then there
 * may be one, such as its own external id, but this request gets the response of that one.
 */
export async function requireSendable(
  writer: Writer,
  message: Sendable,
): Promise<{ readonly isRepeated: boolean }> {
  const { channelId, senderId, replyTo, mentions, externalId } = message;
  const { key, acting } = writer.request;
  const question = { userId: senderId, message: findParent(replyTo), mentions, externalId, key };
  const found = await explainRejection(writer.db, channelId, question, acting);
  const { isRepeated } = found;
  if (isRepeated) return { isRepeated };
  if (senderId !== null) requireMaySend(found, senderId);
  if (replyTo !== null && found.message === null) rejectUnknownMessage(channelId, replyTo);
  if (found.absentUser !== null)
    throw new ServiceError(
      "member_not_found",
      `The user ${found.absentUser} is not a participant or manager of the channel ${channelId}, so a message there cannot mention it.`,
    );
  if (found.namesake !== null)
    throw new ServiceError(
      "external_id_exists",
      `The channel ${channelId} already has a message with the external_id ${JSON.stringify(externalId)}.`,
      { members: { message_id: formatMessageId(found.namesake) } },
    );
  if (senderId !== null && found.slowModeWaitMs !== null && found.slowModeWaitMs > 0)
    throw tooFast(senderId, channelId, found.slowModeWaitMs);
  return { isRepeated };
}

/**
 * Stores a message that takes more than one statement, or that conflicted with a change of its channel. Locks the channel first:
 * beside many deletions, its revision would change whenever `send` waits for its row. The files of the message, and the
 * beginning of one that is written by appends, are stored in the same transaction.
 */
function storeLocked(writer: Writer, message: NewMessage, now: number): Promise<AssignedMessage[]> {
  const { acting } = writer.request;
  return writer.writeAll(async (tx) => {
    // With a key, the application decides how much is written at once.
    if (message.isStreaming && acting !== undefined && acting.id === undefined)
      await requireFewStreams(tx, acting);
    await tx.query(lockUsersAndChannels, [[message.channelId], [message.senderId]]);
    const stored = await openWriter(tx).write(send, toColumns(message, now, acting));
    const [sent] = stored;
    if (sent !== undefined && message.fileIds !== null) await attachFiles(tx, message, message.fileIds, sent);
    if (sent !== undefined && message.isStreaming)
      await tx.query(begin, [
        message.channelId,
        sent.sentAt,
        sent.messagePk,
        message.content,
        message.senderId,
      ]);
    if (sent !== undefined && message.addToMessage !== undefined) {
      const messageId = formatMessageId({ createdAt: sent.sentAt, pk: sent.messagePk });
      await message.addToMessage(tx, { channelId: message.channelId, messageId });
    }
    return stored;
  }, auditSubject);
}

/** Locks the user, so that its tokens cannot begin two messages of which only one is allowed. */
async function requireFewStreams(tx: Tx, { userId, userPk }: ActingUser): Promise<void> {
  await tx.query(lockUserByPk, [userPk]);
  const open = await tx.query(findOpen, [userPk, limits.streamedMessages]);
  if (open.length >= limits.streamedMessages)
    throw new ServiceError(
      "stream_limit_exceeded",
      `The user ${userId} is already writing ${open.length} messages, the maximum with tokens. Finish one first.`,
    );
}

/** The messages that the user is writing, up to a number. */
const findOpen: Statement<unknown> = {
  name: "messages.find-open",
  text: "SELECT 1 FROM message_chunks WHERE sender_pk = $1 AND number = 0 LIMIT $2",
};

/**
 * Stores messages in one statement, without the keys of their requests. One that may not be sent, or whose channel changed while the
 * statement waited for it, is undefined in the result.
 */
export function storeMessages(
  db: Db,
  messages: readonly NewMessage[],
  now: number,
): Promise<(AssignedMessage | undefined)[]> {
  const write = openWriter(db);
  const calls = messages.map((message) => ({ write, row: toColumns(message, now) }));
  return runCalls(db, send, calls);
}

function toColumns(message: NewMessage, now: number, acting?: ActingUser) {
  const parent = findParent(message.replyTo);
  return {
    now,
    channel_id: message.channelId,
    sender_id: message.senderId,
    acting_pk: acting?.userPk,
    content: message.isStreaming ? "" : message.content,
    file: message.file && JSON.stringify(message.file),
    message_meta: JSON.stringify(message.meta),
    reply_to_created_at: parent?.createdAt,
    reply_to_pk: parent?.pk,
    mentions: message.mentions && JSON.stringify(message.mentions),
    external_id: message.externalId,
    parts: message.parts,
    state: message.isStreaming ? "streaming" : null,
    is_replaced: message.isReplaced,
  };
}

const columns = {
  now: "bigint",
  channel_id: "text",
  sender_id: "text",
  // The sender, if the request acts as it. Another user may have got the id of a deleted one while a hook was asked.
  acting_pk: "bigint",
  content: "text",
  file: "jsonb",
  message_meta: "jsonb",
  reply_to_created_at: "bigint",
  reply_to_pk: "bigint",
  mentions: "jsonb",
  external_id: "text",
  parts: "text",
  state: "text",
  is_replaced: "boolean",
};

/** Of the messages in one statement, in SQL. */
const isFirstOfSender = `NOT EXISTS (SELECT FROM sent earlier
    WHERE earlier.channel_id = sent.channel_id AND earlier.sender_id = sent.sender_id AND earlier.ordinal < sent.ordinal)`;

const begin: Statement<unknown> = {
  name: "messages.begin",
  text: `INSERT INTO message_chunks (channel_pk, message_created_at, message_pk, number, content, characters, sender_pk)
    SELECT pk, $2, $3, 0, $4::text, char_length($4), (
      SELECT u.pk FROM users u WHERE user_id = $5 AND u.deleted_at IS NULL)
    FROM channels WHERE channel_id = $1 AND deleted_at IS NULL RETURNING 1`,
};

/** For the audit entry. */
const auditSubject = { messageCreatedAt: "sentAt", messagePk: "messagePk" };

const aboutEvent = {
  channelPk: "channel_pk",
  channelId: "channel_id",
  userPk: "sender_pk",
  userId: "sender_id",
};

// The steps of a send, each a common table expression:
// 1. `sender` locks the senders, so that none is deleted meanwhile. `mentioned` finds the users whom messages mention.
// 2. `allowed` decides, in the snapshot of the statement, which messages may be sent. The join with the senders is a LEFT JOIN, because
//    a system message has none: PostgreSQL then looks up one role for each message, and not one for every sender in every channel.
// 3. `counted` updates each channel once, in the order of their keys, and locks its row. It skips a channel that changed since the
//    snapshot: whatever can make a message not allowed (a mute, a ban, a leave, a freeze, a deleted message) raises the revision.
// 4. `accepted` gives messages their times and keys under that lock: both increase in the order in which messages become visible,
//    whatever the clock does.
// 5. `stored`, `answered`, `noted` and `emitted` store the messages, the counts of replies, the mentions and the events.
const send = defineCommand<AssignedMessage, keyof typeof columns>(
  "messages.send",
  columns,
  `sender AS (
      SELECT pk, user_id, suspended_until, ${userColumns} FROM users u
      WHERE user_id = ANY (ARRAY(SELECT sender_id FROM sent)) AND deleted_at IS NULL
      ORDER BY pk FOR KEY SHARE
    ), mentioned AS (
      SELECT ordinal, c.pk AS channel_pk, u.pk AS user_pk, COALESCE(u.user_id = sender_id, false) AS is_own
      FROM sent CROSS JOIN LATERAL jsonb_array_elements_text(mentions) AS mention (id)
      JOIN channels c ON c.channel_id = sent.channel_id AND c.deleted_at IS NULL
      JOIN users u ON u.user_id = mention.id AND u.deleted_at IS NULL
      WHERE mentions IS NOT NULL AND ${hasAnyRole("c.pk", "u.pk")}
    ), allowed AS (
      SELECT sent.*, sender.pk AS sender_pk, c.pk AS channel_pk, c.moderation_revision,
        CASE WHEN c.slow_mode_seconds IS NOT NULL THEN c.total_message_count END AS slow_count
      FROM sent LEFT JOIN sender ON sender.user_id = sent.sender_id
      JOIN channels c ON c.channel_id = sent.channel_id AND c.deleted_at IS NULL
      WHERE (sent.sender_id IS NULL OR (
          sender.pk = COALESCE(sent.acting_pk, sender.pk) AND ${maySend("c", "sender")}
          AND ${isNotTooFast("c", "sender", isFirstOfSender)}))
        AND (sent.reply_to_pk IS NULL OR EXISTS (
          SELECT FROM messages m
          WHERE m.channel_pk = c.pk AND m.created_at = sent.reply_to_created_at AND m.pk = sent.reply_to_pk))
        AND (mentions IS NULL OR jsonb_array_length(mentions) = (
          SELECT count(*) FROM mentioned WHERE mentioned.ordinal = sent.ordinal))
        AND (sent.external_id IS NULL OR NOT EXISTS (
          SELECT FROM messages m WHERE m.channel_pk = c.pk AND m.external_id = sent.external_id))
    ), added AS (
      SELECT channel_pk, moderation_revision, slow_count, max(now) AS now, count(*) AS messages, count(file) AS files
      FROM allowed GROUP BY channel_pk, moderation_revision, slow_count ORDER BY channel_pk
    ), counted AS (
      UPDATE channels c SET total_message_count = c.total_message_count + added.messages,
        total_file_count = c.total_file_count + added.files,
        latest_at = GREATEST(c.latest_at, added.now), last_message_at = GREATEST(c.latest_at, added.now)
      FROM added WHERE c.pk = added.channel_pk AND c.deleted_at IS NULL AND c.moderation_revision = added.moderation_revision
        AND (added.slow_count IS NULL OR added.slow_count = c.total_message_count)
      RETURNING c.pk AS channel_pk, c.latest_at AS sent_at
    ), accepted AS (
      SELECT *, nextval('messages_pk_seq') AS message_pk FROM (
        SELECT allowed.*, sent_at FROM allowed JOIN counted USING (channel_pk) ORDER BY ordinal) AS each_one
    ), stored AS (
      INSERT INTO messages (channel_pk, pk, sender_pk, created_at, updated_at, type, content, file, meta,
        reply_to_created_at, reply_to_pk, mentions, external_id, parts, state)
      SELECT channel_pk, message_pk, sender_pk, sent_at, sent_at,
        CASE WHEN sender_pk IS NULL THEN 'system' WHEN file IS NULL THEN 'text' ELSE 'file' END,
        content, file, message_meta, reply_to_created_at, reply_to_pk, mentions, external_id, parts, state
      FROM accepted
    ), paced AS (
      INSERT INTO slow_mode_sends (channel_pk, user_pk, sent_at)
      SELECT DISTINCT channel_pk, sender_pk, ${databaseNow} FROM accepted
      WHERE slow_count IS NOT NULL AND sender_pk IS NOT NULL ORDER BY channel_pk, sender_pk
      ON CONFLICT (channel_pk, user_pk) DO UPDATE SET sent_at = excluded.sent_at
    ), answered AS (
      UPDATE messages m SET reply_count = m.reply_count + replies.count
      FROM (
        SELECT channel_pk, reply_to_created_at, reply_to_pk, count(*) FROM accepted
        WHERE reply_to_pk IS NOT NULL GROUP BY channel_pk, reply_to_created_at, reply_to_pk
      ) AS replies
      WHERE m.channel_pk = replies.channel_pk AND m.created_at = replies.reply_to_created_at
        AND m.pk = replies.reply_to_pk
    ), noted AS (
      INSERT INTO mentions (channel_pk, message_created_at, message_pk, user_pk, is_own)
      SELECT mentioned.channel_pk, sent_at, message_pk, user_pk, is_own FROM accepted JOIN mentioned USING (ordinal)
    ), emitted AS (${emit(
      "message.created",
      { ...aboutEvent, messageCreatedAt: "sent_at", messagePk: "message_pk" },
      "(SELECT * FROM accepted ORDER BY ordinal) AS accepted",
    )}), effect AS (
      SELECT ordinal, message_pk AS "messagePk", sent_at AS "sentAt", is_replaced AS "isReplaced", ${nameList("sender", userFields)}
      FROM accepted LEFT JOIN sender ON sender.pk = sender_pk
    )`,
  {
    subject: auditSubject,
    // A channel's row counts its messages and allows one writer at a time; a statement of several messages writes it once.
    sharing: { group: ["channel_id"], distinct: ["channel_id", "external_id"] },
  },
);

import { limits } from "@madang/contract";
import { maySend, requireMaySend } from "../../chat/channels/may-send";
import { checkOfRight } from "../../chat/channels/rights-store";
import { rejectUnknownChannel } from "../../chat/channels/store";
import type { CheckedText } from "../../chat/checks";
import { rejectUnknownMessage } from "../../chat/message-id";
import type { OfSender } from "../../chat/messages/erase-store";
import { explainRejection } from "../../chat/messages/may-send-store";
import { rejectUnknownUser } from "../../chat/users/store";
import { databaseNow, type Statement } from "../../db/db";
import { ServiceError } from "../../errors/service-error";
import { defineCommand } from "../../write/command";
import { writeOrExplain } from "../../write/write-or-explain";
import { openWriter, type Writer } from "../../write/writer";
import { findStream, isTooEarly, notStreaming } from "./end-store";

export interface Append {
  readonly channelId: string;
  readonly messageId: string;
  readonly createdAt: number;
  readonly pk: number;
  /** How many appends there are before it. */
  readonly index: number;
  readonly content: CheckedText;
}

/** Returns the number of appends of the message. */
export function appendText(writer: Writer, text: Append): Promise<number> {
  const row = toColumns(text, writer);
  return writeOrExplain(
    async (attempt) => {
      const stored = await (attempt === 1
        ? writer.write(append, row)
        : // Beside many deletions, the revision of the channel would change whenever the command waits for its row.
          writer.writeAll(async (tx) => {
            await tx.query(lock, [text.channelId, text.createdAt, text.pk]);
            return openWriter(tx).write(append, row);
          }, auditSubject));
      return stored.map(({ appendCount }) => appendCount);
    },
    () => explain(writer, text),
  );
}

function toColumns({ channelId, createdAt, pk, index, content }: Append, { request }: Writer) {
  const actingPk = request.acting?.userPk;
  return { channel_id: channelId, created_at: createdAt, pk, index, content, acting_pk: actingPk };
}

/** The reason why an append was not stored. The number of appends if it is the last one, sent again. */
async function explain(writer: Writer, text: Append): Promise<number | undefined> {
  return (await requireAppendable(writer, text)).repeated;
}

/**
 * Throws if the text may not be appended, whatever it says. Returns the sender, and the number of appends if it is the last one, sent
 * again.
 */
export async function requireAppendable(
  writer: Writer,
  text: Append,
): Promise<{ readonly senderId: string | null; readonly repeated?: number }> {
  const { channelId, messageId, ...sent } = text;
  const { db, request } = writer;
  // Who may not send any more may repeat the last append. For another one, the reason follows.
  await checkOfRight(writer, text, "former_author")?.(db);
  const [found] = await db.query(findStream, [channelId, sent.createdAt, sent.pk]);
  if (found === undefined) return rejectUnknownChannel(channelId);
  if (!found.isMessage) return rejectUnknownMessage(channelId, messageId);
  if (!found.isStreaming) throw notStreaming(channelId, messageId);
  const { appendCount, characters, lastContent, isTooEarly, senderId, isSenderDeleted } = found;
  if (sent.index === appendCount - 1 && sent.content === lastContent)
    return { senderId, repeated: appendCount };
  if (senderId !== null && isSenderDeleted) return rejectUnknownUser(senderId);
  if (senderId !== null)
    requireMaySend(await explainRejection(db, channelId, { userId: senderId }, request.acting), senderId);
  if (sent.index !== appendCount)
    throw new ServiceError(
      "append_out_of_order",
      `The message has ${appendCount} appends, so the index of the next one is ${appendCount}.`,
      { members: { append_count: appendCount } },
    );
  if (isTooEarly)
    throw new ServiceError(
      "rate_limited",
      `The message ${JSON.stringify(messageId)} has more than ${perSecond} appends a second. Try again in a second, with what was written since.`,
      { retryAfterSeconds: 1 },
    );
  if (characters + [...sent.content].length > maxLength)
    throw new ServiceError(
      "content_limit_exceeded",
      `The message has ${inGroups(characters)} characters already, and at most ${inGroups(maxLength)} are allowed.`,
    );
  return { senderId };
}

const { maxLength } = limits.content;
const { perSecond } = limits.append;
/** A chunk with fewer characters is extended. So the text of a message has at most 129 chunks, and an append writes little more than itself. */
const chunkLength = 512;

interface AppendedRow extends OfSender {
  readonly appendCount: number;
}

const auditSubject = { userPk: "senderPk" };

/** Locks the sender and the channel, as the command does. The message can only change while the channel is locked. */
const lock: Statement<unknown> = {
  name: "streaming.lock",
  text: `WITH message AS (
      SELECT m.channel_pk, m.sender_pk FROM channels c
      JOIN messages m ON m.channel_pk = c.pk AND m.created_at = $2 AND m.pk = $3
      WHERE c.channel_id = $1 AND c.deleted_at IS NULL
    ), sender AS (
      SELECT pk FROM users WHERE pk = (SELECT sender_pk FROM message) FOR KEY SHARE
    )
    SELECT pk FROM channels WHERE pk = (SELECT channel_pk FROM message) AND (SELECT count(*) FROM sender) >= 0 FOR SHARE`,
};

const columns = {
  channel_id: "text",
  created_at: "bigint",
  pk: "bigint",
  index: "bigint",
  content: "text",
  acting_pk: "bigint",
};
// What is allowed is decided in the snapshot of the statement: a user appends to its own messages. Then it locks senders, channels and
// messages, in this order, against what takes the right away, and passes over those that have changed since. Of two appends with one
// index, the second one waits for the message, and then finds the chunk extended, or one with its key.
const append = defineCommand<AppendedRow, keyof typeof columns>(
  "streaming.append",
  columns,
  `target AS (
      SELECT sent.*, c.pk AS channel_pk, c.moderation_revision, m.sender_pk, last.number, last.is_extended,
        last.characters + char_length(sent.content) AS characters,
        GREATEST(last.due_at, ${databaseNow}) + ${1_000 / perSecond} AS due_at
      FROM sent JOIN channels c ON c.channel_id = sent.channel_id AND c.deleted_at IS NULL
      JOIN messages m ON m.channel_pk = c.pk AND m.created_at = sent.created_at AND m.pk = sent.pk
        AND m.state = 'streaming' AND (sent.acting_pk IS NULL OR m.sender_pk = sent.acting_pk)
      CROSS JOIN LATERAL (
        SELECT number, number + cardinality(lengths) AS append_count, characters, due_at,
          char_length(content) < ${chunkLength} OR lengths = '{}' AS is_extended
        FROM message_chunks WHERE message_pk = m.pk ORDER BY number DESC LIMIT 1) AS last
      WHERE last.append_count = sent.index AND NOT ${isTooEarly("last.due_at")}
        AND last.characters + char_length(sent.content) <= ${maxLength}
    ), sender AS (
      SELECT pk, suspended_until FROM users u
      WHERE pk = ANY (ARRAY(SELECT sender_pk FROM target)) AND deleted_at IS NULL ORDER BY pk FOR KEY SHARE
    ), allowed AS (
      SELECT target.* FROM target LEFT JOIN sender ON sender.pk = target.sender_pk
      JOIN channels c ON c.pk = target.channel_pk
      WHERE target.sender_pk IS NULL OR (sender.pk IS NOT NULL AND ${maySend("c", "sender")})
    ), locked AS (
      SELECT allowed.* FROM allowed
      JOIN channels c ON c.pk = allowed.channel_pk AND c.deleted_at IS NULL
        AND c.moderation_revision = allowed.moderation_revision
      JOIN messages m ON m.channel_pk = c.pk AND m.created_at = allowed.created_at AND m.pk = allowed.pk
        AND m.state = 'streaming'
      ORDER BY allowed.channel_pk, allowed.pk FOR SHARE OF c FOR NO KEY UPDATE OF m
    ), extended AS (
      UPDATE message_chunks chunk SET content = chunk.content || locked.content,
        lengths = chunk.lengths || char_length(locked.content)::smallint, characters = locked.characters,
        created_at = ${databaseNow}, due_at = locked.due_at
      FROM locked WHERE is_extended AND chunk.message_pk = locked.pk AND chunk.number = locked.number
        AND chunk.number + cardinality(chunk.lengths) = index
      RETURNING message_pk
    ), added AS (
      INSERT INTO message_chunks (channel_pk, message_created_at, message_pk, number, content, lengths, characters, due_at)
      SELECT channel_pk, created_at, pk, index, content, ARRAY[char_length(content)], characters, due_at
      FROM locked WHERE NOT is_extended ORDER BY channel_pk, pk
      ON CONFLICT DO NOTHING RETURNING message_pk
    ), effect AS (
      SELECT ordinal, index + 1 AS "appendCount", sender_pk AS "senderPk"
      FROM (SELECT * FROM extended UNION ALL SELECT * FROM added) AS stored JOIN locked ON locked.pk = message_pk
    )`,
  { subject: auditSubject, sharing: { group: ["channel_id", "created_at", "pk"] } },
);

const inGroups = (count: number) => count.toLocaleString("en-US");

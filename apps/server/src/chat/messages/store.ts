import type { Db, Statement } from "../../db/db";
import { jsonBytes } from "../../paging/page-bytes";
import type { Position } from "../../paging/position";
import type { ActingUser } from "../../security/acting-user";
import type { Attachment } from "../attachments";
import { rejectUnknownChannel } from "../channels/store";
import { existsFor } from "../channels/visibility";
import { keyOf, type MessageRef, rejectUnknownMessage } from "../message-id";
import { type UserRow, userColumns } from "../users/store";

export interface FileReference {
  readonly type: string;
  readonly name: string;
  readonly url: string;
  readonly size: number;
}

/** The different reactions to a message in the order of first use, each with the number of its users. */
export type ReactionCounts = readonly (readonly [reaction: string, count: number])[];

/** A message without its sender. The field names do not collide with those of the sender. */
export interface StoredMessage {
  readonly messagePk: number;
  readonly sentAt: number;
  /** When the content or the metadata last changed. */
  readonly changedAt: number;
  readonly content: string | null;
  /** Null, like the sender, in a system message. */
  readonly file: FileReference | null;
  readonly messageMeta: Record<string, string>;
  /** The id that the application gave it. */
  readonly externalId: string | null;
  /** Null in a message without any of them, as most are. */
  readonly extras: MessageExtras | null;
}

/** What few messages have. */
export interface MessageExtras {
  readonly reactions: ReactionCounts | null;
  /** Null in a message that is not pinned. */
  readonly pinnedAt: number | null;
  /** When the content last changed. */
  readonly editedAt: number | null;
  /** The position of the message to which this one replies. */
  readonly replyToCreatedAt: number | null;
  readonly replyToPk: number | null;
  readonly replyCount: number;
  readonly mentions: readonly string[] | null;
  /** JSON. */
  readonly parts: string | null;
  readonly attachments: readonly Attachment[] | null;
  readonly state: MessageState | null;
  /** Null in a message that is not being written. */
  readonly appendCount: number | null;
}

/** `streaming`: it is being written. The others: how that ended. Null in a complete message. */
type MessageState = "streaming" | "cancelled" | "interrupted";

/** The sender of a message, including a deleted one. */
export type SenderRow = UserRow | { readonly [Name in keyof UserRow]: null };

/** The size of a row of `messages`, in SQL: what may be much of it. */
export const messageSize = `(octet_length(COALESCE(content, file->>'url')) + COALESCE(octet_length(parts), 0)
  + CASE WHEN state = 'streaming' THEN COALESCE((
    SELECT characters FROM message_chunks WHERE message_pk = pk ORDER BY number DESC LIMIT 1), 0) ELSE 0 END)`;

/** The size of a message without its sender. */
export const messageBytes = ({
  content,
  file,
  messageMeta,
  extras,
}: Pick<StoredMessage, "content" | "file" | "messageMeta" | "extras">): number =>
  (content === null ? 0 : Buffer.byteLength(content)) + jsonBytes([file, messageMeta, extras]);

/** A message and its sender. */
export type MessageRow = StoredMessage & SenderRow;

/** The message, if its channel exists for the user. */
export async function requireMessage(
  db: Db,
  ref: MessageRef,
  acting: ActingUser | undefined,
): Promise<MessageRow> {
  const values = [...keyOf(ref), acting?.userPk ?? null];
  const [found] = await db.query(get, values);
  if (found === undefined) return rejectUnknownChannel(ref.channelId);
  return found.messagePk === null ? rejectUnknownMessage(ref.channelId, ref.messageId) : found;
}

/**
 * The message of a change that is committed, also when the user as whom it was made has lost its role in the channel since: whether it
 * might see the message was decided by the change.
 */
export const requireChanged = (db: Db, ref: MessageRef): Promise<MessageRow> =>
  requireMessage(db, ref, undefined);

export const positionOf = ({ sentAt, messagePk }: StoredMessage): Position => ({
  createdAt: sentAt,
  pk: messagePk,
});

/**
 * The extras of a message, a row, in SQL: one value instead of ten, because Node parses every value of every row, and most
 * messages have no extras.
 */
export const selectExtras = (message: string): string =>
  `CASE WHEN ${message}.edited_at IS NULL AND ${message}.reply_to_pk IS NULL AND ${message}.reply_count = 0
      AND ${message}.mentions IS NULL AND ${message}.reactions IS NULL AND ${message}.pinned_at IS NULL
      AND ${message}.parts IS NULL AND ${message}.attachments IS NULL AND ${message}.state IS NULL THEN NULL
    ELSE json_build_object('editedAt', ${message}.edited_at, 'replyToCreatedAt', ${message}.reply_to_created_at,
      'replyToPk', ${message}.reply_to_pk, 'replyCount', ${message}.reply_count, 'mentions', ${message}.mentions,
      'reactions', ${message}.reactions, 'pinnedAt', ${message}.pinned_at, 'parts', ${message}.parts,
      'attachments', ${message}.attachments, 'state', ${message}.state, 'appendCount', ${whileWritten(message, "max(chunk.number + cardinality(chunk.lengths))")}) END`;

/** What a message, a row, has in its chunks while it is being written. All parts of a statement read the same chunks. */
const whileWritten = (message: string, chunks: string) => `CASE WHEN ${message}.state = 'streaming' THEN (
      SELECT ${chunks} FROM message_chunks chunk WHERE chunk.message_pk = ${message}.pk) END`;

/** The content of a message, a row, in SQL: while it is being written, the text so far. */
export const selectContent = (message: string): string =>
  `COALESCE(${whileWritten(message, "string_agg(chunk.content, '' ORDER BY chunk.number)")}, ${message}.content)`;

const messageColumns = `stored.pk AS "messagePk", stored.created_at AS "sentAt",
  stored.updated_at AS "changedAt", ${selectContent("stored")} AS content, stored.file, stored.meta AS "messageMeta",
  stored.external_id AS "externalId", ${selectExtras("stored")} AS extras`;

/**
 * Rows of `messages` with their senders, including deleted ones with their last values. `from` is the FROM clause. OFFSET makes
 * PostgreSQL look up each sender: for an unknown page size, it would otherwise join all users.
 */
export const selectMessages = (
  from: string,
): string => `SELECT ${messageColumns}, sender.* FROM (SELECT * FROM ${from}) AS stored
  LEFT JOIN LATERAL (SELECT ${userColumns} FROM users WHERE pk = stored.sender_pk OFFSET 0) AS sender ON true`;

/** No row: the channel does not exist. A row without a message: the message does not exist. */
type Found = MessageRow | { readonly messagePk: null };

const get: Statement<Found> = {
  name: "messages.get",
  text: `SELECT found.* FROM channels c
    LEFT JOIN LATERAL (${selectMessages(
      `messages WHERE channel_pk = c.pk AND created_at = $2 AND pk = $3`,
    )}) AS found ON true
    WHERE channel_id = $1 AND deleted_at IS NULL AND ${existsFor("c.pk", "$4")}`,
};

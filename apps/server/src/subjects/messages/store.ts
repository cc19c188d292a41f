import type { Queryable, Statement } from "../../db/db";
import { ServiceError } from "../../errors";
import { requireStanding } from "../channels/standing";
import { type UserRow, userColumns } from "../users/store";

export interface FileReference {
  readonly type: string;
  readonly name: string;
  readonly url: string;
  readonly size: number;
}

export interface NewMessage {
  readonly channelId: string;
  readonly senderId: string;
  readonly content: string | undefined;
  readonly file: FileReference | undefined;
  readonly meta: Record<string, string>;
}

export interface StoredMessage extends NewMessage {
  readonly messagePk: number;
  readonly sender: UserRow;
  readonly createdAt: number;
}

/** Stores a message and counts it, in one statement; a frozen channel takes those of its managers alone. */
export async function sendMessage(db: Queryable, message: NewMessage, now: number): Promise<StoredMessage> {
  const { channelId, senderId, content, file, meta } = message;
  const [stored] = await db.query(send, [channelId, senderId, now, content ?? null, file ?? null, meta]);
  if (stored === undefined) return refuseMessage(db, message);
  const { messagePk, ...sender } = stored;
  return { ...message, messagePk, sender, createdAt: now };
}

/**
 * Stores messages of one channel in one statement, which writes the row that counts them once. What may not be stored is
 * left out of the answer, which has one place for each message.
 */
export async function sendTogether(
  db: Queryable,
  channelId: string,
  messages: readonly (NewMessage & { readonly now: number })[],
): Promise<(StoredMessage | undefined)[]> {
  const rows = await db.query(sendMany, [
    channelId,
    messages.map(({ senderId }) => senderId),
    messages.map(({ now }) => now),
    messages.map(({ content }) => content),
    messages.map(({ file }) => file && JSON.stringify(file)),
    messages.map(({ meta }) => JSON.stringify(meta)),
  ]);
  const stored = new Map(rows.map((row) => [row.place, row]));
  return messages.map(({ now, ...message }, index) => {
    const row = stored.get(index + 1);
    if (row === undefined) return undefined;
    const { place: _, messagePk, ...sender } = row;
    return { ...message, messagePk, sender, createdAt: now };
  });
}

export async function refuseMessage(db: Queryable, { channelId, senderId }: NewMessage): Promise<never> {
  const { isMember, isManager } = await requireStanding(db, channelId, senderId);
  if (!isMember && !isManager)
    throw new ServiceError(
      "not_a_participant",
      `The user ${senderId} neither takes part in the channel ${channelId} nor manages it. Let them join first.`,
    );
  throw new ServiceError("channel_frozen", `The channel ${channelId} is frozen: only its managers may send.`);
}

// The sender is locked before the channel, as everywhere.
const send: Statement<UserRow & { messagePk: number }> = {
  name: "messages.send",
  text: `WITH sender AS (
      SELECT pk, ${userColumns} FROM users WHERE user_id = $2 AND deleted_at IS NULL FOR KEY SHARE
    ), place AS (
      UPDATE channels c SET total_message_count = c.total_message_count + 1,
        total_file_count = c.total_file_count + CASE WHEN $5::jsonb IS NULL THEN 0 ELSE 1 END
      FROM sender
      WHERE c.channel_id = $1 AND c.deleted_at IS NULL AND (
        (NOT c.is_frozen AND EXISTS (SELECT FROM members m WHERE m.channel_pk = c.pk AND m.user_pk = sender.pk))
        OR EXISTS (SELECT FROM managers m WHERE m.channel_pk = c.pk AND m.user_pk = sender.pk))
      RETURNING c.pk AS channel_pk, sender.pk AS sender_pk
    ), stored AS (
      INSERT INTO messages (channel_pk, sender_pk, created_at, updated_at, type, content, file, meta)
      SELECT channel_pk, sender_pk, $3::bigint, $3::bigint,
        CASE WHEN $5::jsonb IS NULL THEN 'text' ELSE 'file' END, $4, $5::jsonb, $6::jsonb
      FROM place RETURNING pk
    )
    SELECT stored.pk AS "messagePk", "userId", name, "profileUrl", meta, "createdAt", "updatedAt" FROM stored, sender`,
};

// Locks in the same order: all senders, which the count makes sure of, then the channel. The numbers of the messages
// are drawn in the order in which they came.
const sendMany: Statement<UserRow & { place: number; messagePk: number }> = {
  name: "messages.send-many",
  text: `WITH asked AS (
      SELECT * FROM unnest($2::text[], $3::bigint[], $4::text[], $5::jsonb[], $6::jsonb[])
        WITH ORDINALITY AS asked (sender_id, at, content, file, message_meta, place)
    ), sender AS (
      SELECT pk, ${userColumns} FROM users WHERE user_id = ANY ($2::text[]) AND deleted_at IS NULL
      ORDER BY pk FOR KEY SHARE
    ), room AS (
      SELECT pk, is_frozen, total_message_count, total_file_count FROM channels
      WHERE channel_id = $1 AND deleted_at IS NULL AND (SELECT count(*) FROM sender) > 0 FOR NO KEY UPDATE
    ), allowed AS (
      SELECT *, nextval('messages_pk_seq') AS message_pk FROM (
        SELECT asked.*, sender.pk AS sender_pk, room.pk AS channel_pk
        FROM asked JOIN sender ON sender."userId" = asked.sender_id CROSS JOIN room
        WHERE (NOT room.is_frozen
            AND EXISTS (SELECT FROM members m WHERE m.channel_pk = room.pk AND m.user_pk = sender.pk))
          OR EXISTS (SELECT FROM managers m WHERE m.channel_pk = room.pk AND m.user_pk = sender.pk)
        ORDER BY place) may
    ), counted AS (
      UPDATE channels c SET total_message_count = room.total_message_count + added.messages,
        total_file_count = room.total_file_count + added.files
      FROM room, (SELECT count(*) AS messages, count(file) AS files FROM allowed) added
      WHERE c.pk = room.pk AND added.messages > 0
    ), stored AS (
      INSERT INTO messages (channel_pk, pk, sender_pk, created_at, updated_at, type, content, file, meta)
      SELECT channel_pk, message_pk, sender_pk, at, at, CASE WHEN file IS NULL THEN 'text' ELSE 'file' END,
        content, file, message_meta
      FROM allowed
    )
    SELECT allowed.place, allowed.message_pk AS "messagePk", "userId", name, "profileUrl", meta, "createdAt",
      "updatedAt"
    FROM allowed JOIN sender ON sender.pk = allowed.sender_pk`,
};

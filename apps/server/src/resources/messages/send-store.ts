import type { Queryable, Statement } from "../../db/db";
import { nameList } from "../../db/row";
import { ServiceError } from "../../errors";
import { defineHotWrite, hasNoResult, storeUnusedResults } from "../../idempotency/hot-write";
import type { Writer } from "../../idempotency/writer";
import { defineLookup, hasEntry, requireChannelAndUser } from "../channels/store";
import { emit } from "../events/emit";
import { type UserRow, userColumns, userFields } from "../users/store";
import { writeOrExplain } from "../write-or-explain";
import type { FileReference, MessageRow } from "./store";

export interface NewMessage {
  readonly channelId: string;
  readonly senderId: string;
  /** Null in a file message; `file` is null in a text message. */
  readonly content: string | null;
  readonly file: FileReference | null;
  readonly meta: Record<string, string>;
}

/** Stores a message and counts it, in one statement. In a frozen channel only managers may send. */
export async function sendMessage(writer: Writer, message: NewMessage, now: number): Promise<MessageRow> {
  const { channelId, senderId, content, file, meta } = message;
  const values = [channelId, senderId, now, content, file, meta];
  const sent = await writeOrExplain(
    async () => (await writer.channel(channelId).write(send, values))[0],
    () => explainRejection(writer, message),
  );
  return toRow(message, sent);
}

async function explainRejection(db: Queryable, { channelId, senderId }: NewMessage): Promise<undefined> {
  const { isMember, isManager, isFrozen } = await requireChannelAndUser(db, explain, channelId, senderId);
  if (!isMember && !isManager)
    throw new ServiceError(
      "not_a_participant",
      `The user ${senderId} is not a participant or manager of the channel ${channelId}. Add the user to the channel first.`,
    );
  if (isFrozen && !isManager)
    throw new ServiceError(
      "channel_frozen",
      `The channel ${channelId} is frozen. Only its managers can send messages.`,
    );
}

export interface BatchedMessage {
  readonly message: NewMessage;
  readonly writer: Pick<Writer, "claim">;
}

/**
 * Stores messages in one statement, which updates the counts of each channel once. A message that was not stored is
 * undefined in the result: `sendMessage` finds the reason, or the earlier result of its idempotency key. The keys in the
 * batch must be distinct. Unless it may wait for locks, the batch passes over messages whose channel or sender is locked.
 */
export async function sendBatch(
  db: Queryable,
  batch: readonly BatchedMessage[],
  now: number,
  mayWait: boolean,
): Promise<(MessageRow | undefined)[]> {
  const [first] = batch;
  if (first === undefined) return [];
  // On Citus, a batch has one channel, and no idempotency keys.
  const shard = db.isDistributed ? db.channel(first.message.channelId) : db;
  const messages = batch.map(({ message }) => message);
  const rows = await shard.query(chooseStatement(db.isDistributed, mayWait), [
    messages.map(({ channelId }) => channelId),
    messages.map(({ senderId }) => senderId),
    now,
    messages.map(({ content }) => content),
    messages.map(({ file }) => file && JSON.stringify(file)),
    messages.map(({ meta }) => JSON.stringify(meta)),
    batch.map(({ writer }) => writer.claim?.caller),
    batch.map(({ writer }) => writer.claim?.key),
    batch.map(({ writer }) => writer.claim?.fingerprint),
  ]);
  const stored = new Map(rows.map((row) => [batch[row.ordinal - 1], row]));
  return batch.map((one) => {
    const row = stored.get(one);
    return row && toRow(one.message, row);
  });
}

/** The sender of a stored message, and its assigned key and time. */
type Sent = UserRow & Pick<MessageRow, "messagePk" | "sentAt">;

function toRow({ content, file, meta: messageMeta }: NewMessage, sent: Sent): MessageRow {
  return { ...sent, editedAt: sent.sentAt, content, file, messageMeta, externalId: null };
}

const aboutSent = { channelPk: "channel_pk", channelId: "$1", userPk: "sender_pk" };
const aboutBatched = { ...aboutSent, channelId: "channel_id", userId: "sender_id" };

// The sender is always locked before the channel. The time and key of a message are assigned while the channel is locked,
// so they are in the order in which messages become visible, and times never decrease, whatever the clock does.
const send = defineHotWrite<Sent>("messages.send", (guard) => ({
  ctes: `sender AS (
      SELECT pk, ${userColumns} FROM {users} WHERE user_id = $2 AND deleted_at IS NULL AND ${guard} FOR KEY SHARE
    ), counted AS (
      UPDATE {channels} c SET total_message_count = c.total_message_count + 1,
        total_file_count = c.total_file_count + CASE WHEN $5::jsonb IS NULL THEN 0 ELSE 1 END,
        latest_at = GREATEST(c.latest_at, $3::bigint), last_message_at = GREATEST(c.latest_at, $3::bigint)
      FROM sender
      WHERE c.channel_id = $1 AND c.deleted_at IS NULL AND (
        (NOT c.is_frozen AND EXISTS (SELECT FROM {members} m WHERE m.channel_pk = c.pk AND m.user_pk = sender.pk))
        OR EXISTS (SELECT FROM {managers} m WHERE m.channel_pk = c.pk AND m.user_pk = sender.pk))
      RETURNING c.pk AS channel_pk, sender.pk AS sender_pk, c.latest_at AS sent_at
    ), stored AS (
      INSERT INTO {messages} (channel_pk, sender_pk, created_at, updated_at, type, content, file, meta)
      SELECT channel_pk, sender_pk, sent_at, sent_at,
        CASE WHEN $5::jsonb IS NULL THEN 'text' ELSE 'file' END, $4, $5::jsonb, $6::jsonb
      FROM counted RETURNING channel_pk, sender_pk, pk, created_at
    ), emitted AS (${emit("message.created", { ...aboutSent, userId: "$2", messageCreatedAt: "created_at", messagePk: "pk" }, "stored")})`,
  result: `SELECT stored.pk AS "messagePk", stored.created_at AS "sentAt", ${nameList("sender", userFields)} FROM stored, sender`,
}));

const explain = defineLookup<{ isMember: boolean; isManager: boolean; isFrozen: boolean }>(
  "messages.explain",
  `${hasEntry("members")} AS "isMember", ${hasEntry("managers")} AS "isManager", c.is_frozen AS "isFrozen"`,
);

/** The columns that `send` returns, for a message in a batch. */
const sentRow = `SELECT allowed.message_pk AS "messagePk", allowed.sent_at AS "sentAt",
  ${nameList("sender", userFields)}`;

const acceptClaimed = `claimed AS (${storeUnusedResults(
  `(SELECT json_agg(row) FROM (${sentRow}) row)`,
  "allowed JOIN sender ON sender.pk = allowed.sender_pk",
)}
    ), accepted AS (
      SELECT allowed.* FROM allowed LEFT JOIN claimed USING (caller, key)
      WHERE allowed.key IS NULL OR claimed.key IS NOT NULL`;

// Locks in the same order: all senders, which the count ensures, then the channels. The keys of the messages are
// assigned in their order of arrival. Participants can send only if the channel is not frozen in the snapshot, which
// contains the participants, and not in the locked row.
const defineSendMany = (
  name: string,
  { isKeyed, mayWait }: { isKeyed: boolean; mayWait: boolean },
): Statement<Sent & { ordinal: number }> => ({
  name,
  text: `WITH sent AS (
      SELECT * FROM unnest($1::text[], $2::text[], $4::text[], $5::jsonb[], $6::jsonb[], $7::text[], $8::text[],
        $9::bytea[]) WITH ORDINALITY
        AS sent (channel_id, sender_id, content, file, message_meta, caller, key, fingerprint, ordinal)
      ${isKeyed ? `WHERE ${hasNoResult("sent")}` : ""}
    ), sender AS (
      SELECT pk, ${userColumns} FROM {users} WHERE user_id = ANY ($2::text[]) AND deleted_at IS NULL
      ORDER BY pk FOR KEY SHARE ${mayWait ? "" : "SKIP LOCKED"}
    ), locked AS (
      SELECT pk, channel_id, is_frozen, total_message_count, total_file_count,
        GREATEST(latest_at, $3::bigint) AS sent_at
      FROM {channels}
      WHERE channel_id = ANY ($1::text[]) AND deleted_at IS NULL AND (SELECT count(*) FROM sender) > 0
      ORDER BY pk FOR NO KEY UPDATE ${mayWait ? "" : "SKIP LOCKED"}
    ), allowed AS (
      SELECT *, nextval('messages_pk_seq') AS message_pk FROM (
        SELECT sent.*, sender.pk AS sender_pk, locked.pk AS channel_pk, locked.sent_at
        FROM sent JOIN sender ON sender."userId" = sent.sender_id JOIN locked USING (channel_id)
        WHERE (NOT locked.is_frozen AND NOT (SELECT is_frozen FROM {channels} WHERE pk = locked.pk)
            AND EXISTS (SELECT FROM {members} m WHERE m.channel_pk = locked.pk AND m.user_pk = sender.pk))
          OR EXISTS (SELECT FROM {managers} m WHERE m.channel_pk = locked.pk AND m.user_pk = sender.pk)
        ORDER BY ordinal) may
    ), ${isKeyed ? acceptClaimed : "accepted AS (SELECT * FROM allowed"}
    ), added AS (
      SELECT channel_pk, count(*) AS messages, count(file) AS files FROM accepted GROUP BY channel_pk
    ), counted AS (
      UPDATE {channels} c SET total_message_count = locked.total_message_count + added.messages,
        total_file_count = locked.total_file_count + added.files, latest_at = locked.sent_at,
        last_message_at = locked.sent_at
      FROM locked JOIN added ON added.channel_pk = locked.pk WHERE c.pk = locked.pk
    ), stored AS (
      INSERT INTO {messages} (channel_pk, pk, sender_pk, created_at, updated_at, type, content, file, meta)
      SELECT channel_pk, message_pk, sender_pk, sent_at, sent_at, CASE WHEN file IS NULL THEN 'text' ELSE 'file' END,
        content, file, message_meta
      FROM accepted
    ), emitted AS (${emit(
      "message.created",
      { ...aboutBatched, messageCreatedAt: "sent_at", messagePk: "message_pk" },
      "(SELECT * FROM accepted ORDER BY ordinal) AS accepted",
    )})
    SELECT ordinal, row.* FROM accepted allowed JOIN sender ON sender.pk = allowed.sender_pk
    CROSS JOIN LATERAL (${sentRow}) row`,
});

const sendMany = defineSendMany("messages.send-many", { isKeyed: true, mayWait: true });
const sendManyUnlocked = defineSendMany("messages.send-many-unlocked", { isKeyed: true, mayWait: false });
const sendManyWithoutKeys = defineSendMany("messages.send-many-without-keys", {
  isKeyed: false,
  mayWait: true,
});

function chooseStatement(isDistributed: boolean, mayWait: boolean) {
  if (isDistributed) return sendManyWithoutKeys;
  return mayWait ? sendMany : sendManyUnlocked;
}

import type { Queryable } from "../../db/db";
import { nameList } from "../../db/row";
import { type Command, defineBatchCommand, isFirstOf, writeBatch } from "../../write/command";
import { noRequest, type WriteRequest } from "../../write/request";
import { emit } from "../events/emit";
import { isNotSuspended, isStillFreeOf } from "../moderation/conditions";
import { userColumns, userFields } from "../users/store";
import { hasRole } from "./may-send";
import { findParent, isPlain, type NewMessage, type Sent, toRow } from "./new-message";
import type { MessageRow } from "./store";

export interface BatchedMessage {
  readonly message: NewMessage;
  readonly request: WriteRequest;
}

/**
 * Stores messages in one statement, which updates the counts of each channel once. A message that was not stored is
 * undefined in the result: `sendMessage` finds the reason. The keys in the batch must be distinct. The batch skips messages whose
 * channel or sender is locked, unless it may wait for locks.
 */
export async function sendBatch(
  db: Queryable,
  batch: readonly BatchedMessage[],
  now: number,
  mayWait: boolean,
): Promise<(MessageRow | undefined)[]> {
  const sent = await storeBatch(db, batch, now, mayWait);
  return batch.map(({ message }, index) => {
    const row = sent[index];
    return row && toRow(message, row);
  });
}

/** The messages of the batch that were stored. */
export async function storeBatch(
  db: Queryable,
  batch: readonly (Pick<BatchedMessage, "message"> & Partial<BatchedMessage>)[],
  now: number,
  mayWait: boolean,
): Promise<(Sent | undefined)[]> {
  const [first] = batch;
  if (first === undefined) return [];
  // On Citus, a batch has one channel.
  const shard = db.channel(first.message.channelId);
  const messages = batch.map(({ message }) => message);
  const isLinked = !messages.every(isPlain);
  return writeBatch(
    shard,
    chooseCommand({ mayWait, isLinked }),
    [...valuesOf(messages, now), ...(isLinked ? linksOf(messages) : [])],
    batch.map(({ request = noRequest() }) => request),
  );
}

/** The values $1 to $6 of the statements that take arrays. */
export const valuesOf = (messages: readonly NewMessage[], now: number) => [
  messages.map(({ channelId }) => channelId),
  messages.map(({ senderId }) => senderId),
  now,
  messages.map(({ content }) => content),
  messages.map(({ file }) => file && JSON.stringify(file)),
  messages.map(({ meta }) => JSON.stringify(meta)),
];

/** The next values, if the messages are not all plain. */
export function linksOf(messages: readonly NewMessage[]) {
  const parents = messages.map(({ replyTo }) => findParent(replyTo));
  return [
    parents.map((parent) => parent?.createdAt),
    parents.map((parent) => parent?.pk),
    messages.map(({ mentions }) => mentions && JSON.stringify(mentions)),
  ];
}

const about = { channelPk: "channel_pk", channelId: "channel_id", userPk: "sender_pk", userId: "sender_id" };

/** The columns that `send` returns, for a message in a batch. */
const sentRow = `SELECT allowed.message_pk AS "messagePk", allowed.sent_at AS "sentAt",
  ${nameList("sender", userFields)}`;

interface BatchOptions {
  readonly mayWait: boolean;
  /** Whether some of the messages are not plain. */
  readonly isLinked: boolean;
}

const areIn = (names: string) =>
  `SELECT e.channel_pk, e.user_pk FROM {${names}} e
      WHERE (e.channel_pk, e.user_pk) IN (SELECT channel_pk, user_pk FROM named) FOR KEY SHARE`;

/**
 * The messages to which the batch replies, and the mentioned users. Both are locked after their channel. This excludes messages
 * that were deleted, and users who left, while the statement waited for the channel.
 */
const lockLinks = (skip: string) => `, parent AS (
      SELECT m.channel_pk, m.created_at, m.pk
      FROM (SELECT DISTINCT channel_id, reply_to_created_at, reply_to_pk FROM sent WHERE reply_to_pk IS NOT NULL) reply
      JOIN locked USING (channel_id)
      JOIN {messages} m ON m.channel_pk = locked.pk AND m.created_at = reply.reply_to_created_at
        AND m.pk = reply.reply_to_pk
      FOR NO KEY UPDATE OF m ${skip}
    ), named AS (
      SELECT sent.ordinal, locked.pk AS channel_pk, u.pk AS user_pk,
        COALESCE(u.user_id = sent.sender_id, false) AS is_own
      FROM sent JOIN locked USING (channel_id)
      CROSS JOIN LATERAL jsonb_array_elements_text(sent.mentions) AS mention (user_id)
      JOIN {users} u ON u.user_id = mention.user_id AND u.deleted_at IS NULL
    ), named_member AS (${areIn("members")}
    ), named_manager AS (${areIn("managers")}
    ), mentioned AS (
      SELECT * FROM named
      WHERE (channel_pk, user_pk) IN (SELECT * FROM named_member UNION ALL SELECT * FROM named_manager)
    )`;

const areLinksAllowed = `
          AND (sent.reply_to_pk IS NULL OR (locked.pk, sent.reply_to_created_at, sent.reply_to_pk) IN (
            SELECT channel_pk, created_at, pk FROM parent))
          AND (sent.mentions IS NULL OR jsonb_array_length(sent.mentions) = (
            SELECT count(*) FROM mentioned WHERE mentioned.ordinal = sent.ordinal))`;

const storeLinks = `, answered AS (
      UPDATE {messages} m SET reply_count = m.reply_count + added.replies
      FROM (
        SELECT channel_pk, reply_to_created_at, reply_to_pk, count(*) AS replies FROM allowed
        WHERE reply_to_pk IS NOT NULL GROUP BY channel_pk, reply_to_created_at, reply_to_pk
      ) added
      WHERE m.channel_pk = added.channel_pk AND m.created_at = added.reply_to_created_at AND m.pk = added.reply_to_pk
    ), noted AS (
      INSERT INTO {mentions} (channel_pk, message_created_at, message_pk, user_pk, is_own)
      SELECT allowed.channel_pk, sent_at, message_pk, user_pk, is_own FROM allowed JOIN mentioned USING (ordinal)
    )`;

// Locks in the same order: all senders, which the count ensures, then the channels. The keys of the messages are
// assigned in their order of arrival. Participants can send only if the channel is not frozen in the snapshot, which
// contains the participants, and not in the locked row. System messages have no sender, so
// the join is a LEFT JOIN: PostgreSQL then looks up roles after it, one for each message, and not one for every sender in every
// channel.
function defineBatch({ mayWait, isLinked }: BatchOptions): string {
  const skip = mayWait ? "" : "SKIP LOCKED";
  const links = isLinked ? `, ${Object.keys(linkColumns).join(", ")}` : "";
  const columns = isLinked ? Object.entries(linkColumns) : [];
  const values = columns.map(([, type], index) => `, $${index + 7}::${type}[]`).join("");
  const names = columns.map(([name]) => `, ${name}`).join("");
  return `sent AS (
      SELECT * FROM unnest($1::text[], $2::text[], $4::text[], $5::jsonb[], $6::jsonb[]${values})
        WITH ORDINALITY AS sent (channel_id, sender_id, content, file, message_meta${names}, ordinal)
      WHERE ${isFirstOf("ordinal")}
    ), sender AS (
      SELECT pk, ${userColumns} FROM {users} u
      WHERE user_id = ANY ($2::text[]) AND deleted_at IS NULL AND ${isNotSuspended("u")}
      ORDER BY pk FOR KEY SHARE ${skip}
    ), locked AS (
      SELECT pk, channel_id, is_frozen OR (SELECT seen.is_frozen FROM {channels} seen WHERE seen.pk = c.pk) AS is_frozen,
        moderation_revision, total_message_count, total_file_count,
        GREATEST(latest_at, $3::bigint) AS sent_at
      FROM {channels} c
      WHERE channel_id = ANY ($1::text[]) AND deleted_at IS NULL
        AND (SELECT count(*) FROM sender) >= 0
      ORDER BY pk FOR NO KEY UPDATE ${skip}
    )${isLinked ? lockLinks(skip) : ""}, allowed AS (
      SELECT *, nextval('messages_pk_seq') AS message_pk FROM (
        SELECT sent.*, sender.pk AS sender_pk, locked.pk AS channel_pk, locked.sent_at
        FROM sent LEFT JOIN sender ON sender."userId" = sent.sender_id JOIN locked USING (channel_id)
        WHERE (sent.sender_id IS NULL OR (sender.pk IS NOT NULL
          AND ${isStillFreeOf("mutes", "locked", "sender.pk")} AND ${hasRole("locked", "sender.pk")}))${isLinked ? areLinksAllowed : ""}
        ORDER BY ordinal) may
    ), added AS (
      SELECT channel_pk, count(*) AS messages, count(file) AS files FROM allowed GROUP BY channel_pk
    ), counted AS (
      UPDATE {channels} c SET total_message_count = locked.total_message_count + added.messages,
        total_file_count = locked.total_file_count + added.files, latest_at = locked.sent_at,
        last_message_at = locked.sent_at
      FROM locked JOIN added ON added.channel_pk = locked.pk WHERE c.pk = locked.pk
    ), stored AS (
      INSERT INTO {messages} (channel_pk, pk, sender_pk, created_at, updated_at, type, content, file,
        meta${links})
      SELECT channel_pk, message_pk, sender_pk, sent_at, sent_at,
        CASE WHEN sender_pk IS NULL THEN 'system' WHEN file IS NULL THEN 'text' ELSE 'file' END,
        content, file, message_meta${links}
      FROM allowed
    )${isLinked ? storeLinks : ""}, emitted AS (${emit(
      "message.created",
      { ...about, messageCreatedAt: "sent_at", messagePk: "message_pk" },
      "(SELECT * FROM allowed ORDER BY ordinal) AS allowed",
    )}), effect AS (
      SELECT ordinal, row.* FROM allowed LEFT JOIN sender ON sender.pk = allowed.sender_pk
      CROSS JOIN LATERAL (${sentRow}) row
    )`;
}

/** The columns of messages that are not plain, with their types, in the order of the values. */
const linkColumns = { reply_to_created_at: "bigint", reply_to_pk: "bigint", mentions: "jsonb" };

const commands = new Map<string, Command<Sent>>();

/** For every combination of the options, one command. */
export function chooseCommand(options: BatchOptions): Command<Sent> {
  const name = `messages.send-many${options.isLinked ? "-linked" : ""}${options.mayWait ? "" : "-unlocked"}`;
  const known = commands.get(name);
  if (known !== undefined) return known;
  const valueCount = 6 + (options.isLinked ? Object.keys(linkColumns).length : 0);
  const subject = { messageCreatedAt: "sentAt", messagePk: "messagePk" };
  const command = defineBatchCommand<Sent>(name, valueCount, defineBatch(options), subject);
  commands.set(name, command);
  return command;
}

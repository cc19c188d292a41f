import { createHash } from "node:crypto";
import type { MessagePart } from "@madang/contract";
import type { UncheckedText } from "../../call/unchecked-text";
import { lockOne } from "../../chat/channels/lock-store";
import { checkOfRight } from "../../chat/channels/rights-store";
import { type Checks, messageRejected, type Passed } from "../../chat/checks";
import { formatMessageId, keyOf, type MessageRef } from "../../chat/message-id";
import { describeStored } from "../../chat/messages/describe-stored";
import { lockOfRewrite, rejectIfBlocked } from "../../chat/messages/edit-store";
import { emitChange, type OfSender, selectSender } from "../../chat/messages/erase-store";
import { requireMessage, selectContent } from "../../chat/messages/store";
import { isPairBlocked } from "../../chat/restrictions/conditions";
import { type Db, databaseNow, type Statement } from "../../db/db";
import { ServiceError } from "../../errors/service-error";
import { type LockedChange, writeLocked } from "../../write/write-locked";
import { writeOrExplain } from "../../write/write-or-explain";
import { openWriter, type Writer } from "../../write/writer";

/** How a message ends. Absent fields keep what was written. */
interface Ending {
  /** `interrupted`: its writer has stopped, and no request ends it. */
  readonly state: "done" | "cancelled" | "interrupted";
  readonly content?: UncheckedText | undefined;
  /** An empty list removes them. */
  readonly parts?: readonly MessagePart[] | undefined;
  readonly meta?: Record<string, string> | undefined;
}

export const notStreaming = (channelId: string, messageId: string) =>
  new ServiceError(
    "message_not_streaming",
    `The message ${JSON.stringify(messageId)} in the channel ${channelId} is not being written. It has ended, or was sent complete.`,
  );

/**
 * Ends a message that is being written. Changes nothing if the same request has ended it already. A text that a check rejects goes: the
 * message ends as cancelled, and the request is rejected.
 */
export async function finishMessage(
  writer: Writer,
  ref: MessageRef,
  ending: Ending,
  checks: Checks,
  now: number,
): Promise<void> {
  const digest = digestOf(ending);
  const digestOfRejected = digestOf({ ...ending, isRejected: true });
  const check = checkOfRight(writer, ref, rightFor(ending));
  const { rejection } = await writeOrExplain(
    async () => {
      const { rejection, addToMessage, ...values } = await checkEnding(writer, ref, ending, checks);
      const { state, content, parts, meta, stored } = values;
      return writeLocked(
        writer,
        lockOfRewrite(writer, ref),
        [
          finish,
          [
            ...keyOf(ref),
            state === "done" ? null : state,
            content ?? null,
            parts === undefined ? null : JSON.stringify(parts),
            meta ?? null,
            now,
            rejection === undefined ? digest : digestOfRejected,
            stored ?? null,
            rejection ?? null,
            hasContent(ending),
          ],
        ],
        check,
        addToMessage && ((tx) => addToMessage(tx, ref)),
      );
    },
    async () => {
      const [found] = await writer.db.query(findStream, keyOf(ref));
      if (!found?.isMessage) await requireMessage(writer.db, ref, writer.request.acting);
      if (found?.isStreaming && hasContent(ending)) await rejectIfBlocked(writer.db, ref);
      // It began after the write, or was continued after its text was read.
      if (!found?.isMessage || found.isStreaming) return undefined;
      if (found.digest?.equals(digest)) return { senderPk: found.senderPk, rejection: null };
      if (found.digest?.equals(digestOfRejected)) return { senderPk: found.senderPk, rejection: {} };
      throw notStreaming(ref.channelId, ref.messageId);
    },
  );
  if (rejection !== null) throw messageRejected(rejection);
}

/** What of an ending may be stored, and why not all of it. */
interface CheckedEnding extends Omit<Passed, "content" | "isReplaced"> {
  readonly state: Ending["state"];
  readonly content: string | undefined;
  /** What the problem of the rejection says. Undefined: it is not rejected. */
  readonly rejection: object | undefined;
}

const nothingOfIt = { state: "cancelled", content: "", parts: [], meta: undefined } as const;

async function checkEnding(
  writer: Writer,
  ref: MessageRef,
  { state, content, parts, meta }: Ending,
  checks: Checks,
): Promise<CheckedEnding> {
  const { db, request } = writer;
  const checkable = {
    operation: "messages.finish",
    channelId: ref.channelId,
    context: { message_id: ref.messageId },
    isUnattended: state === "interrupted",
    readStored: async () => (await requireMessage(db, ref, request.acting)).content ?? "",
    requireAllowed: async () => {
      await checkOfRight(writer, ref, rightFor({ state, content, parts, meta }))?.(db);
      const [found] = await db.query(findStream, keyOf(ref));
      if (found?.isStreaming && hasContent({ state, content, parts, meta })) await rejectIfBlocked(db, ref);
      const stored = describeStored(await requireMessage(db, ref, request.acting));
      return { senderId: found?.senderId ?? null, stored, isRepeated: found?.isStreaming !== true };
    },
  } as const;
  try {
    const passed = await checks.pass(writer, checkable, { content, parts, meta });
    return { state, ...passed, rejection: undefined };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "message_rejected") throw error;
    const rejection: object = error.members ?? {};
    return { ...nothingOfIt, rejection };
  }
}

/** Every participant may stop a writer, and a sender end what is written. It is changed with the right of the operation. */
function rightFor(ending: Ending) {
  if (hasContent(ending)) return undefined;
  return ending.state === "cancelled" ? "member" : "former_author";
}

const hasContent = ({ content, parts, meta }: Ending): boolean =>
  content !== undefined || parts !== undefined || meta !== undefined;

/** Equal for requests with the same fields, whatever the order of those of `meta`. */
function digestOf({ state, content, parts, meta, isRejected }: Ending & { isRejected?: true }): Buffer {
  const pairs = meta && Object.entries(meta).sort();
  return createHash("sha256")
    .update(JSON.stringify([state, content, parts, pairs, ...(isRejected ? [isRejected] : [])]))
    .digest();
}

/** How long a message goes on without an append. */
const leaseMs = 60_000;
export const messagesPerStep = 100;
/** A hook that is slow with one message does not delay the end of others. */
const messagesAtOnce = 10;

/**
 * Ends messages whose writers have stopped, with the same checks as a request that ends one. A message that cannot be checked stays
 * open until it can, without delaying others. Returns whether there may be more of them.
 */
export async function interruptMessages(db: Db, checks: Checks, now: number): Promise<boolean> {
  let isMore = false;
  const waiting: (() => Promise<void>)[] = [];
  for (const schema of db.schemas()) {
    const expired = await schema.query(findExpired, [leaseMs, messagesPerStep]);
    for (const message of expired) waiting.push(() => interruptMessage(schema, message, checks, now));
    isMore ||= expired.length === messagesPerStep;
  }
  const errors: unknown[] = [];
  const next = waiting.values();
  const work = async () => {
    for (const interrupt of next)
      await interrupt().catch((error: unknown) => {
        if (!isGone(error)) errors.push(error);
      });
  };
  await Promise.all(Array.from({ length: messagesAtOnce }, work));
  if (errors.length > 0) throw errors[0];
  return isMore;
}

/** Whether the message was deleted meanwhile, or its channel. */
const isGone = (error: unknown) =>
  error instanceof ServiceError && (error.code === "message_not_found" || error.code === "channel_not_found");

async function interruptMessage(
  db: Db,
  { channelPk, channelId, createdAt, pk }: Expired,
  checks: Checks,
  now: number,
): Promise<void> {
  const ref = { channelId, messageId: formatMessageId({ createdAt, pk }) };
  const ending = await checkEnding(openWriter(db), ref, { state: "interrupted" }, checks);
  const { state, content = null, parts, meta = null, stored = null, addToMessage } = ending;
  const values = [state, content, parts === undefined ? null : JSON.stringify(parts), meta];
  await db.transaction(async (tx) => {
    await tx.query(lockOne, [channelPk]);
    const [ended] = await tx.query(interrupt, [
      channelPk,
      createdAt,
      pk,
      ...values,
      now,
      null,
      stored,
      leaseMs,
    ]);
    if (ended !== undefined) await addToMessage?.(tx, ref);
  });
}

/** Only modules see it: it distinguishes the end of a message from later changes. */
const isEnd = `'{"ended": true}'::jsonb`;

// An append locks the channel. So once the channel is locked for the end, every stored append is visible to the next statement.
const end = (channel: string, isDue: string) => `channel AS (
      SELECT pk, channel_id, is_pair_only, first_participant_pk, second_participant_pk FROM channels
      WHERE ${channel} AND deleted_at IS NULL
    ), written AS (
      SELECT m.channel_pk, m.created_at, m.pk, ${selectContent("m")} AS text
      FROM channel JOIN messages m ON m.channel_pk = channel.pk AND m.created_at = $2 AND m.pk = $3
      WHERE m.state = 'streaming' AND ${isDue} AND ($10::text IS NULL OR ${selectContent("m")} = $10)
    ), ended AS (
      UPDATE messages m SET state = $4::text, content = COALESCE($5::text, text),
        parts = CASE WHEN $6::text IS NULL THEN parts ELSE NULLIF($6, '[]') END, meta = COALESCE($7::jsonb, meta),
        updated_at = GREATEST($8::bigint, updated_at + 1), finish_digest = $9::bytea
      FROM written
      WHERE m.channel_pk = written.channel_pk AND m.created_at = written.created_at AND m.pk = written.pk
        AND m.state = 'streaming'
      RETURNING m.*
    ), removed AS (
      DELETE FROM message_chunks USING ended WHERE message_pk = ended.pk
    ), emitted AS (${emitChange("message.updated", "ended", "(SELECT channel_id FROM channel)", isEnd)})`;

const lastAppend = (messagePk: string) => `(SELECT created_at FROM message_chunks chunk
      WHERE chunk.message_pk = ${messagePk} ORDER BY number DESC LIMIT 1)`;

interface Finished extends OfSender {
  /** What the problem of a rejection says. Null: it was not rejected. */
  readonly rejection: object | null;
}

// The rejection is a part of the result: a repeated request with the same idempotency key is rejected too.
const finish: LockedChange<Finished> = {
  name: "streaming.finish",
  subject: { userPk: "senderPk" },
  text: `WITH ${end("channel_id = $1", `(m.sender_pk IS NULL OR NOT $12::boolean OR NOT ${isPairBlocked("channel")})`)}
    SELECT sender_pk AS "senderPk", $11::jsonb AS rejection FROM ended`,
};

const interrupt: Statement<OfSender> = {
  name: "streaming.interrupt",
  text: `WITH ${end("pk = $1", `${lastAppend("m.pk")} < ${databaseNow} - $11::bigint`)}
    ${selectSender("ended")}`,
};

interface Stream extends OfSender {
  readonly isMessage: boolean;
  readonly isStreaming: boolean;
  readonly appendCount: number;
  readonly characters: number;
  /** Of the last append. */
  readonly lastContent: string;
  /** Whether the next append would exceed the rate. */
  readonly isTooEarly: boolean;
  readonly senderId: string | null;
  readonly isSenderDeleted: boolean;
  /** Of the request that ended the message. */
  readonly digest: Buffer | null;
}

/**
 * Whether an append exceeds the rate, in SQL: `due` is when it would come from a writer at this rate, and it may come a second earlier. So
 * a writer that was late catches up, and any number of seconds has at most the appends of one more.
 */
export const isTooEarly = (due: string) => `(${due} >= ${databaseNow} + 1000)`;

/** No row: the channel does not exist. */
export const findStream: Statement<Stream> = {
  name: "streaming.find",
  text: `SELECT m.pk IS NOT NULL AS "isMessage", last.number IS NOT NULL AS "isStreaming", last.count AS "appendCount",
      last.characters, last.content AS "lastContent", ${isTooEarly("last.due_at")} AS "isTooEarly", u.user_id AS "senderId", u.deleted_at IS NOT NULL AS "isSenderDeleted",
      sender_pk AS "senderPk", finish_digest AS digest
    FROM channels c
    LEFT JOIN messages m ON m.channel_pk = c.pk AND m.created_at = $2 AND m.pk = $3
    LEFT JOIN users u ON u.pk = m.sender_pk
    LEFT JOIN LATERAL (
      SELECT number, number + cardinality(lengths) AS count, characters, due_at,
        right(content, lengths[cardinality(lengths)]) AS content
      FROM message_chunks WHERE message_pk = m.pk AND m.state = 'streaming'
      ORDER BY number DESC LIMIT 1) AS last ON true
    WHERE c.channel_id = $1 AND c.deleted_at IS NULL`,
};

interface Expired {
  readonly channelPk: number;
  readonly channelId: string;
  readonly createdAt: number;
  readonly pk: number;
}

// In random order: messages that cannot be checked now are not in the way of the others.
const findExpired: Statement<Expired> = {
  name: "streaming.find-expired",
  text: `SELECT channel_pk AS "channelPk", channel_id AS "channelId", message_created_at AS "createdAt", message_pk AS pk
    FROM message_chunks first JOIN channels c ON c.pk = channel_pk AND c.deleted_at IS NULL
    WHERE number = 0 AND ${lastAppend("first.message_pk")} < ${databaseNow} - $1::bigint ORDER BY random() LIMIT $2`,
};

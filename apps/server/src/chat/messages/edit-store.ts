import { type MessagePart, textRule } from "@madang/contract";
import type { Db, Statement } from "../../db/db";
import { invalidField, ServiceError } from "../../errors/service-error";
import { type LockedChange, writeLocked } from "../../write/write-locked";
import { writeOrExplain } from "../../write/write-or-explain";
import type { Writer } from "../../write/writer";
import { lockChannel, lockUsersAndChannels } from "../channels/lock-store";
import { checkOfRight } from "../channels/rights-store";
import type { AddToMessage, Allowed, CheckedText } from "../checks";
import { keyOf, type MessageRef } from "../message-id";
import { isPairBlocked } from "../restrictions/conditions";
import { userBlocked } from "../restrictions/errors";
import { describeStored } from "./describe-stored";
import { emitChange, eraseChosen, type OfSender, selectSender } from "./erase-store";
import { type MessageRow, requireMessage } from "./store";

/** Absent fields keep their value. */
interface MessageChange {
  readonly content: CheckedText | undefined;
  /** An empty list removes them. */
  readonly parts: readonly MessagePart[] | undefined;
  readonly meta: Record<string, string> | undefined;
  /** The change is rejected if the message has another `updated_at`. */
  readonly ifUpdatedAt: number | undefined;
  /** Stored with it, in its transaction. */
  readonly addToMessage?: AddToMessage | undefined;
}

/** Changes a message. If it has another `updated_at` than the change names, returns it as it is. */
export async function updateMessage(
  writer: Writer,
  ref: MessageRef,
  { content, parts, meta, ifUpdatedAt, addToMessage }: MessageChange,
  now: number,
): Promise<MessageRow | undefined> {
  const encodedParts = parts === undefined ? null : JSON.stringify(parts);
  const values = [...keyOf(ref), content ?? null, meta ?? null, now, ifUpdatedAt ?? null, encodedParts];
  const outcome = await writeOrExplain<OfSender | { readonly current: MessageRow }>(
    () =>
      writeLocked(
        writer,
        lockOfRewrite(writer, ref),
        [update, values],
        checkOfRight(writer, ref),
        addToMessage && ((tx) => addToMessage(tx, ref)),
      ),
    async () => {
      const { acting } = writer.request;
      const message = await requireMessage(writer.db, ref, acting);
      if (message.extras?.state === "streaming") throw messageStreaming(ref);
      if (message.file !== null && content !== undefined)
        throw invalidField("body", "content", "A file message has no content.");
      if (message.file !== null && parts !== undefined)
        throw invalidField("body", "parts", "A file message has no parts.");
      if (ifUpdatedAt !== undefined && ifUpdatedAt !== message.changedAt) return { current: message };
      requireText(message, { content, parts });
      await rejectIfBlocked(writer.db, ref);
      return undefined;
    },
  );
  return "current" in outcome ? outcome.current : undefined;
}

/** Throws if the request may not change the text of the message, whatever the text is. Returns it as it is. */
export async function requireRewritable(writer: Writer, ref: MessageRef): Promise<Allowed> {
  const { db, request } = writer;
  await checkOfRight(writer, ref)?.(db);
  const message = await requireMessage(db, ref, request.acting);
  await rejectIfBlocked(db, ref);
  if (message.extras?.state === "streaming") throw messageStreaming(ref);
  return { senderId: message.userId, stored: describeStored(message) };
}

const messageStreaming = ({ channelId, messageId }: MessageRef) =>
  new ServiceError(
    "message_streaming",
    `The message ${JSON.stringify(messageId)} in the channel ${channelId} is being written. Finish it first.`,
  );

/** Locks the channel of a message whose text changes, and the user as whom the request acts: who is suspended does not rewrite. */
export const lockOfRewrite = ({ request: { acting } }: Writer, { channelId }: MessageRef) =>
  [lockUsersAndChannels, [[channelId], [acting?.userId ?? null]]] as const;

/** Throws if the message has a sender and one of the two users of its channel has blocked the other. */
export async function rejectIfBlocked(db: Db, ref: MessageRef): Promise<void> {
  const [found] = await db.query(findBlocked, keyOf(ref));
  if (found !== undefined) throw userBlocked(ref.channelId);
}

const findBlocked: Statement<unknown> = {
  name: "messages.find-blocked",
  text: `SELECT 1 FROM channels c JOIN messages m ON m.channel_pk = c.pk AND m.created_at = $2 AND m.pk = $3
    WHERE c.channel_id = $1 AND c.deleted_at IS NULL AND m.sender_pk IS NOT NULL AND ${isPairBlocked("c")}`,
};

/** Throws if nothing of a text is left. */
function requireText(
  { content: oldContent, extras }: MessageRow,
  { content, parts }: Pick<MessageChange, "content" | "parts">,
): void {
  const hasParts = parts === undefined ? (extras?.parts ?? null) !== null : parts.length > 0;
  if (hasParts || (content ?? oldContent) !== "" || extras?.attachments != null) return;
  throw invalidField("body", content === undefined ? "parts" : "content", textRule);
}

/** Deletes the row of the message. The channel's totals still count it. */
export async function deleteMessage(writer: Writer, ref: MessageRef): Promise<void> {
  await writeOrExplain(
    () => writeLocked(writer, [lockChannel, [ref.channelId]], [erase, keyOf(ref)], checkOfRight(writer, ref)),
    async () => void (await requireMessage(writer.db, ref, writer.request.acting)),
  );
}

// What the writes return is stored with an idempotency key, so it contains nothing of the message but the key of its sender: an
// erasure removes results that contain the id.

const newParts = "CASE WHEN $8::text IS NULL THEN parts ELSE NULLIF($8, '[]') END";

const update: LockedChange<OfSender> = {
  name: "messages.update",
  subject: { userPk: "senderPk" },
  text: `WITH channel AS (
      SELECT pk, is_pair_only, first_participant_pk, second_participant_pk FROM channels
      WHERE channel_id = $1 AND deleted_at IS NULL
    ), updated AS (
      UPDATE messages m SET content = COALESCE($4, content), parts = ${newParts}, meta = COALESCE($5::jsonb, meta),
        state = CASE WHEN COALESCE($4::text, $8::text) IS NULL OR state <> 'interrupted' THEN state END,
        updated_at = GREATEST($6, updated_at + 1),
        edited_at = CASE WHEN $4 <> content THEN GREATEST($6, updated_at + 1) ELSE edited_at END
      FROM channel
      WHERE channel_pk = channel.pk AND created_at = $2 AND m.pk = $3 AND state IS DISTINCT FROM 'streaming'
        AND (COALESCE($4::text, $8::text) IS NULL
          OR (type <> 'file' AND (COALESCE($4, content) <> '' OR ${newParts} IS NOT NULL OR attachments IS NOT NULL)))
        AND ($7::bigint IS NULL OR updated_at = $7) AND (sender_pk IS NULL OR NOT ${isPairBlocked("channel")})
      RETURNING m.*
    ), emitted AS (${emitChange("message.updated", "updated")})
    ${selectSender("updated")}`,
};

const erase: LockedChange<OfSender> = {
  name: "messages.erase",
  subject: { userPk: "senderPk" },
  text: `WITH chosen AS (
      SELECT pk AS channel_pk, $2::bigint AS created_at, $3::bigint AS pk FROM channels
      WHERE channel_id = $1 AND deleted_at IS NULL
    ), ${eraseChosen}
    ${selectSender("erased")}`,
};

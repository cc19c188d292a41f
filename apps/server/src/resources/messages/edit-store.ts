import type { ChangeOfSender } from "../../audit/store";
import { invalidField } from "../../errors";
import type { Writer } from "../../idempotency/writer";
import { reportSearchChange } from "../search/changes-store";
import { writeOrExplain } from "../write-or-explain";
import { emitChange, eraseChosen, type OfSender, selectForChange, selectSender } from "./erase-store";
import { keyOf, type MessageKey } from "./message-id";
import { requireMessage } from "./store";

/** Absent fields keep their value. */
export interface MessageChange {
  readonly content: string | undefined;
  readonly meta: Record<string, string> | undefined;
}

export async function updateMessage(
  writer: Writer,
  name: MessageKey,
  { content, meta }: MessageChange,
  now: number,
): Promise<void> {
  const values = [...keyOf(name), content ?? null, meta ?? null, now];
  await writeOrExplain(
    () => writer.channel(name.channelId).write(update, values),
    async () => {
      const { file } = await requireMessage(writer, name);
      if (file !== null && content !== undefined)
        throw invalidField("body", "content", "A file message has no content.");
      return undefined;
    },
  );
}

/** Deletes the row of the message. The channel's totals still count it. */
export async function deleteMessage(writer: Writer, name: MessageKey): Promise<void> {
  await writeOrExplain(
    () => writer.channel(name.channelId).write(erase, keyOf(name)),
    async () => void (await requireMessage(writer, name)),
  );
}

// What the writes return is stored with an idempotency key, so it contains nothing of the message but the key of its sender: an
// erasure removes results that contain the id.
const lockNamed = selectForChange("channel_id = $1");

const update: ChangeOfSender<OfSender> = {
  name: "messages.update",
  subject: { userPk: "senderPk" },
  text: `WITH channel AS (${lockNamed}), updated AS (
      UPDATE {messages} m SET content = COALESCE($4, content), meta = COALESCE($5::jsonb, meta),
        updated_at = GREATEST($6, updated_at + 1),
        edited_at = CASE WHEN $4 <> content THEN GREATEST($6, updated_at + 1) ELSE edited_at END
      FROM channel
      WHERE channel_pk = channel.pk AND created_at = $2 AND m.pk = $3 AND created_at >= kept_since
        AND ($4::text IS NULL OR type <> 'file')
      RETURNING m.*
    ), reported AS (${reportSearchChange("updated WHERE $4::text IS NOT NULL")}
    ), emitted AS (${emitChange("message.updated", "updated")}), counted AS (
      UPDATE {channels} c SET message_revision = channel.message_revision + 1
      FROM channel, updated WHERE c.pk = channel.pk AND c.pk = updated.channel_pk
    )
    ${selectSender("updated")}`,
};

const erase: ChangeOfSender<OfSender> = {
  name: "messages.erase",
  subject: { userPk: "senderPk" },
  text: `WITH channel AS (${lockNamed}), chosen AS (
      SELECT created_at, m.pk FROM channel JOIN {messages} m ON channel_pk = channel.pk
      WHERE created_at = $2 AND m.pk = $3 AND created_at >= kept_since
    ), ${eraseChosen}
    ${selectSender("erased")}`,
};

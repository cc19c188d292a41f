import type { Statement, Tx } from "../../db/db";
import { ServiceError } from "../../errors/service-error";
import type { AssignedMessage, NewMessage } from "./new-message";

/**
 * Gives files to a message that this transaction has stored. Rejects the request if one of them does not exist in the channel, was
 * created for another user, has no bytes yet, or belongs to a message.
 */
export async function attachFiles(
  tx: Tx,
  { channelId, senderId }: Pick<NewMessage, "channelId" | "senderId">,
  fileIds: readonly string[],
  { sentAt, messagePk }: Pick<AssignedMessage, "sentAt" | "messagePk">,
): Promise<void> {
  const locked = await tx.query(lock, [channelId, fileIds, senderId]);
  for (const fileId of fileIds) {
    const file = locked.find((one) => one.fileId === fileId);
    if (file === undefined)
      throw new ServiceError(
        "file_not_found",
        `There is no file ${JSON.stringify(fileId)} in the channel ${channelId} that this message can have.`,
      );
    if (file.isAttached)
      throw new ServiceError("file_in_use", `Another message has the file ${fileId}. Upload it again.`);
    if (!file.isReady)
      throw new ServiceError("file_not_uploaded", `The bytes of the file ${fileId} have not arrived yet.`);
  }
  await tx.query(attach, [channelId, fileIds, sentAt, messagePk, senderId]);
}

interface Lockable {
  readonly fileId: string;
  readonly isAttached: boolean;
  readonly isReady: boolean;
}

const ofChannel = "(SELECT pk FROM channels WHERE channel_id = $1 AND deleted_at IS NULL)";
const ofSender = (parameter: string) =>
  `(SELECT pk FROM users WHERE user_id = ${parameter} AND deleted_at IS NULL)`;

// A file whose message was deleted goes with it, so it does not exist any more.
const lock: Statement<Lockable> = {
  name: "messages.lock-files",
  text: `SELECT file_id AS "fileId", message_pk IS NOT NULL AS "isAttached", status = 'ready' AS "isReady" FROM files
    WHERE file_id = ANY ($2::text[]) AND channel_pk = ${ofChannel} AND status <> 'deleted'
      AND (attached_at IS NULL OR message_pk IS NOT NULL) AND (user_pk IS NULL OR user_pk = ${ofSender("$3")})
    ORDER BY file_id FOR NO KEY UPDATE`,
};

// The files belong to the sender from now on. The message has a copy of what it shows of them.
const attach: Statement<unknown> = {
  name: "messages.attach-files",
  text: `WITH attached AS (
      UPDATE files SET message_channel_pk = channel_pk, message_created_at = $3, message_pk = $4, attached_at = $3,
        user_pk = ${ofSender("$5")}
      WHERE file_id = ANY ($2::text[]) AND channel_pk = ${ofChannel}
      RETURNING file_id, name, type, size
    )
    UPDATE messages SET attachments = (
      SELECT jsonb_agg(jsonb_build_object('fileId', file_id, 'name', name, 'type', type, 'size', size)
        ORDER BY array_position($2::text[], file_id)) FROM attached)
    WHERE channel_pk = ${ofChannel} AND created_at = $3 AND pk = $4 RETURNING 1`,
};

import type { StoredMessage } from "../checks";
import { formatMessageId } from "../message-id";
import type { MessageRow } from "./store";

/** A message as hooks read it when it changes. */
export function describeStored({ content, file, messageMeta, extras }: MessageRow): StoredMessage {
  const { parts, attachments, replyToCreatedAt, replyToPk, mentions } = extras ?? {};
  const parent =
    replyToCreatedAt && replyToPk
      ? formatMessageId({ createdAt: replyToCreatedAt, pk: replyToPk })
      : undefined;
  return {
    content,
    fields: {
      ...(file !== null && { file }),
      meta: messageMeta,
      ...(parts && { parts: JSON.parse(parts) }),
      ...(attachments && { attachments: attachments.map(({ fileId }) => ({ file_id: fileId })) }),
      ...(parent && { reply_to: parent }),
      ...(mentions && { mentions }),
    },
  };
}

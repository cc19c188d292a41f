import { presentUser } from "../users/present";
import { formatMessageId } from "./message-id";
import type { MessageRow, StoredMessage } from "./store";

export const presentMessageRow = (channelId: string, row: MessageRow) =>
  presentMessage(channelId, row, presentUser(row));

export function presentMessage(
  channelId: string,
  message: StoredMessage,
  user: ReturnType<typeof presentUser>,
) {
  const { messagePk: pk, sentAt, editedAt, content, file, messageMeta, externalId } = message;
  const envelope = {
    message_id: formatMessageId({ createdAt: sentAt, pk }),
    channel_id: channelId,
    ...(externalId !== null && { external_id: externalId }),
    user,
  };
  const ending = { meta: messageMeta, created_at: sentAt, updated_at: editedAt };
  return file === null
    ? { ...envelope, type: "text" as const, content: content ?? "", ...ending }
    : { ...envelope, type: "file" as const, file, ...ending };
}

import { presentUser } from "../users/present";
import type { StoredMessage } from "./store";

/** A message just stored, in the shape in which the export shows it. */
export function presentMessage(message: StoredMessage) {
  const envelope = {
    message_id: String(message.messagePk),
    channel_id: message.channelId,
    user: presentUser(message.sender),
  };
  const ending = { meta: message.meta, created_at: message.createdAt, updated_at: message.createdAt };
  return message.file === undefined
    ? { ...envelope, type: "text" as const, content: message.content ?? "", ...ending }
    : { ...envelope, type: "file" as const, file: message.file, ...ending };
}

import { formatMessageId } from "../message-id";
import type { ReadMark } from "./store";

/** The newest message that a participant has marked as read, if there is one. */
export const presentMark = ({ readAt, readPk }: ReadMark) => ({
  ...(readAt !== null &&
    readPk !== null && { read_message_id: formatMessageId({ createdAt: readAt, pk: readPk }) }),
});

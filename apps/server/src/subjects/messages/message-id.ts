import { ServiceError } from "../../errors";
import type { Position } from "../../paging/position";

/**
 * The id of a message is its position: the two columns by which the messages of a channel are ordered. So a message is
 * found by its primary key, and the id of a deleted message still marks where it was.
 */
export function formatMessageId({ createdAt, pk }: Position): string {
  return `${createdAt}-${pk}`;
}

/** The position of a message id. Another string is the id of no message. */
export function findPosition(messageId: string): Position | undefined {
  const [, createdAt, pk] = form.exec(messageId) ?? [];
  const position = { createdAt: Number(createdAt), pk: Number(pk) };
  // Not a number: the id has another form. Not exact: no such position was ever assigned.
  return Object.values(position).every(Number.isSafeInteger) ? position : undefined;
}

export function requirePosition(channelId: string, messageId: string): Position {
  return findPosition(messageId) ?? rejectUnknownMessage(channelId, messageId);
}

export function rejectUnknownMessage(channelId: string, messageId: string): never {
  throw new ServiceError(
    "message_not_found",
    `There is no message ${JSON.stringify(messageId)} in the channel ${channelId}.`,
  );
}

// As `formatMessageId` writes it.
const form = /^(0|[1-9]\d{0,15})-([1-9]\d{0,15})$/;

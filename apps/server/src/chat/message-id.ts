import { ServiceError } from "../errors/service-error";
import { oldest, type Position } from "../paging/position";

/**
 * The id of a message is its position: the two columns that order the messages of a channel. So a message is found by
 * its primary key, and the id of a deleted message still denotes a position.
 */
export function formatMessageId({ createdAt, pk }: Position): string {
  return `${createdAt}-${pk}`;
}

/** The position of a message id. Undefined if the id is invalid. */
export function findPosition(messageId: string): Position | undefined {
  const [, createdAt, pk] = format.exec(messageId) ?? [];
  const position = { createdAt: Number(createdAt), pk: Number(pk) };
  // NaN if the format is invalid. Unsafe integers are never assigned.
  return Object.values(position).every(Number.isSafeInteger) ? position : undefined;
}

/** How a request names a message. */
export interface MessageRef {
  readonly channelId: string;
  readonly messageId: string;
}

/** The path of a request that names a message. */
export interface MessagePath {
  readonly channel_id: string;
  readonly message_id: string;
}

export const refOf = ({ channel_id, message_id }: MessagePath): MessageRef => ({
  channelId: channel_id,
  messageId: message_id,
});

/** The values that find a message in statements. An invalid message id becomes the oldest position, which no message has. */
export function keyOf({ channelId, messageId }: MessageRef): [string, number, number] {
  const { createdAt, pk } = findPosition(messageId) ?? oldest;
  return [channelId, createdAt, pk];
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

// The format of `formatMessageId`.
const format = /^(0|[1-9]\d{0,15})-([1-9]\d{0,15})$/;

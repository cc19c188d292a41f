import type { Message, PreferencesChange, UserChannel } from "@madang/client";
import { compareIds } from "./position";
import { isPinned, isQuiet, withChange, withPreferences } from "./preferences";

/** A channel of the user, and what can be done with it. */
export interface InboxLine extends UserChannel {
  /**
   * Changes the user's preferences for the channel, such as `{ pinned: true }`. The change is shown at once. If the service rejects it, it
   * is reverted, and the promise rejects with the error.
   */
  readonly setPreferences: (change: PreferencesChange) => Promise<void>;
}

const maxCount = 100;

/** The time of the last message, otherwise that of joining. */
export const activityOf = ({ last_message, joined_at }: UserChannel) => last_message?.created_at ?? joined_at;

/** What a channel adds to the total. */
export const countOf = (line: UserChannel | undefined) =>
  line === undefined || isQuiet(line) ? 0 : line.unread_count;

/** Pinned ones first, then by last activity. */
export const compareLines = (one: UserChannel, other: UserChannel) =>
  Number(isPinned(other)) - Number(isPinned(one)) || activityOf(other) - activityOf(one);

/** The line after a new message of its channel. A blocked user's message does not count. */
export function withMessage(
  line: InboxLine,
  message: Message,
  userId: string,
  isFromBlocked: boolean,
): InboxLine {
  const isSystem = message.type === "system";
  const isFromOther = !isSystem && message.user.user_id !== userId && !isFromBlocked;
  const isMention = message.mentions?.includes(userId) === true && (isFromOther || isSystem);
  const isRead =
    line.read_message_id !== undefined && compareIds(message.message_id, line.read_message_id) <= 0;
  const changed = {
    ...line,
    last_message: message,
    total_message_count: line.total_message_count + 1,
    unread_count: Math.min(maxCount, line.unread_count + (isFromOther && !isRead ? 1 : 0)),
    mention_count: Math.min(maxCount, line.mention_count + (isMention && !isRead ? 1 : 0)),
  };
  // A hidden channel comes back with its next message.
  return line.preferences?.hidden
    ? withPreferences(changed, withChange(line.preferences, { hidden: false }))
    : changed;
}

/**
 * The line after a read mark of the user. Until it is stored, it only counts if nothing is unread after it. `unknown`: of some of the
 * unread messages, only the service knows how many are left. Undefined if nothing changes.
 */
export function withMark(
  line: InboxLine,
  messageId: string,
  isStored: boolean,
): InboxLine | "unknown" | undefined {
  const { read_message_id, last_message, unread_count, mention_count } = line;
  const marked = { ...line, read_message_id: messageId };
  // The message that was marked had been deleted, so the mark is at one before it.
  if (read_message_id !== undefined && compareIds(messageId, read_message_id) <= 0)
    return isStored ? marked : undefined;
  const isAll = last_message === undefined || compareIds(messageId, last_message.message_id) >= 0;
  if (isAll) return { ...marked, unread_count: 0, mention_count: 0 };
  if (!isStored) return undefined;
  return unread_count + mention_count === 0 ? marked : "unknown";
}

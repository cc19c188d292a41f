import type { Message, TextMessage, User } from "@madang/client";
import type { HistoryState, StoredMessage } from "./history";
import type { UnsentMessage } from "./outbox";
import type { SendError } from "./send-error";

/** A message as a page shows it, stored or not. */
export interface ShownMessage {
  /** The same from the moment when it is written: use it as the `key` of its element. */
  readonly key: string;
  /** `sending` and `failed`: it is not stored yet, and `message.message_id` is empty. */
  readonly status: "sent" | "sending" | "failed";
  readonly message: Message;
  /** Whether the user of the page has sent it. */
  readonly isOwn: boolean;
  /** Whether the user of the page has blocked its sender: a page folds it. */
  readonly isBlocked: boolean;
  /** Whether it was deleted since it is shown. */
  readonly isDeleted: boolean;
  /** What it replies to. Absent if it is no reply, and until that is loaded. */
  readonly quote?: Message | "deleted" | undefined;
  /** Whether the user of the page has blocked the sender of `quote`. */
  readonly isQuoteBlocked: boolean;
  /** Why it was not stored, if it failed. */
  readonly error?: SendError | undefined;
  /** Which part of its files is uploaded, 0 to 1, while it is sent. */
  readonly progress?: number | undefined;
}

/** The message that another one replies to. Undefined if it is no reply, and until that is loaded. */
export function findQuote(
  id: string | undefined,
  messages: ReadonlyMap<string, StoredMessage>,
  repliedTo: HistoryState["repliedTo"],
): ShownMessage["quote"] {
  if (id === undefined) return undefined;
  const stored = messages.get(id);
  if (stored !== undefined) return stored.isDeleted ? "deleted" : stored.message;
  return repliedTo.has(id) ? (repliedTo.get(id) ?? "deleted") : undefined;
}

/** What the message will be once it is stored. */
export function toMessage({ key, channelId, draft, createdAt }: UnsentMessage, user: User): TextMessage {
  const { content = "", files = [], reply_to, mentions, parts, meta = {} } = draft;
  return {
    message_id: "",
    external_id: key,
    channel_id: channelId,
    type: "text",
    user,
    content,
    meta: { ...meta },
    created_at: createdAt,
    updated_at: createdAt,
    ...(reply_to !== undefined && { reply_to }),
    ...(mentions !== undefined && { mentions: [...mentions] }),
    ...(parts !== undefined && { parts: [...parts] }),
    ...(files.length > 0 && {
      attachments: files.map(({ name, type = "application/octet-stream", size = 0 }) => ({
        file_id: "",
        name,
        type,
        size,
        url: "",
      })),
    }),
  };
}

/** With one's own reaction added or removed. */
export function withOwnReaction(message: Message, reaction: string, isOn: boolean): Message {
  const { reactions = [], ...others } = message;
  const found = reactions.find((count) => count.reaction === reaction);
  const isOwn = found?.own === true;
  if (isOwn === isOn) return message;
  const changed = { reaction, count: (found?.count ?? 0) + (isOn ? 1 : -1), own: isOn };
  const counts = found
    ? reactions.map((count) => (count === found ? changed : count))
    : [...reactions, changed];
  const left = counts.filter(({ count }) => count > 0);
  return left.length === 0 ? others : { ...others, reactions: left };
}

/** Of unsent messages, only what changes in them is compared. */
export function isSame(one: ShownMessage, other: ShownMessage): boolean {
  const isSameMessage =
    one.status === "sent"
      ? one.message === other.message
      : one.message.created_at === other.message.created_at;
  return (
    isSameMessage &&
    one.status === other.status &&
    one.isDeleted === other.isDeleted &&
    one.isOwn === other.isOwn &&
    one.isBlocked === other.isBlocked &&
    one.isQuoteBlocked === other.isQuoteBlocked &&
    one.quote === other.quote &&
    one.error === other.error &&
    one.progress === other.progress
  );
}

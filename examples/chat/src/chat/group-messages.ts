import type { ConversationView, ShownMessage } from "@madang/react";
import { useRef } from "react";
import { dayOf, senderOf } from "./format";
import type { Texts } from "./texts";

/** What was unread when a conversation was opened: after which message, and how many. */
export interface Unread {
  readonly after: string | undefined;
  readonly count: number;
}

interface Row {
  readonly shown: ShownMessage;
  readonly index: number;
  /** Whether it begins or ends what one person has written without a pause. */
  isFirst: boolean;
  isLast: boolean;
}

const pauseMs = 300_000;

/** The messages of each day, with where what one person has written begins and ends. */
export function groupByDay(messages: readonly ShownMessage[], firstUnread: string | undefined, texts: Texts) {
  const days: { readonly day: string; readonly time: number; readonly rows: Row[] }[] = [];
  let before: ShownMessage["message"] | undefined;
  for (const [index, shown] of messages.entries()) {
    const { message, key } = shown;
    const day = dayOf(texts, message.created_at);
    if (days.at(-1)?.day !== day) days.push({ day, time: message.created_at, rows: [] });
    const rows = days.at(-1)?.rows ?? [];
    const isFirst =
      rows.length === 0 ||
      key === firstUnread ||
      writerOf(before) !== writerOf(message) ||
      message.created_at - (before?.created_at ?? 0) > pauseMs;
    const previous = rows.at(-1);
    if (previous) previous.isLast = isFirst;
    rows.push({ shown, index, isFirst, isLast: true });
    before = message;
  }
  return days;
}

/** Each message of the service stands for itself. */
const writerOf = (message: ShownMessage["message"] | undefined) =>
  message && (senderOf(message)?.user_id ?? message);

/** The key of the first message that was unread when the conversation was opened. What comes later was not. */
export function useFirstUnread(messages: readonly ShownMessage[], unread: Unread): string | undefined {
  const found = useRef<string>(undefined);
  found.current ??= findFirstUnread(messages, unread);
  return found.current;
}

function findFirstUnread(messages: readonly ShownMessage[], { after, count }: Unread) {
  if (count === 0) return undefined;
  const others = messages.filter(
    ({ isOwn, isBlocked, isDeleted, message }) =>
      !isOwn && !isBlocked && !isDeleted && message.type !== "system",
  );
  // The service counts to 100.
  if (after === undefined) return count < 100 ? others.at(-count)?.key : undefined;
  const index = messages.findIndex(({ message }) => message.message_id === after);
  return index < 0 ? undefined : others.find((shown) => messages.indexOf(shown) > index)?.key;
}

/** Up to which message others have read, and who has read the last one of one's own. */
export function findReceipts({ messages, readers }: Pick<ConversationView, "messages" | "readers">) {
  const readIndex = messages.findLastIndex((shown) => shown.isOwn && readers(shown).length > 0);
  const lastOwn = messages.findLast(({ isOwn, status }) => isOwn && status === "sent");
  const names = lastOwn === undefined ? [] : readers(lastOwn).map(({ name }) => name);
  return { readIndex, lastOwn, readers: names.join(", ") };
}

import type { MessagePart } from "@madang/contract";
import { formatMessageId } from "../message-id";
import { presentUserTo, type Viewer } from "../users/present";
import type { Announced } from "./announce-store";
import type { IsOwn } from "./own-reactions-store";
import type { MessageExtras, MessageRow, ReactionCounts, StoredMessage } from "./store";

/** How a message is shown: to whom, and with the reactions of which user. */
interface Showing {
  readonly viewer?: Viewer | undefined;
  readonly isOwn?: IsOwn | undefined;
}

export const presentMessageRow = (channelId: string, row: MessageRow, { viewer, isOwn }: Showing = {}) =>
  presentMessage(channelId, row, row.userId === null ? undefined : presentUserTo(viewer, row), isOwn);

export const presentAnnounced = (announced: Announced) => ({
  channel_id: announced.channelId,
  ...("row" in announced
    ? { message: presentMessageRow(announced.channelId, announced.row) }
    : { code: announced.code }),
});

/** A message without a sender is a system message. */
export function presentMessage(
  channelId: string,
  message: StoredMessage,
  user: ReturnType<typeof presentUserTo> | undefined,
  isOwn?: IsOwn,
) {
  const { messagePk: pk, sentAt, changedAt, content, file, messageMeta, externalId } = message;
  const envelope = {
    message_id: formatMessageId({ createdAt: sentAt, pk }),
    channel_id: channelId,
    ...(externalId !== null && { external_id: externalId }),
  };
  const text = { content: content ?? "", ...presentParts(message.extras) };
  const ending = {
    meta: messageMeta,
    created_at: sentAt,
    updated_at: changedAt,
    ...(message.extras && presentExtras(message.extras, isOwn && ((reaction) => isOwn(pk, reaction)))),
  };
  if (user === undefined) return { ...envelope, type: "system" as const, ...text, ...ending };
  return file === null
    ? { ...envelope, user, type: "text" as const, ...text, ...ending }
    : { ...envelope, user, type: "file" as const, file, ...ending };
}

const presentParts = (extras: MessageExtras | null): { parts?: MessagePart[] } =>
  extras === null || extras.parts === null ? {} : { parts: JSON.parse(extras.parts) };

function presentExtras(extras: MessageExtras, isOwn?: (reaction: string) => boolean) {
  const { editedAt, replyToCreatedAt, replyToPk, replyCount, mentions, reactions, pinnedAt } = extras;
  return {
    ...(editedAt !== null && { edited_at: editedAt }),
    ...(replyToCreatedAt !== null &&
      replyToPk !== null && { reply_to: formatMessageId({ createdAt: replyToCreatedAt, pk: replyToPk }) }),
    ...(replyCount > 0 && { reply_count: replyCount }),
    ...(mentions !== null && { mentions: [...mentions] }),
    ...(reactions !== null && { reactions: presentReactionCounts(reactions, isOwn) }),
    ...(pinnedAt !== null && { pinned_at: pinnedAt }),
  };
}

export const presentReactionCounts = (counts: ReactionCounts, isOwn?: (reaction: string) => boolean) =>
  counts.map(([reaction, count]) => ({ reaction, count, ...(isOwn && { own: isOwn(reaction) }) }));

import type { MessagePart } from "@madang/contract";
import type { Attachment, UrlOf } from "../attachments";
import { formatMessageId } from "../message-id";
import { presentUserTo, type Viewer } from "../users/present";
import type { Announced } from "./announce-store";
import type { IsOwn } from "./own-reactions-store";
import type { MessageExtras, MessageRow, ReactionCounts, StoredMessage } from "./store";

/** How a message is shown: to whom, with which addresses of files, and with the reactions of which user. */
interface Showing {
  readonly urlOf: UrlOf;
  readonly viewer?: Viewer | undefined;
  readonly isOwn?: IsOwn | undefined;
}

export const presentMessageRow = (channelId: string, row: MessageRow, { urlOf, viewer, isOwn }: Showing) =>
  presentMessage(channelId, row, row.userId === null ? undefined : presentUserTo(viewer, row), urlOf, isOwn);

export const presentAnnounced = (
  announced: { readonly channelId: string; readonly row: MessageRow } | Exclude<Announced, { row: unknown }>,
  urlOf: UrlOf,
) => ({
  channel_id: announced.channelId,
  ...("row" in announced
    ? { message: presentMessageRow(announced.channelId, announced.row, { urlOf }) }
    : { code: announced.code }),
});

/** A message without a sender is a system message. */
export function presentMessage(
  channelId: string,
  message: StoredMessage,
  user: ReturnType<typeof presentUserTo> | undefined,
  urlOf: UrlOf,
  isOwn?: IsOwn,
) {
  const { messagePk: pk, sentAt, changedAt, content, file, messageMeta, externalId } = message;
  const envelope = {
    message_id: formatMessageId({ createdAt: sentAt, pk }),
    channel_id: channelId,
    ...(externalId !== null && { external_id: externalId }),
  };
  const text = { content: content ?? "", ...presentText(message.extras) };
  const ending = {
    meta: messageMeta,
    created_at: sentAt,
    updated_at: changedAt,
    ...(message.extras && presentExtras(message.extras, urlOf, isOwn && ((reaction) => isOwn(pk, reaction)))),
  };
  if (user === undefined) return { ...envelope, type: "system" as const, ...text, ...ending };
  return file === null
    ? { ...envelope, user, type: "text" as const, ...text, ...ending }
    : { ...envelope, user, type: "file" as const, file, ...ending };
}

/** What only messages with a text have. */
function presentText(extras: MessageExtras | null) {
  if (extras === null) return {};
  const { parts, state, appendCount } = extras;
  return {
    ...(parts !== null && { parts: JSON.parse(parts) as MessagePart[] }),
    ...(state !== null && { state }),
    ...(appendCount !== null && { append_count: appendCount }),
  };
}

function presentExtras(extras: MessageExtras, urlOf: UrlOf, isOwn?: (reaction: string) => boolean) {
  const { editedAt, replyToCreatedAt, replyToPk, replyCount, mentions, reactions, pinnedAt, attachments } =
    extras;
  return {
    ...(editedAt !== null && { edited_at: editedAt }),
    ...(replyToCreatedAt !== null &&
      replyToPk !== null && { reply_to: formatMessageId({ createdAt: replyToCreatedAt, pk: replyToPk }) }),
    ...(replyCount > 0 && { reply_count: replyCount }),
    ...(mentions !== null && { mentions: [...mentions] }),
    ...(reactions !== null && { reactions: presentReactionCounts(reactions, isOwn) }),
    ...(pinnedAt !== null && { pinned_at: pinnedAt }),
    ...(attachments !== null && { attachments: attachments.map((file) => presentAttachment(file, urlOf)) }),
  };
}

function presentAttachment(file: Attachment, urlOf: UrlOf) {
  const { fileId, name, type, size } = file;
  return { file_id: fileId, name, type, size, url: urlOf(file) };
}

export const presentReactionCounts = (counts: ReactionCounts, isOwn?: (reaction: string) => boolean) =>
  counts.map(([reaction, count]) => ({ reaction, count, ...(isOwn && { own: isOwn(reaction) }) }));

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

/**
 * A message without a sender is a system message. Fields that are undefined are absent in JSON: to leave them out here takes several times
 * as long as the rest.
 */
export function presentMessage(
  channelId: string,
  message: StoredMessage,
  user: ReturnType<typeof presentUserTo> | undefined,
  urlOf: UrlOf,
  isOwn?: IsOwn,
) {
  const { messagePk: pk, sentAt, file, messageMeta: meta, extras } = message;
  const message_id = formatMessageId({ createdAt: sentAt, pk });
  const channel_id = channelId;
  const external_id = message.externalId ?? undefined;
  const content = message.content ?? "";
  const created_at = sentAt;
  const updated_at = message.changedAt;
  const ofText = extras && presentText(extras);
  const others = extras && presentExtras(extras, urlOf, isOwn && ((reaction) => isOwn(pk, reaction)));
  if (user === undefined) {
    const type = "system" as const;
    return {
      message_id,
      channel_id,
      external_id,
      type,
      content,
      ...ofText,
      meta,
      created_at,
      updated_at,
      ...others,
    };
  }
  if (file === null) {
    const type = "text" as const;
    return {
      message_id,
      channel_id,
      external_id,
      user,
      type,
      content,
      ...ofText,
      meta,
      created_at,
      updated_at,
      ...others,
    };
  }
  const type = "file" as const;
  return { message_id, channel_id, external_id, user, type, file, meta, created_at, updated_at, ...others };
}

/** What only messages with a text have. */
const presentText = ({ parts, state, appendCount }: MessageExtras) => ({
  parts: parts === null ? undefined : (JSON.parse(parts) as MessagePart[]),
  state: state ?? undefined,
  append_count: appendCount ?? undefined,
});

function presentExtras(extras: MessageExtras, urlOf: UrlOf, isOwn?: (reaction: string) => boolean) {
  const { replyToCreatedAt, replyToPk, replyCount, mentions, reactions, attachments } = extras;
  const isReply = replyToCreatedAt !== null && replyToPk !== null;
  return {
    edited_at: extras.editedAt ?? undefined,
    reply_to: isReply ? formatMessageId({ createdAt: replyToCreatedAt, pk: replyToPk }) : undefined,
    reply_count: replyCount > 0 ? replyCount : undefined,
    mentions: mentions === null ? undefined : [...mentions],
    reactions: reactions === null ? undefined : presentReactionCounts(reactions, isOwn),
    pinned_at: extras.pinnedAt ?? undefined,
    attachments: attachments?.map((file) => presentAttachment(file, urlOf)),
  };
}

function presentAttachment(file: Attachment, urlOf: UrlOf) {
  const { fileId, name, type, size } = file;
  return { file_id: fileId, name, type, size, url: urlOf(file) };
}

export const presentReactionCounts = (counts: ReactionCounts, isOwn?: (reaction: string) => boolean) =>
  counts.map(([reaction, count]) => ({ reaction, count, ...(isOwn && { own: isOwn(reaction) }) }));

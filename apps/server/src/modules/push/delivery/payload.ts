import { formatMessageId } from "../../../chat/message-id";
import { type Payload, shorten } from "../providers/notification";
import type { PushedMessage, ShownMessage } from "./messages-store";

/** What notifications say of a message: everything, who sent it, or that there is one. */
export const pushContents = ["full", "sender", "none"] as const;
export type PushContent = (typeof pushContents)[number];

interface Pushed extends Pick<PushedMessage, "channelId" | "pk"> {
  readonly messageCreatedAt: number;
}

/** The payload of a message. `unreadCount` is that of its recipient, for the badge. */
export function payloadOf(
  { channelId, messageCreatedAt, pk }: Pushed,
  { channelName, memberCount, senderId, senderName, text }: ShownMessage,
  { content, unreadCount }: { readonly content: PushContent; readonly unreadCount: number },
): Payload {
  const about = {
    type: "message",
    channel_id: channelId,
    message_id: formatMessageId({ createdAt: messageCreatedAt, pk }),
    created_at: messageCreatedAt,
    unread_count: unreadCount,
  };
  if (content === "none") return about;
  return {
    ...about,
    channel_name: channelName,
    ...(senderId !== null && { user_id: senderId }),
    ...(senderName !== null && { user_name: senderName }),
    title:
      senderName === null ? channelName : memberCount > 2 ? `${senderName} (${channelName})` : senderName,
    ...(content === "full" && text !== null && { body: shorten(text) }),
  };
}

import { presentChannel } from "../channels/present";
import { presentMessageRow } from "../messages/present";
import type { UserChannelRow } from "./store";

export function presentUserChannel(channel: UserChannelRow) {
  const { channelId, joinedAt, unreadCount, lastMessage } = channel;
  return {
    ...presentChannel(channel),
    joined_at: joinedAt,
    unread_count: unreadCount,
    ...(lastMessage !== null && { last_message: presentMessageRow(channelId, lastMessage) }),
  };
}

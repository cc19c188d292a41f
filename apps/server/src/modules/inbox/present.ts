import type { UrlOf } from "../../chat/attachments";
import { presentChannelTo } from "../../chat/channels/present";
import { presentPreferencesField } from "../../chat/members/preferences";
import { presentMark } from "../../chat/members/present";
import { presentMessageRow } from "../../chat/messages/present";
import { presentMembership, type Viewer } from "../../chat/users/present";
import type { UserChannelRow } from "./store";

/** A channel of the inbox, as its owner sees it or, without a viewer, the application. */
export function presentUserChannel(viewer: Viewer | undefined, channel: UserChannelRow, urlOf: UrlOf) {
  const { channelId, joinedAt, unreadCount, mentionCount, memberCount, members, lastMessage } = channel;
  return {
    ...presentChannelTo(viewer, channel),
    joined_at: joinedAt,
    unread_count: unreadCount,
    mention_count: mentionCount,
    ...presentMark(channel),
    ...presentPreferencesField(channel),
    member_count: memberCount,
    ...(members !== null && { members: members.map((member) => presentMembership(viewer, member)) }),
    ...(lastMessage !== null && {
      last_message: presentMessageRow(channelId, lastMessage, { urlOf, viewer }),
    }),
  };
}

import type { ChatEvent, EventType } from "@madang/contract";
import type { UrlOf } from "../../chat/attachments";
import { presentChannelTo } from "../../chat/channels/present";
import { presentPreferences } from "../../chat/members/preferences";
import { formatMessageId } from "../../chat/message-id";
import { presentMessageRow } from "../../chat/messages/present";
import { presentUser, presentUserTo, type Viewer } from "../../chat/users/present";
import { presentReport } from "../reports/present";
import type { PresentedRow } from "./resources-store";
import { formatEventId } from "./store";

/**
 * An event as the API returns it: with the current state of its resource, or only the id if it no longer exists. Without a viewer, as
 * the application sees it.
 */
export function presentEvent(event: PresentedRow, urlOf: UrlOf, viewer?: Viewer): ChatEvent {
  const { type, createdAt, channelId, userId } = event;
  const presented = {
    event_id: formatEventId(event),
    type,
    created_at: createdAt,
    ...(channelId !== null && { channel_id: channelId }),
    ...(userId !== null && { user_id: userId }),
    // Reactions of a deleted message are not returned. The erasure of a user removes `detail`.
    data: { ...presentAbout(event, urlOf, viewer), ...(event.hasMessage !== false && Object(event.detail)) },
  };
  // The type determines the fields: see the statements that write events, and the function below.
  return presented as ChatEvent;
}

function presentAbout(event: PresentedRow, urlOf: UrlOf, viewer: Viewer | undefined) {
  const { channelId, userId, user, channel, message, report } = event;
  // A newer server on the same database may have written a type that this one does not know.
  switch (event.type as EventType) {
    case "channel.created":
    case "channel.updated":
    case "channel.deleted":
    case "messages.imported":
      return {
        channel_id: channelId,
        ...(channel !== null && { channel: presentChannelTo(viewer, channel) }),
      };
    case "message.created":
    case "message.updated":
    case "message.deleted":
    case "message.pinned":
    case "message.unpinned":
      return {
        message_id: messageIdOf(event),
        ...(message !== null && { message: presentMessageRow(channelId ?? "", message, { urlOf, viewer }) }),
      };
    case "member.read":
      return {
        user_id: userId,
        read_message_id: messageIdOf(event),
        ...(user !== null && { user: presentUserTo(viewer, user) }),
      };
    case "member.preferences":
      return {
        channel_id: channelId,
        user_id: userId,
        ...(event.preferences !== null && { preferences: presentPreferences(event.preferences) }),
      };
    case "block.added":
    case "block.removed":
      return { user_id: userId };
    case "reaction.added":
    case "reaction.removed":
      return { message_id: messageIdOf(event), user_id: userId };
    case "report.created":
    case "report.resolved":
      return report === null ? {} : { report: presentReport(report) };
    case "webhook.disabled":
      return {};
    case "user.created":
    case "user.updated":
    case "user.deleted":
      // A user gets those of its own alone.
      return { user_id: userId, ...(user !== null && { user: presentUser(user) }) };
    default:
      return { user_id: userId, ...(user !== null && { user: presentUserTo(viewer, user) }) };
  }
}

function messageIdOf({ messageCreatedAt, messagePk }: PresentedRow): string {
  return formatMessageId({ createdAt: messageCreatedAt ?? 0, pk: messagePk ?? 0 });
}

import { type Channel, isChatError, type Message, type Page, type Report, type User } from "@madang/client";
import { chat } from "../../api/chat";
import { inRequests } from "../../api/ids";
import { fetchMessages } from "../../api/messages";
import { usePermission } from "../../session/current-session";
import { previewOf } from "../conversation/preview";

/** A report with what it names. What was deleted since, or what the key may not read, is missing. */
export interface ShownReport extends Report {
  readonly message: Message | undefined;
  readonly channel: Channel | undefined;
  /** Who was reported, otherwise who sent the message. */
  readonly reportedUser: User | undefined;
  readonly reporter: User | undefined;
}

/** What the key of the session may read of what reports name. */
export function useReadable(): Readable {
  const can = usePermission();
  return { messages: can("messages.list"), channels: can("channels.list"), users: can("users.list") };
}

interface Readable {
  readonly messages: boolean;
  readonly channels: boolean;
  readonly users: boolean;
}

/** A report has only ids, so what a page of them names is fetched with it, each kind at once. */
export async function withReported<Listed extends Pick<Page<Report>, "items">>(
  page: Listed,
  can: Readable,
): Promise<Omit<Listed, "items"> & Pick<Page<ShownReport>, "items">> {
  const reports = page.items;
  const channelIds = unique(reports.map(({ channel_id: id }) => id));
  const userIds = unique(reports.flatMap((one) => [one.reported_user_id, one.reporter_user_id]));
  const [channels, users, messages] = await Promise.all([
    can.channels && channelIds.length > 0 ? chat.channels.list({ channel_ids: channelIds }).toArray() : [],
    can.users
      ? Promise.all(inRequests(userIds).map((ids) => chat.users.list({ user_ids: ids }).toArray()))
      : [],
    can.messages ? Promise.all(channelIds.map((id) => fetchReported(id, reports))) : [],
  ]);
  const channelsById = new Map(channels.map((channel) => [channel.channel_id, channel]));
  const usersById = new Map(users.flat().map((user) => [user.user_id, user]));
  const messagesById = new Map(messages.flatMap((found) => [...found]));
  const items = reports.map((report): ShownReport => {
    const message = messagesById.get(report.message_id ?? "");
    const sender = message === undefined || message.type === "system" ? undefined : message.user;
    return {
      ...report,
      message,
      channel: channelsById.get(report.channel_id),
      reportedUser: usersById.get(report.reported_user_id ?? "") ?? sender,
      reporter: usersById.get(report.reporter_user_id ?? ""),
    };
  });
  return { ...page, items };
}

/** What the message was when it was reported, otherwise what it is now. Undefined if there is neither. */
export function textOf({ reported, message }: ShownReport): string | undefined {
  if (reported === undefined) return message && previewOf(message);
  return reported.content ?? reported.file_name ?? reported.attachments?.join(", ") ?? "";
}

async function fetchReported(channelId: string, reports: readonly Report[]) {
  const ids = reports.filter((one) => one.channel_id === channelId).map(({ message_id: id }) => id);
  try {
    return await fetchMessages(chat, channelId, unique(ids));
  } catch (error) {
    // The channel may have been deleted since.
    if (isChatError(error) && error.status === 404) return new Map<string, Message>();
    throw error;
  }
}

const unique = (ids: readonly (string | undefined)[]) => [...new Set(ids.filter((id) => id !== undefined))];

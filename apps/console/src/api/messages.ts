import type { ChatClient, Message } from "@madang/client";
import { inRequests } from "./ids";

/** Those of a channel that exist, by id. */
export async function fetchMessages(
  chat: ChatClient,
  channelId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Message>> {
  const lists = inRequests(ids).map((some) => chat.messages.list(channelId, { message_ids: some }).toArray());
  const found = (await Promise.all(lists)).flat();
  return new Map(found.map((message) => [message.message_id, message]));
}

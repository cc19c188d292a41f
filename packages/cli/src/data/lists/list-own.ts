import { type CallOptions, type ChatClient, isChatError } from "@madang/client";
import type { Row } from "../tables/column";
import type { OwnKind } from "../tables/tables";
import { chunksOfIds } from "./list-by-ids";

/** The blocks or preferences of a user, of these channels or of all, as rows of a file. A user who does not exist has none. */
export async function listOwn(
  chat: ChatClient,
  kind: OwnKind,
  user_id: string,
  channels: readonly string[] | undefined,
  options: CallOptions,
): Promise<Row[]> {
  try {
    return await (kind === "blocks"
      ? listBlocks(chat, user_id, options)
      : listPreferences(chat, user_id, channels, options));
  } catch (error) {
    if (!isChatError(error) || error.code !== "user_not_found") throw error;
    return [];
  }
}

async function listBlocks(chat: ChatClient, user_id: string, options: CallOptions): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const { user, ...block } of chat.users.blocks.list(user_id, { pageSize: 100 }, options))
    rows.push({ user_id, blocked_user_id: user.user_id, ...block });
  return rows;
}

async function listPreferences(
  chat: ChatClient,
  user_id: string,
  channels: readonly string[] | undefined,
  options: CallOptions,
): Promise<Row[]> {
  // A channel may move from one list to another meanwhile.
  const rows = new Map<string, Row>();
  for await (const query of channels ? namedLists(channels) : allLists)
    for await (const { channel_id, preferences } of chat.users.channels(user_id, query, options))
      if (preferences) rows.set(channel_id, { user_id, channel_id, ...preferences });
  return [...rows.values()];
}

/** Together they have every channel of a user once: those that are pinned are in the inbox. */
const allLists = [{ pageSize: 30 }, { hidden: true, pageSize: 30 }, { archived: true, pageSize: 30 }];

async function* namedLists(channels: readonly string[]) {
  for await (const channel_ids of chunksOfIds(channels)) yield { channel_ids };
}

import type { CallOptions, ChatClient } from "@madang/client";
import type { Row } from "../tables/column";
import type { EntryKind } from "../tables/tables";

/** The participants, managers or bans of a channel, as rows of a file. */
export async function listEntries(
  chat: ChatClient,
  kind: EntryKind,
  channel_id: string,
  options: CallOptions,
): Promise<Row[]> {
  if (kind !== "bans")
    return (await chat.channels[kind].list(channel_id, options)).map((entry) => ({ channel_id, ...entry }));
  const rows: Row[] = [];
  for await (const { user, ...ban } of chat.channels.bans.list(channel_id, { pageSize: 30 }, options))
    rows.push({ channel_id, user_id: user.user_id, ...ban });
  return rows;
}

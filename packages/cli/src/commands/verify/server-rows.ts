import { type CallOptions, type ChatClient, isChatError } from "@madang/client";
import { listEntries } from "../../data/lists/list-entries";
import { listOwn } from "../../data/lists/list-own";
import { pagesOf } from "../../data/lists/pages";
import type { Row } from "../../data/tables/column";
import type { EntryKind, OwnKind } from "../../data/tables/tables";

type Ids = Iterable<string> | AsyncIterable<string>;
type RowPages = AsyncGenerator<readonly Row[]>;

// What the server has, to compare files with it. What does not exist has no rows.

export function listRows(chat: ChatClient, kind: "users" | "channels", options: CallOptions): RowPages {
  return pagesOf(chat[kind].list({ pageSize: 30 }, options));
}

/** The participants, managers or bans of channels. */
export async function* listEntriesOfAll(
  chat: ChatClient,
  kind: EntryKind,
  channelIds: Ids,
  options: CallOptions,
): RowPages {
  for await (const channel_id of channelIds) {
    yield (await unlessNotFound(listEntries(chat, kind, channel_id, options))) ?? [];
  }
}

/** The blocks or preferences of users. */
export async function* listOwnOfAll(
  chat: ChatClient,
  kind: OwnKind,
  userIds: Ids,
  channels: readonly string[] | undefined,
  options: CallOptions,
): RowPages {
  for await (const id of userIds) yield await listOwn(chat, kind, id, channels, options);
}

export async function* listMessages(
  chat: ChatClient,
  channelIds: Ids,
  range: Omit<NonNullable<Parameters<ChatClient["exports"]["messages"]>[1]>, "pageSize">,
  options: CallOptions,
): RowPages {
  for await (const id of channelIds)
    try {
      yield* pagesOf(chat.exports.messages(id, { ...range, pageSize: 1_000 }, options));
    } catch (error) {
      if (!isChatError(error) || error.code !== "channel_not_found") throw error;
    }
}

/** Undefined for what does not exist any more. */
async function unlessNotFound<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isChatError(error) && error.status === 404) return undefined;
    throw error;
  }
}

import type { CallOptions, ChatClient } from "@madang/client";
import { limits } from "@madang/contract/limits";
import type { Row } from "../tables/column";
import { asRows } from "../tables/tables";

type Kind = "users" | "channels";

/** The users or channels with these ids, as many at a time as a request can name. What does not exist is left out. */
export async function* listByIds(
  chat: ChatClient,
  kind: Kind,
  ids: Iterable<string> | AsyncIterable<string>,
  options: CallOptions,
): AsyncGenerator<readonly Row[]> {
  for await (const some of chunksOfIds(ids)) yield asRows(await list(chat, kind, some, options));
}

async function list(
  chat: ChatClient,
  kind: Kind,
  ids: string[],
  options: CallOptions,
): Promise<readonly object[]> {
  const found =
    kind === "users"
      ? chat.users.list({ user_ids: ids }, options)
      : chat.channels.list({ channel_ids: ids }, options);
  return found.toArray({ max: ids.length });
}

/** As many ids at a time as a request can name. */
export const chunksOfIds = (ids: Iterable<string> | AsyncIterable<string>) =>
  chunks(ids, limits.idsPerList.max);

/** Items in groups of at most this size. */
export async function* chunks<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  size: number,
): AsyncGenerator<Item[]> {
  let chunk: Item[] = [];
  for await (const item of items) {
    chunk.push(item);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

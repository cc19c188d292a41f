import { isChatError } from "@madang/client";
import { chunks, listByIds } from "../../data/lists/list-by-ids";
import { listEntries } from "../../data/lists/list-entries";
import { listOwn } from "../../data/lists/list-own";
import type { Pages } from "../../data/lists/pages";
import type { Row } from "../../data/tables/column";
import { readRows } from "../../data/tables/read-rows";
import { asRows, type EntryKind, type Kind, type OwnKind } from "../../data/tables/tables";
import { CommandError, exitCodes } from "../../terminal/exit-codes";
import { type ExportContext, readChannelIds, unlessMissing } from "./context";
import { type SpoolPage, spoolPath } from "./spool";

/** The pages of a list, from a cursor on. */
export type List = (cursor: string | undefined) => AsyncIterable<SpoolPage>;

/** The lists of an export besides the messages, in the order in which they are read. */
export function listsOf(context: ExportContext): [Kind, List][] {
  const own = context.options.hasOwn ? (["blocks", "preferences"] as const) : [];
  return [
    ["channels", (cursor) => listChannels(context, cursor)],
    ["members", (cursor) => listEntriesOfAll(context, "members", cursor)],
    ["managers", (cursor) => listEntriesOfAll(context, "managers", cursor)],
    ["bans", (cursor) => listEntriesOfAll(context, "bans", cursor)],
    ["users", (cursor) => listUsers(context, cursor)],
    ...own.map((kind): [Kind, List] => [kind, (cursor) => listOwnOfAll(context, kind, cursor)]),
  ];
}

async function* listChannels(
  { chat, callOptions, options: { channels } }: ExportContext,
  cursor: string | undefined,
): AsyncGenerator<SpoolPage> {
  if (channels === undefined)
    return yield* spoolPagesOf(chat.channels.list({ pageSize: 30, cursor }, callOptions));
  const found: object[] = [];
  for (const id of channels)
    found.push(await chat.channels.get(id, callOptions).catch((error) => explainMissing(id, error)));
  yield { rows: asRows(found), cursor: undefined };
}

function explainMissing(id: string, error: unknown): never {
  if (!isChatError(error) || error.code !== "channel_not_found") throw error;
  throw new CommandError(
    `There is no channel ${id}, and nothing was exported. madang channels list shows all ids.`,
    exitCodes.notFound,
  );
}

/** The participants, managers or bans of every channel, in the order of the channels. The cursor counts channels. */
async function* listEntriesOfAll(
  context: ExportContext,
  kind: EntryKind,
  cursor: string | undefined,
): AsyncGenerator<SpoolPage> {
  const { chat, callOptions, journal } = context;
  let index = 0;
  for await (const id of readChannelIds(context)) {
    index += 1;
    if (index <= Number(cursor ?? 0) || journal.isMissing(id)) continue;
    const rows = await unlessMissing(context, id, listEntries(chat, kind, id, callOptions));
    yield { rows: rows ?? [], cursor: String(index) };
  }
  yield { rows: [], cursor: undefined };
}

/** All users, or those of the channels that were named. */
async function* listUsers(
  { chat, callOptions, options: { channels, dir } }: ExportContext,
  cursor: string | undefined,
): AsyncGenerator<SpoolPage> {
  if (channels === undefined)
    return yield* spoolPagesOf(chat.users.list({ pageSize: 30, cursor }, callOptions));
  const ids = new Set<string>();
  for (const kind of ["members", "managers", "bans"] as const)
    for await (const rows of readRows(spoolPath(dir, kind), kind))
      for (const { user_id } of rows) ids.add(String(user_id));
  const users: Row[] = [];
  for await (const rows of listByIds(chat, "users", ids, callOptions)) users.push(...rows);
  users.sort((one, other) => Number(other.created_at) - Number(one.created_at));
  yield { rows: users, cursor: undefined };
}

/** The blocks or preferences of every user, in the order of the users, of some users at the same time. The cursor counts users. */
async function* listOwnOfAll(
  { chat, callOptions, options: { channels, concurrency, dir } }: ExportContext,
  kind: OwnKind,
  cursor: string | undefined,
): AsyncGenerator<SpoolPage> {
  let done = Number(cursor ?? 0);
  for await (const ids of chunks(userIdsFrom(dir, done), concurrency)) {
    const rows = await Promise.all(ids.map((id) => listOwn(chat, kind, id, channels, callOptions)));
    done += ids.length;
    yield { rows: rows.flat(), cursor: String(done) };
  }
  yield { rows: [], cursor: undefined };
}

async function* userIdsFrom(dir: string, first: number): AsyncGenerator<string> {
  let index = 0;
  for await (const rows of readRows(spoolPath(dir, "users"), "users"))
    for (const { user_id } of rows) if (index++ >= first) yield String(user_id);
}

/** The pages of a list of the SDK, with the cursors after them. */
export async function* spoolPagesOf(list: Pages): AsyncGenerator<SpoolPage> {
  for await (const { items, nextCursor } of list.pages()) yield { rows: asRows(items), cursor: nextCursor };
}

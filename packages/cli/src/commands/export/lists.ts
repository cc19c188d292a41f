import { isChatError } from "@madang/client";
import { listByIds } from "../../data/lists/list-by-ids";
import { listEntries } from "../../data/lists/list-entries";
import type { Pages } from "../../data/lists/pages";
import type { Row } from "../../data/tables/column";
import { readRows } from "../../data/tables/read-rows";
import { asRows, type EntryKind, type Kind } from "../../data/tables/tables";
import { CommandError, exitCodes } from "../../terminal/exit-codes";
import { type ExportContext, readChannelIds, unlessMissing } from "./context";
import { type SpoolPage, spoolPath } from "./spool";

/** The pages of a list, from a cursor on. */
export type List = (cursor: string | undefined) => AsyncIterable<SpoolPage>;

/** The lists of an export besides the messages, in the order in which they are read. */
export function listsOf(context: ExportContext): [Kind, List][] {
  return [
    ["channels", (cursor) => listChannels(context, cursor)],
    ["members", (cursor) => listEntriesOfAll(context, "members", cursor)],
    ["managers", (cursor) => listEntriesOfAll(context, "managers", cursor)],
    ["bans", (cursor) => listEntriesOfAll(context, "bans", cursor)],
    ["users", (cursor) => listUsers(context, cursor)],
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

/** The pages of a list of the SDK, with the cursors after them. */
export async function* spoolPagesOf(list: Pages): AsyncGenerator<SpoolPage> {
  for await (const { items, nextCursor } of list.pages()) yield { rows: asRows(items), cursor: nextCursor };
}

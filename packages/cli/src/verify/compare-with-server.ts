import { join } from "node:path";
import { type CallOptions, type ChatClient, isChatError } from "@madang/client";
import type { ExportedFile, Manifest } from "../data/manifest";
import { readRows } from "../data/read-rows";
import { idFields, type Row, tables, toRow, valueAt } from "../data/tables";
import { compareLists, type Difference } from "./compare-lists";

export interface FileDifference extends Difference {
  readonly file: string;
  /** The channel does not exist any more. */
  readonly isChannelMissing?: true;
}

/** What changed on the server since an export. Files without a difference are left out. */
export async function compareWithServer(
  chat: ChatClient,
  dir: string,
  manifest: Manifest,
  options: CallOptions,
): Promise<FileDifference[]> {
  const differences: FileDifference[] = [];
  for (const file of manifest.files) {
    const server = rowsOfServer(chat, manifest, file, options);
    if (server === undefined) continue;
    const difference = await compareFile(dir, manifest, file, server);
    const { added, changed, removed } = difference;
    if (added + changed + removed > 0) differences.push(difference);
  }
  return differences;
}

async function compareFile(
  dir: string,
  manifest: Manifest,
  { path, kind, rows }: ExportedFile,
  server: AsyncIterable<Row[]>,
): Promise<FileDifference> {
  const columns = tables[kind];
  const project = (row: Row) =>
    manifest.format === "ndjson"
      ? row
      : toRow(
          columns,
          columns.map((column) => valueAt(row, column)),
        );
  try {
    const comparison = { idField: idFields[kind], project };
    return { file: path, ...(await compareLists(readRows(join(dir, path), kind), server, comparison)) };
  } catch (error) {
    if (!isChatError(error) || error.code !== "channel_not_found") throw error;
    return { file: path, added: 0, changed: 0, removed: rows, isChannelMissing: true };
  }
}

/** Undefined for what is not compared: participants and managers, and the users of some channels. */
function rowsOfServer(
  chat: ChatClient,
  { channels, from: start_date, to: end_date, timezone }: Manifest,
  { kind, channel_id = "" }: ExportedFile,
  options: CallOptions,
): AsyncGenerator<Row[]> | undefined {
  if (kind === "messages") {
    const range = { start_date, end_date, timezone, pageSize: 1_000, prefetch: 1 };
    return pagesOf(chat.exports.messages(channel_id, range, options));
  }
  if (channels !== undefined) return undefined;
  if (kind === "users") return pagesOf(chat.users.list({ pageSize: 30 }, options));
  return kind === "channels" ? pagesOf(chat.channels.list({ pageSize: 30 }, options)) : undefined;
}

interface Pages {
  pages(): AsyncIterable<{ readonly items: readonly object[] }>;
}

async function* pagesOf(list: Pages): AsyncGenerator<Row[]> {
  for await (const { items } of list.pages()) yield items.map((item) => ({ ...item }));
}

import { join } from "node:path";
import { type CallOptions, type ChatClient, isChatError } from "@madang/client";
import type { ExportedFile, Manifest } from "../data/manifest";
import { readRows } from "../data/read-rows";
import { asRows, idFields, type Row, tables, toRow, valueAt } from "../data/tables";
import { CommandError } from "../exit-codes";
import { compareById } from "./compare-by-id";
import { compareEntries } from "./compare-entries";
import { type Comparison, compareLists, type Difference } from "./compare-lists";

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
  onFile: () => void,
): Promise<FileDifference[]> {
  const differences: FileDifference[] = [];
  for (const file of manifest.files) {
    const difference = await compareFile(chat, dir, manifest, file, options).catch((error: unknown) => {
      if (!isChatError(error) || error.code !== "channel_not_found") throw error;
      return { added: 0, changed: 0, removed: file.rows, isChannelMissing: true as const };
    });
    const { added, changed, removed } = difference;
    if (added + changed + removed > 0) differences.push({ file: file.path, ...difference });
    onFile();
  }
  return differences;
}

async function compareFile(
  chat: ChatClient,
  dir: string,
  manifest: Manifest,
  { path, kind, channel_id = "" }: ExportedFile,
  options: CallOptions,
): Promise<Difference> {
  const rows = readRows(join(dir, path), kind);
  const comparison: Comparison = { idField: idFields[kind], project: projectionOf(manifest, kind) };
  const { channels, from: start_date, to: end_date, timezone, files } = manifest;
  if (kind === "messages") {
    const range = { start_date, end_date, timezone, pageSize: 1_000 };
    return compareLists(rows, pagesOf(chat.exports.messages(channel_id, range, options)), comparison);
  }
  if (kind === "members" || kind === "managers") {
    const listed = files.find((file) => file.kind === "channels");
    if (listed === undefined) throw new CommandError("The manifest has no file of channels.");
    const channelRows = readRows(join(dir, listed.path), "channels");
    return compareEntries(channelRows, rows, (id) => chat.channels[kind].list(id, options), comparison);
  }
  // Channels that were named, and their users.
  if (channels !== undefined) return compareById(rows, (id) => chat[kind].get(id, options), comparison);
  return compareLists(rows, pagesOf(chat[kind].list({ pageSize: 30 }, options)), comparison);
}

/** The part of a row that a file of the format can have. */
function projectionOf({ format }: Manifest, kind: ExportedFile["kind"]): (row: Row) => Row {
  if (format === "ndjson") return (row) => row;
  const columns = tables[kind];
  return (row) =>
    toRow(
      columns,
      columns.map((column) => valueAt(row, column)),
    );
}

interface Pages {
  pages(): AsyncIterable<{ readonly items: readonly object[] }>;
}

export async function* pagesOf(list: Pages): AsyncGenerator<readonly Row[]> {
  for await (const { items } of list.pages()) yield asRows(items);
}

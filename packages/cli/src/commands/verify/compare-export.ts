import { join } from "node:path";
import type { CallOptions, ChatClient } from "@madang/client";
import type { Manifest } from "../../data/files/manifest";
import { listByIds } from "../../data/lists/list-by-ids";
import { type Row, toCells } from "../../data/tables/column";
import { readEntries } from "../../data/tables/read-rows";
import { idFields, tables } from "../../data/tables/tables";
import { rowsOf, type Source } from "../import/sources";
import { compareRows, type Difference } from "./compare-rows";
import { listEntriesOfAll, listMessages, listOwnOfAll, listRows } from "./server-rows";

export interface FileDifference extends Difference {
  readonly file: string;
}

/** What changed on the server since an export. Files without a difference are left out. */
export async function compareExport(
  chat: ChatClient,
  dir: string,
  manifest: Manifest,
  options: CallOptions,
  onFile: () => void,
): Promise<FileDifference[]> {
  const { channels, files, from: start_date, to: end_date, timezone } = manifest;
  const sources = files.map(
    ({ path, kind, channel_id = "" }): Source => ({
      ...{ path, kind, channelId: channel_id },
      entries: () => readEntries(join(dir, path), kind),
    }),
  );
  const differences: FileDifference[] = [];
  for (const source of sources) {
    const difference = await compareRows(rowsOf(source), rowsOfServer(source), {
      idOf: (row) => `${row.channel_id} ${row.blocked_user_id} ${row[idFields[source.kind]]}`,
      valuesOf: (row) => valuesOf(row, source, manifest),
    });
    const { added, changed, removed } = difference;
    if (added + changed + removed > 0) differences.push({ file: source.path, ...difference });
    onFile();
  }
  return differences;

  function rowsOfServer(source: Source): AsyncIterable<readonly Row[]> {
    const { kind, channelId = "" } = source;
    if (kind === "messages")
      return listMessages(chat, [channelId], { start_date, end_date, timezone }, options);
    if (kind === "blocks" || kind === "preferences")
      return listOwnOfAll(chat, kind, idsOf("users"), channels, options);
    if (kind !== "users" && kind !== "channels")
      return listEntriesOfAll(chat, kind, idsOf("channels"), options);
    // Channels that were named, and their users.
    return channels === undefined
      ? listRows(chat, kind, options)
      : listByIds(chat, kind, idsOf(kind), options);
  }

  async function* idsOf(kind: "users" | "channels"): AsyncGenerator<string> {
    for (const source of sources.filter((each) => each.kind === kind))
      for await (const { row } of rowsOf(source)) yield String(row[idFields[kind]]);
  }
}

/** All fields of a row, without the addresses of files, which are others every hour. */
function valuesOf(row: Row, { kind }: Source, { format }: Manifest): unknown[] {
  const { attachments } = row;
  const files = Array.isArray(attachments) && attachments.map(({ url, ...file }: Row) => file);
  const values = toCells(tables[kind], files ? { ...row, attachments: files } : row);
  // In CSV, an empty text is no value.
  return format === "csv" ? values.map((value) => (value === "" ? undefined : value)) : values;
}

import type { CallOptions, ChatClient } from "@madang/client";
import type { Row } from "../../data/tables/column";
import type { RowEntry } from "../../data/tables/tables";
import { attachmentsOf } from "../files/saved-files";
import { idOf, locateRow } from "../import/check-sources";
import { nameFiles, readMessage } from "../import/read-message";
import { preferencesToSet } from "../import/restore-own";
import { isBanInForce } from "../import/restore-restrictions";
import { rowsOf, type Source } from "../import/sources";
import { bodyOf } from "../import/take-back";
import { compareRows } from "./compare-rows";
import { listEntriesOfAll, listMessages, listOwnOfAll, listRows } from "./server-rows";

export interface Migrated {
  readonly rows: number;
  /** Rows that the server does not have, and rows that it has with other values. */
  readonly missing: number;
  readonly different: number;
}

/**
 * Compares files that were imported with what the server has. An import assigns ids of messages and the times of everything
 * else, and a server may have more than the files: only what the files say must be equal.
 */
export async function compareMigrated(
  chat: ChatClient,
  sources: readonly Source[],
  options: CallOptions,
  report: (problem: string) => void,
  onFile: () => void,
): Promise<Migrated> {
  const counts = { rows: 0, missing: 0, different: 0 };
  for (const source of sources) {
    const explain = (problem: string) => (entry: RowEntry) =>
      report(`${locateRow(source, entry.line, entry.row)}: ${problem}`);
    const { rows, changed, removed } = await compareRows(
      rowsToImport(source),
      rowsOfServer(chat, source, options),
      {
        idOf: (row) => idOf(source, row),
        valuesOf: (row) => valuesOf(source, row),
        onChanged: explain("the server has other values."),
        onRemoved: explain("the server does not have it."),
      },
    );
    counts.rows += rows;
    counts.missing += removed;
    counts.different += changed;
    onFile();
  }
  return counts;
}

function rowsOfServer(chat: ChatClient, source: Source, options: CallOptions): AsyncIterable<readonly Row[]> {
  const { kind } = source;
  if (kind === "users" || kind === "channels") return listRows(chat, kind, options);
  if (kind === "messages") return listMessages(chat, idsIn(source, "channel_id"), {}, options);
  if (kind === "blocks" || kind === "preferences")
    return listOwnOfAll(chat, kind, idsIn(source, "user_id"), undefined, options);
  return listEntriesOfAll(chat, kind, idsIn(source, "channel_id"), options);
}

/** The channels or users of the rows of a file, each once. */
async function* idsIn(source: Source, field: "channel_id" | "user_id"): AsyncGenerator<string> {
  const found = new Set<string>();
  if (source.channelId !== undefined) return yield source.channelId;
  for await (const { row } of rowsOf(source)) found.add(String(row[field]));
  yield* found;
}

/** The rows that an import does not leave out as a whole. */
async function* rowsToImport(source: Source): AsyncGenerator<RowEntry> {
  for await (const entry of rowsOf(source)) if (isImported(source, entry.row)) yield entry;
}

function isImported({ kind, channelId }: Source, row: Row): boolean {
  if (kind === "bans") return isBanInForce(row);
  if (kind === "preferences") return Object.keys(preferencesToSet(row)).length > 0;
  return kind !== "messages" || readMessage(row, channelId).obstacle === undefined;
}

/** What must be equal of a row: what an import sends of it. */
function valuesOf({ kind, channelId }: Source, row: Row): Row {
  if (kind === "managers" || kind === "members" || kind === "bans" || kind === "blocks") return {};
  if (kind === "preferences") return { ...preferencesToSet(row) };
  if (kind === "messages") {
    // The server shows the id that it assigned, or no message that was deleted before the export.
    const { reply_to: _, ...message }: Row = { ...readMessage(row, channelId).message };
    // An import uploads its files anew, or leaves them out: then their names may be its text.
    const { attachments, content, ...others } = message;
    const text = { content, ...nameFiles(message, attachmentsOf(row)) };
    return { ...others, ...(text.content ? text : {}) };
  }
  // Without mutes, suspensions and retention: moderators may have changed them since, and most files do not have them.
  const { profile_url, ...others } = bodyOf(kind, row);
  const { freeze = false } = row;
  return { meta: {}, ...others, freeze, ...(profile_url !== "" && { profile_url }) };
}

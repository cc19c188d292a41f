import { createHash } from "node:crypto";
import { type CallOptions, type ChatClient, isChatError } from "@madang/client";
import { IdIndex } from "../data/id-index";
import type { Kind, Row } from "../data/tables";
import { idOf, locateRow } from "../import/check-sources";
import { readMessage } from "../import/read-message";
import { rowsOf, type Source } from "../import/sources";
import { unlessNotFound } from "./compare-by-id";
import { pagesOf } from "./compare-with-server";

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
    const server = new IdIndex();
    for await (const rows of rowsOfServer(chat, source, options))
      for (const row of rows) server.add(idOf(source, row), digestOf(source, row));
    for await (const { row, line } of rowsOf(source)) {
      counts.rows += 1;
      const found = server.get(idOf(source, row));
      if (found === digestOf(source, row)) continue;
      counts[found === undefined ? "missing" : "different"] += 1;
      const difference =
        found === undefined ? "the server does not have it." : "the server has other values.";
      report(`${locateRow(source, line, row)}: ${difference}`);
    }
    onFile();
  }
  return counts;
}

/** What the server has of the kind of a file: of messages, participants and managers those of the channels in the file. */
async function* rowsOfServer(
  chat: ChatClient,
  source: Source,
  options: CallOptions,
): AsyncGenerator<readonly Row[]> {
  const { kind } = source;
  if (kind === "users" || kind === "channels")
    return yield* pagesOf(chat[kind].list({ pageSize: 30 }, options));
  for (const id of await findChannels(source))
    if (kind === "messages") yield* messagesOf(chat, id, options);
    else {
      const entries = (await unlessNotFound(chat.channels[kind].list(id, options))) ?? [];
      yield entries.map((entry) => ({ ...entry, channel_id: id }));
    }
}

async function findChannels(source: Source): Promise<Iterable<string>> {
  if (source.channelId !== undefined) return [source.channelId];
  const found = new Set<string>();
  for await (const { row } of rowsOf(source)) found.add(String(row.channel_id));
  return found;
}

/** The messages of a channel, or none when it does not exist. */
async function* messagesOf(chat: ChatClient, channelId: string, options: CallOptions) {
  try {
    yield* pagesOf(chat.exports.messages(channelId, { pageSize: 1_000 }, options));
  } catch (error) {
    if (!isChatError(error) || error.code !== "channel_not_found") throw error;
  }
}

/** What an import sends of a row, in 32 bits. */
function digestOf({ kind, channelId }: Source, row: Row): number {
  const text = JSON.stringify(sortKeys(valuesOf(kind, row, channelId)));
  return createHash("sha256").update(text).digest().readUInt32LE();
}

function valuesOf(kind: Kind, row: Row, channelId: string | undefined): Row {
  if (kind === "members" || kind === "managers") return {};
  if (kind === "messages") return { ...readMessage(row, channelId).message };
  const { name, profile_url, meta = {}, freeze = false } = row;
  return { name, meta, freeze, ...(profile_url !== "" && { profile_url }) };
}

/** The order of the names in an object is of no importance. */
function sortKeys(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const pairs = Object.entries(value).map(([name, field]) => [name, sortKeys(field)] as const);
  return pairs.sort(([one], [other]) => (one < other ? -1 : 1));
}

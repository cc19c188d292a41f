import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { ids } from "@madang/client";
import { readManifest } from "../../data/files/manifest";
import type { Row } from "../../data/tables/column";
import { formats, locate, readEntries } from "../../data/tables/read-rows";
import { isNewestFirst, type Kind, kinds, type Problem, type RowEntry } from "../../data/tables/tables";
import { CommandError, exitCodes } from "../../terminal/exit-codes";

/** A file to import. */
export interface Source {
  /** Below the folder. */
  readonly path: string;
  readonly kind: Kind;
  /** Of a file below `messages/`: its rows need no `channel_id`. */
  readonly channelId?: string;
  /** The rows in the order in which they came about. */
  entries(): AsyncGenerator<(RowEntry | Problem)[]>;
}

/** The rows of a file that was checked: one with a problem was changed meanwhile. */
export async function* rowsOf({ path, entries }: Source): AsyncGenerator<RowEntry> {
  for await (const batch of entries())
    for (const entry of batch)
      if ("row" in entry) yield entry;
      else throw new CommandError(`${locate(path, entry.line)}: ${entry.problem}`);
}

/** The files of an export, or those with the names that an export uses. The ids of their rows can be encoded as they are read. */
export async function findSources(dir: string, encodesIds = false): Promise<Source[]> {
  const sources = await findUnchanged(dir);
  return encodesIds ? sources.map(encodeIds) : sources;
}

function encodeIds({ channelId, ...source }: Source): Source {
  return {
    ...source,
    ...(channelId !== undefined && { channelId: ids.encode(channelId) }),
    async *entries() {
      for await (const batch of source.entries())
        yield batch.map((entry) => ("row" in entry ? { ...entry, row: encodeIdsOf(entry.row) } : entry));
    },
  };
}

function encodeIdsOf(row: Row): Row {
  const { user, mentions } = row;
  const encoded = {
    ...row,
    ...(Array.isArray(mentions) && { mentions: mentions.map(encodeId) }),
    ...(Object(user) === user && { user: encodeIdsOf(Object(user)) }),
  };
  for (const name of ["user_id", "channel_id", "blocked_user_id"])
    if (name in row) Object.assign(encoded, { [name]: encodeId(row[name]) });
  return encoded;
}

/** What is no name stays, and is a problem of its row. */
const encodeId = (value: unknown): unknown =>
  typeof value === "string" && value !== "" && value.isWellFormed() ? ids.encode(value) : value;

async function findUnchanged(dir: string): Promise<Source[]> {
  const manifest = await readManifest(dir);
  const sources =
    manifest === undefined
      ? await findFiles(dir)
      : manifest.files
          .filter(({ channel_id = "" }) => !manifest.missing_channels.includes(channel_id))
          .map(({ path, kind, channel_id }) =>
            createSource(dir, path, kind, channel_id, isNewestFirst(kind)),
          );
  if (sources.length === 0)
    throw new CommandError(
      `${dir} has nothing to import. It needs files such as users.ndjson, channels.ndjson and messages/<channel_id>.ndjson.`,
      exitCodes.notFound,
    );
  return sources;
}

async function findFiles(dir: string): Promise<Source[]> {
  const names = await readdir(dir).catch(() => {
    throw new CommandError(`${dir} is not a folder that can be read.`, exitCodes.notFound);
  });
  const sources = kinds.flatMap((kind) =>
    formats
      .map((format) => `${kind}.${format}`)
      .filter((name) => names.includes(name))
      .map((name) => createSource(dir, name, kind, undefined, false)),
  );
  const inMessages = names.includes(messagesFolder) ? await readdir(join(dir, messagesFolder)) : [];
  for (const name of inMessages.filter(isVisible).sort()) {
    const [, channelId] = extension.exec(name) ?? [];
    if (channelId === undefined) throw explainName(dir, `${messagesFolder}/${name}`);
    sources.push(createSource(dir, `${messagesFolder}/${name}`, "messages", channelId, false));
  }
  const read = new Set([...sources.map(({ path }) => path), messagesFolder]);
  const passedOver = names.find((name) => !read.has(name) && kindPattern.test(name));
  if (passedOver !== undefined) throw explainName(dir, passedOver);
  return sources;
}

const messagesFolder = "messages";
const extension = new RegExp(`^(.+)\\.(?:${formats.join("|")})$`);
/** A name that is meant to be one of those that are read, such as `messages.jsonl`. */
const kindPattern = new RegExp(`^(?:${kinds.join("|")})(?:\\.|$)`, "i");

/** Operating systems keep files of their own, such as `._room_1.csv` and `.DS_Store`. */
const isVisible = (name: string) => !name.startsWith(".");

const explainName = (dir: string, path: string) =>
  new CommandError(
    `${join(dir, path)} would not be read. Rename it, or take it away: names are lower-case, and end with ${formats.map((format) => `.${format}`).join(", ")}.`,
  );

function createSource(
  dir: string,
  path: string,
  kind: Kind,
  channelId: string | undefined,
  isReversed: boolean,
): Source {
  return {
    path,
    kind,
    ...(channelId !== undefined && { channelId }),
    entries: () => readEntries(join(dir, path), kind, isReversed),
  };
}

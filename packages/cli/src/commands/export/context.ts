import { type CallOptions, type ChatClient, isChatError } from "@madang/client";
import type { DayRange } from "../../data/files/manifest";
import type { Row } from "../../data/tables/column";
import { type Format, readRows } from "../../data/tables/read-rows";
import type { Io } from "../../terminal/io";
import type { Journal } from "./journal";
import { spoolPath } from "./spool";

export interface ExportOptions {
  readonly dir: string;
  readonly server: string;
  /** Undefined: all. */
  readonly channels: readonly string[] | undefined;
  readonly format: Format;
  readonly hasByteOrderMark: boolean;
  readonly range: DayRange;
  /** Whether the files of messages are saved, too. */
  readonly hasFiles: boolean;
  /** Whether the blocks and preferences of the users are exported, too. */
  readonly hasOwn: boolean;
  /** The origins from which files are fetched, besides that of the server. */
  readonly filesFrom: readonly string[];
  readonly concurrency: number;
  readonly now: () => number;
}

/** What the parts of an export share. */
export interface ExportContext {
  readonly chat: ChatClient;
  readonly io: Io;
  readonly callOptions: CallOptions;
  readonly options: ExportOptions;
  readonly journal: Journal;
  readonly note: (text: string) => void;
}

/** The result of work on a channel, or undefined when the channel was deleted meanwhile. */
export async function unlessMissing<Result>(
  { journal, note }: ExportContext,
  channelId: string,
  work: Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (!isChatError(error) || error.code !== "channel_not_found") throw error;
    note(
      `The channel ${channelId} was deleted meanwhile. The export leaves it out; nothing has to be repeated.`,
    );
    await journal.add({ missing: channelId });
    return undefined;
  }
}

/** The exported channels. Their spool is there until everything else has been exported. */
export function readChannels({ options }: ExportContext): AsyncGenerator<Row[]> {
  return readRows(spoolPath(options.dir, "channels"), "channels");
}

export async function* readChannelIds(context: ExportContext): AsyncGenerator<string> {
  for await (const rows of readChannels(context)) for (const { channel_id } of rows) yield String(channel_id);
}

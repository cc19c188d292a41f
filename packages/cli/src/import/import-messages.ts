import {
  type CallOptions,
  type ChatClient,
  type ImportedMessage,
  type ImportedTextMessage as ImportedText,
  isChatError,
} from "@madang/client";
import type { RowEntry } from "../data/tables";
import { attachmentsOf, type ExportedAttachment, isSaved, savedPath } from "../files/saved-files";
import { locateRow } from "./check-sources";
import { type MessageToImport, readMessage } from "./read-message";
import { explainRejection } from "./rejection";
import { rowsOf, type Source } from "./sources";

const maxMessages = 500;
/** Below the limit of the service, which counts the rest of the body too. */
const maxBytes = 7_000_000;
/** Below that for values, of which parts may have many. */
const maxValues = 40_000;
/** What all files together hold back until a batch is full, as JSON. A file may have messages of thousands of channels. */
const maxBufferedBytes = 8_000_000;

export interface ImportedCounts {
  imported: number;
  /** Messages that the service had already. */
  skipped: number;
  /** What was left out of messages, because it names a message or a user that does not exist. */
  replies: number;
  mentions: number;
}

export interface MessageImport {
  readonly chat: ChatClient;
  readonly callOptions: CallOptions;
  readonly onMissingChannel: (channelId: string) => void;
  readonly onImported: (counts: ImportedCounts) => void;
  /** The folder, which may have the files of the messages. */
  readonly dir: string;
  readonly onFilesLeftOut: (count: number) => void;
  /** Shared by the files that are imported at the same time. */
  readonly buffered: { bytes: number };
}

/** Imports the messages of a file. Their order, and that of messages of one millisecond, stays the same. */
export async function importMessages(source: Source, deps: MessageImport): Promise<void> {
  const { buffered } = deps;
  const batches = new Map<string, Batch>();
  /** The `external_id` of each exported message that has one and has replies, by its id: replies name the id. */
  const renamed = new Map<string, string>();
  for await (const entry of rowsOf(source)) {
    const { channelId, message: read } = readMessage(entry.row, source.channelId);
    const { message_id, external_id, reply_count, reply_to } = entry.row;
    if (external_id !== undefined && reply_count !== undefined)
      renamed.set(String(message_id), String(external_id));
    const parent = renamed.get(String(reply_to));
    const linked = parent === undefined ? read : { ...read, reply_to: parent };
    const files = attachmentsOf(entry.row);
    // Only an exported row knows their sizes. Another one names files that were put into the channel before.
    const isExported = files.some(({ size }) => size !== undefined);
    const message = isExported ? await withFiles(linked, channelId, files) : linked;
    const bytes = Buffer.byteLength(JSON.stringify(message));
    const values = countValues(message);
    let batch = batches.get(channelId) ?? createBatch(channelId);
    const isFull =
      batch.messages.length === maxMessages ||
      batch.bytes + bytes > maxBytes ||
      batch.values + values > maxValues;
    // A message that is too large alone is rejected with its own line.
    if (isFull && batch.messages.length > 0) {
      await send(batch);
      batch = createBatch(channelId);
    }
    batch.messages.push({ message, line: entry.line });
    batch.bytes += bytes;
    batch.values += values;
    buffered.bytes += bytes;
    batches.set(channelId, batch);
    while (buffered.bytes > maxBufferedBytes && batches.size > 0) await send(findLargest(batches));
  }
  for (const batch of batches.values()) await send(batch);

  /** Uploads the files of a message. Without their bytes, it has their names as its text if it has no other. */
  async function withFiles(
    message: ImportedMessage,
    channelId: string,
    files: readonly ExportedAttachment[],
  ): Promise<ImportedMessage> {
    const { attachments, ...others } = message as ImportedText;
    for (const file of files)
      if (!(await isSaved(deps.dir, file))) {
        deps.onFilesLeftOut(files.length);
        const names = files.map(({ name }) => name).join(", ");
        return others.content || others.parts ? others : { ...others, content: names };
      }
    const uploaded: { file_id: string }[] = [];
    for (const file of files) {
      const { name, type } = file;
      const { file_id } = await deps.chat.files.upload(channelId, savedPath(deps.dir, file), {
        ...deps.callOptions,
        name,
        type,
      });
      uploaded.push({ file_id });
    }
    return { ...others, attachments: uploaded };
  }

  async function send(batch: Batch): Promise<void> {
    batches.delete(batch.channelId);
    await sendBatch(source, batch, deps).finally(() => {
      buffered.bytes -= batch.bytes;
    });
  }
}

type Entry = Pick<MessageToImport, "message"> & Pick<RowEntry, "line">;

interface Batch {
  readonly channelId: string;
  readonly messages: Entry[];
  bytes: number;
  values: number;
}

const createBatch = (channelId: string): Batch => ({ channelId, messages: [], bytes: 0, values: 0 });

function countValues(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((count: number, each: unknown) => count + countValues(each), 1);
}

const findLargest = (batches: ReadonlyMap<string, Batch>): Batch =>
  [...batches.values()].reduce((one, other) => (other.bytes > one.bytes ? other : one));

async function sendBatch(source: Source, batch: Batch, deps: MessageImport): Promise<void> {
  const { channelId } = batch;
  const removed = { replies: 0, mentions: 0 };
  for (let { messages } = batch; ; ) {
    try {
      const sent = messages.map(({ message }) => message);
      const counts = await deps.chat.imports.messages(channelId, sent, deps.callOptions);
      return deps.onImported({ ...counts, ...removed });
    } catch (error) {
      if (!isChatError(error)) throw error;
      if (error.code === "channel_not_found") return deps.onMissingChannel(channelId);
      const [, index = "0", field, place] =
        /^messages\.(\d+)\.(?:(reply_to|mentions)(?:\.(\d+))?$)?/.exec(error.errors?.[0]?.path ?? "") ?? [];
      const rejected = messages[Number(index)];
      if (rejected === undefined || field === undefined || error.status !== 404)
        throw explainRejection(error, locateRow(source, rejected?.line ?? 0, { channel_id: channelId }));
      if (field === "reply_to") {
        messages = withoutReplies(messages, Number(index));
        removed.replies = countReplies(batch.messages) - countReplies(messages);
      } else {
        // The server counts duplicates once.
        const user = [...new Set(rejected.message.mentions)][Number(place)];
        messages = messages.map((entry) => withoutMention(entry, user));
        removed.mentions = countMentions(batch.messages) - countMentions(messages);
      }
    }
  }
}

/** System messages have no such field. */
const parentOf = ({ message }: Entry) => ("reply_to" in message ? message.reply_to : undefined);
const countReplies = (messages: readonly Entry[]) => messages.filter(parentOf).length;
const countMentions = (messages: readonly Entry[]) =>
  messages.reduce((sum, { message }) => sum + (message.mentions?.length ?? 0), 0);

/**
 * The messages as no replies to what one of them replies to: an export has replies to messages that were deleted. A reply
 * that follows its message in the batch stays one.
 */
function withoutReplies(messages: readonly Entry[], index: number): Entry[] {
  const parent = messages.map(parentOf)[index];
  const place = messages.findIndex(({ message }) => message.external_id === parent);
  return messages.map((entry, at) => {
    if (!("reply_to" in entry.message) || entry.message.reply_to !== parent) return entry;
    const { reply_to: _, ...message } = entry.message;
    return at === index || place === -1 || at < place ? { ...entry, message } : entry;
  });
}

/** The message without a mention: an export has mentions of users who were deleted. */
function withoutMention(entry: Entry, user: string | undefined): Entry {
  const { mentions = [], ...message } = entry.message;
  const kept = mentions.filter((mention) => mention !== user);
  return { ...entry, message: kept.length > 0 ? { ...message, mentions: kept } : message };
}

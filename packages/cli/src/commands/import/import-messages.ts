import {
  type CallOptions,
  type ChatClient,
  type ImportedMessage,
  type ImportedTextMessage as ImportedText,
  isChatError,
} from "@madang/client";
import { limits } from "@madang/contract/limits";
import { chunks } from "../../data/lists/list-by-ids";
import type { RowEntry } from "../../data/tables/tables";
import { attachmentsOf, type ExportedAttachment, isSaved, savedPath } from "../files/saved-files";
import { locateRow } from "./check-sources";
import { type MessageToImport, nameFiles, readMessage } from "./read-message";
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
    const { channelId, message: read, obstacle } = readMessage(entry.row, source.channelId);
    if (obstacle !== undefined) continue;
    const { message_id, external_id, reply_count, reply_to } = entry.row;
    if (external_id !== undefined && reply_count !== undefined)
      renamed.set(String(message_id), String(external_id));
    const parent = renamed.get(String(reply_to));
    const message = parent === undefined ? read : { ...read, reply_to: parent };
    const files = attachmentsOf(entry.row);
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
    // Only an exported row knows their sizes. Another one names files that were put into the channel before.
    const hasOwnFiles = files.some(({ size }) => size !== undefined);
    batch.messages.push({ message, line: entry.line, files: hasOwnFiles ? files : [] });
    batch.bytes += bytes;
    batch.values += values;
    buffered.bytes += bytes;
    batches.set(channelId, batch);
    while (buffered.bytes > maxBufferedBytes && batches.size > 0) await send(findLargest(batches));
  }
  for (const batch of batches.values()) await send(batch);

  async function send(batch: Batch): Promise<void> {
    batches.delete(batch.channelId);
    try {
      if (await addFiles(batch, deps)) await sendBatch(source, batch, deps);
    } finally {
      buffered.bytes -= batch.bytes;
    }
  }
}

interface Entry extends Pick<MessageToImport, "message">, Pick<RowEntry, "line"> {
  /** Those to upload. */
  readonly files: readonly ExportedAttachment[];
}

interface Batch {
  readonly channelId: string;
  messages: Entry[];
  bytes: number;
  values: number;
}

const createBatch = (channelId: string): Batch => ({ channelId, messages: [], bytes: 0, values: 0 });

/** Uploads the files of messages that the channel does not have yet. Returns whether there is the channel. */
async function addFiles(batch: Batch, deps: MessageImport): Promise<boolean> {
  const withFiles = batch.messages.filter(({ files }) => files.length > 0);
  try {
    const known = await findKnown(batch.channelId, withFiles, deps);
    const entries: Entry[] = [];
    for (const entry of batch.messages) {
      const { message, files } = entry;
      // Of a message that is skipped, the files are never read.
      const isKnown = files.length > 0 && known.has(String(message.external_id));
      const added = files.length === 0 ? message : await withFilesOf(entry, batch.channelId, isKnown, deps);
      entries.push({ ...entry, message: added });
    }
    batch.messages = entries;
    return true;
  } catch (error) {
    if (!isChatError(error) || error.code !== "channel_not_found") throw error;
    deps.onMissingChannel(batch.channelId);
    return false;
  }
}

/** The `external_id` of each of the messages that the channel has. */
async function findKnown(
  channelId: string,
  entries: readonly Entry[],
  { chat, callOptions }: MessageImport,
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  const ids = entries.map(({ message }) => String(message.external_id));
  // A list cannot name an id with a comma: such a message is uploaded again.
  for await (const external_ids of chunks(
    ids.filter((id) => !id.includes(",")),
    limits.idsPerList.max,
  ))
    for (const message of await chat.messages
      .list(channelId, { external_ids }, callOptions)
      .toArray({ max: external_ids.length }))
      if (message.external_id !== undefined) known.add(message.external_id);
  return known;
}

/** Without the bytes of its files, a message has their names as its text if it has no other. */
async function withFilesOf(
  { message, files }: Entry,
  channelId: string,
  isKnown: boolean,
  { chat, callOptions, dir, onFilesLeftOut }: MessageImport,
): Promise<ImportedMessage> {
  const { attachments, ...others } = message as ImportedText;
  const saved = await Promise.all(files.map((file) => isSaved(dir, file)));
  const isComplete = saved.every(Boolean);
  if (!isComplete && !isKnown) onFilesLeftOut(files.length);
  if (!isComplete || isKnown) return { ...others, ...nameFiles(others, files) };
  const uploaded: { file_id: string }[] = [];
  for (const file of files) {
    const { name, type } = file;
    const { file_id } = await chat.files.upload(channelId, savedPath(dir, file), {
      ...callOptions,
      name,
      type,
    });
    uploaded.push({ file_id });
  }
  return { ...others, attachments: uploaded };
}

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

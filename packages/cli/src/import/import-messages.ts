import { type CallOptions, type ChatClient, isChatError } from "@madang/client";
import type { Row, RowEntry } from "../data/tables";
import { locateRow } from "./check-sources";
import { type MessageToImport, readMessage } from "./read-message";
import { explainRejection } from "./rejection";
import { rowsOf, type Source } from "./sources";

const maxMessages = 500;
/** Below the limit of the service, which counts the rest of the body too. */
const maxBytes = 7_000_000;
/** What all files together hold back until a batch is full, as JSON. A file may have messages of thousands of channels. */
const maxBufferedBytes = 8_000_000;

export interface ImportedCounts {
  imported: number;
  /** Messages that the service had already. */
  skipped: number;
}

export interface MessageImport {
  readonly chat: ChatClient;
  readonly callOptions: CallOptions;
  readonly createUser: (user: Row) => Promise<void>;
  readonly onMissingChannel: (channelId: string) => void;
  readonly onImported: (counts: ImportedCounts) => void;
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
    const { channelId, message: read, sender } = readMessage(entry.row, source.channelId);
    const { message_id, external_id, reply_count, reply_to } = entry.row;
    if (external_id !== undefined && reply_count !== undefined)
      renamed.set(String(message_id), String(external_id));
    const parent = renamed.get(String(reply_to));
    const message = parent === undefined ? read : { ...read, reply_to: parent };
    const bytes = Buffer.byteLength(JSON.stringify(message));
    let batch = batches.get(channelId) ?? { channelId, messages: [], bytes: 0 };
    if (batch.messages.length === maxMessages || batch.bytes + bytes > maxBytes) {
      await send(batch);
      batch = { channelId, messages: [], bytes: 0 };
    }
    batch.messages.push({ message, sender, line: entry.line });
    batch.bytes += bytes;
    buffered.bytes += bytes;
    batches.set(channelId, batch);
    while (buffered.bytes > maxBufferedBytes && batches.size > 0) await send(findLargest(batches));
  }
  for (const batch of batches.values()) await send(batch);

  async function send(batch: Batch): Promise<void> {
    batches.delete(batch.channelId);
    await sendBatch(source, batch, deps).finally(() => {
      buffered.bytes -= batch.bytes;
    });
  }
}

interface Batch {
  readonly channelId: string;
  readonly messages: (Pick<MessageToImport, "message" | "sender"> & Pick<RowEntry, "line">)[];
  bytes: number;
}

const findLargest = (batches: ReadonlyMap<string, Batch>): Batch =>
  [...batches.values()].reduce((one, other) => (other.bytes > one.bytes ? other : one));

async function sendBatch(source: Source, batch: Batch, deps: MessageImport): Promise<void> {
  const { channelId } = batch;
  const created = new Set<string>();
  for (let { messages } = batch; ; ) {
    try {
      const sent = messages.map(({ message }) => message);
      deps.onImported(await deps.chat.imports.messages(channelId, sent, deps.callOptions));
      return;
    } catch (error) {
      if (!isChatError(error)) throw error;
      if (error.code === "channel_not_found") return deps.onMissingChannel(channelId);
      const left = withoutMissing(messages, error.errors);
      if (left !== undefined) {
        messages = left;
        continue;
      }
      const rejected = findRejected(messages, error.errors);
      const sender = error.code === "user_not_found" ? rejected?.sender : undefined;
      const id = String(sender?.user_id);
      // A sender who is deleted again and again ends the import.
      if (sender === undefined || created.has(id)) {
        const line = (rejected ?? messages[0])?.line ?? 0;
        throw explainRejection(error, locateRow(source, line, { channel_id: channelId }));
      }
      created.add(id);
      await deps.createUser(sender);
    }
  }
}

/**
 * The messages without what an error names: a message that they reply to, or a user that they mention. An export has replies
 * to messages that were deleted, and mentions of users who were.
 */
function withoutMissing(
  messages: Batch["messages"],
  errors: readonly { readonly path: string }[] = [],
): Batch["messages"] | undefined {
  const [, index, field, place] =
    /^messages\.(\d+)\.(reply_to|mentions)(?:\.(\d+))?$/.exec(errors[0]?.path ?? "") ?? [];
  if (field === undefined) return undefined;
  const named: Row = Object(messages[Number(index)]?.message);
  const users: readonly unknown[] = Array.isArray(named.mentions) ? named.mentions : [];
  const missing = field === "reply_to" ? named.reply_to : users[Number(place)];
  return messages.map((entry) => {
    const { [field]: value, ...others } = { ...entry.message } as Row;
    const kept = Array.isArray(value) ? value.filter((user) => user !== missing) : value;
    const isGone = kept === undefined || kept === missing || (Array.isArray(kept) && kept.length === 0);
    // Only what the error names was removed; the server checks the rest again.
    const message: object = { ...others, ...(!isGone && { [field]: kept }) };
    return { ...entry, message: message as MessageToImport["message"] };
  });
}

/** The message that an error names, such as `messages.17.user_id`. */
function findRejected(
  messages: Batch["messages"],
  errors: readonly { readonly path: string }[] = [],
): Batch["messages"][number] | undefined {
  const [, index] = /^messages\.(\d+)\./.exec(errors[0]?.path ?? "") ?? [];
  return index === undefined ? undefined : messages[Number(index)];
}

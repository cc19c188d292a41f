import { type CallOptions, type ChatClient, isChatError } from "@madang/client";
import type { Row } from "../data/tables";
import { CommandError } from "../exit-codes";
import { findProblemOfMessage, nameRow } from "./find-problem";
import { type MessageToImport, readMessage } from "./read-message";
import type { Source } from "./sources";

const maxMessages = 500;
/** Below the limit of the service, which counts the rest of the body too. */
const maxBytes = 7_000_000;

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
}

/** Imports the messages of a file. Their order, and that of messages of one millisecond, stays the same. */
export async function importMessages(source: Source, deps: MessageImport): Promise<void> {
  const batches = new Map<string, Batch>();
  for await (const rows of source.rows())
    for (const row of rows) {
      const message = readMessage(row, source.channelId);
      const problem = findProblemOfMessage(message);
      if (problem !== undefined) throw new CommandError(`${source.path}: ${nameRow(row)}: ${problem}`);
      const bytes = Buffer.byteLength(JSON.stringify(message.message));
      const batch = batches.get(message.channelId) ?? { messages: [], bytes: 0 };
      batches.set(message.channelId, batch);
      if (batch.messages.length === maxMessages || batch.bytes + bytes > maxBytes)
        await sendBatch(message.channelId, batch, deps);
      batch.messages.push(message);
      batch.bytes += bytes;
    }
  for (const [channelId, batch] of batches) await sendBatch(channelId, batch, deps);
}

interface Batch {
  messages: MessageToImport[];
  bytes: number;
}

async function sendBatch(channelId: string, batch: Batch, deps: MessageImport): Promise<void> {
  const { messages } = batch;
  batch.messages = [];
  batch.bytes = 0;
  const created = new Set<string>();
  for (;;) {
    try {
      const sent = messages.map(({ message }) => message);
      deps.onImported(await deps.chat.imports.messages(channelId, sent, deps.callOptions));
      return;
    } catch (error) {
      if (!isChatError(error)) throw error;
      if (error.code === "channel_not_found") return deps.onMissingChannel(channelId);
      const sender = error.code === "user_not_found" ? findSender(messages, error.errors) : undefined;
      const id = String(sender?.user_id);
      // A sender who is deleted again and again ends the import.
      if (sender === undefined || created.has(id)) throw error;
      created.add(id);
      await deps.createUser(sender);
    }
  }
}

/** The sender that an error names, such as `messages.17.user_id`. */
function findSender(
  messages: readonly MessageToImport[],
  errors: readonly { readonly path: string }[] = [],
): Row | undefined {
  const [, index] = /^messages\.(\d+)\.user_id$/.exec(errors[0]?.path ?? "") ?? [];
  return index === undefined ? undefined : messages[Number(index)]?.sender;
}

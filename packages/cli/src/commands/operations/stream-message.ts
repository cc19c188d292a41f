import { addAbortSignal } from "node:stream";
import {
  type CallOptions,
  type ChatClient,
  type Message,
  MessageEndedError,
  type NewStreamedMessage,
} from "@madang/client";
import type { Io } from "../../terminal/io";

/** Writes a message from standard input while it arrives. Ctrl-C, and an input that breaks off, cancel it. */
export async function streamMessage(
  chat: ChatClient,
  channelId: string,
  message: NewStreamedMessage,
  { stdin, signal }: Io,
  options: CallOptions,
): Promise<Message> {
  const writer = await chat.messages.stream(channelId, message, options);
  try {
    // Characters may be cut between two chunks.
    stdin.setEncoding("utf8");
    addAbortSignal(AbortSignal.any([signal, writer.signal]), stdin);
    await writer.append(stdin);
    return await writer.finish();
  } catch (error) {
    const reason: unknown = writer.signal.aborted ? writer.signal.reason : error;
    if (!(reason instanceof MessageEndedError)) await writer.cancel().catch(() => undefined);
    throw reason;
  }
}

import { isChatError } from "../errors/chat-error";
import type { AppendedEvent, ChatEvent, Message } from "../generated/types";
import type { ReceivedAppend } from "./listen-options";

/** A message without an append for 60 seconds has ended. */
const forgetMs = 90_000;

interface GrowingText {
  readonly content: string;
  /** How many appends it contains. */
  readonly count: number;
  readonly readAt: number;
}

/** The texts of the messages that are being written, as far as a listener knows them. */
export class GrowingTexts {
  readonly #read: (channelId: string, messageId: string) => Promise<Message>;
  /** By the id of the message. The one that has grown last is the last. */
  readonly #texts = new Map<string, GrowingText>();

  /** @param read Reads a message. */
  constructor(read: (channelId: string, messageId: string) => Promise<Message>) {
    this.#read = read;
  }

  /** Takes what an event of the feed says about a message. */
  take({ type, data }: ChatEvent): void {
    // They have no message in any case.
    if (type === "reaction.added" || type === "reaction.removed") return;
    const { message_id, message } = Object(data);
    // Without the message, it was deleted.
    if (message_id !== undefined) this.#set(message_id, message);
  }

  /** The text with what was appended, or undefined when nothing in it is new. Reads the message after a gap. */
  async append(event: AppendedEvent): Promise<ReceivedAppend | undefined> {
    const { message_id, index, contents } = event.data;
    const known = this.#texts.get(message_id);
    if (known === undefined || index > known.count) {
      this.#set(message_id, await this.#find(event));
    } else {
      const added = contents.slice(known.count - index);
      if (added.length === 0) return undefined;
      this.#store(message_id, known.content + added.join(""), known.count + added.length);
    }
    const text = this.#texts.get(message_id);
    return text && { ...event, content: text.content };
  }

  /** Undefined if it does not exist any more, or cannot be read now: the next append brings its text, or its end. */
  #find({ channel_id, data }: AppendedEvent): Promise<Message | undefined> {
    return this.#read(channel_id, data.message_id).catch((error: unknown) => {
      if (isChatError(error) && (error.retryable || error.status === 404)) return undefined;
      throw error;
    });
  }

  #set(messageId: string, message: Message | undefined): void {
    if (message === undefined || message.type === "file" || message.state !== "streaming") {
      this.#texts.delete(messageId);
      return;
    }
    const { content, append_count: count = 0 } = message;
    // The event of the beginning may arrive after the first appends.
    if (count > (this.#texts.get(messageId)?.count ?? -1)) this.#store(messageId, content, count);
  }

  #store(messageId: string, content: string, count: number): void {
    const now = performance.now();
    this.#texts.delete(messageId);
    this.#texts.set(messageId, { content, count, readAt: now });
    for (const [oldest, { readAt }] of this.#texts) {
      if (readAt > now - forgetMs) break;
      this.#texts.delete(oldest);
    }
  }
}

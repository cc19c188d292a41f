import { isChatError } from "../errors/chat-error";
import { AbortError, isApiError, MessageEndedError, ValidationError } from "../errors/errors";
import type {
  Finish,
  Message,
  NewSystemMessage,
  NewTextMessage,
  SystemMessage,
  TextMessage,
} from "../generated/types";
import type { CallOptions } from "../options";
import type { Signal } from "../platform";
import type { Api } from "./api";

/** The beginning of a message that is written while people read. */
export type NewStreamedMessage = Omit<NewTextMessage, "streaming"> | Omit<NewSystemMessage, "streaming">;

/** What a message gets at its end. `content` replaces what was appended; absent fields stay as they are. */
export type Ending = Omit<Finish, "state">;

/** In UTF-16 units. The service accepts as many characters, each of which has one unit or two. */
const maxAppendLength = 16_384;
/** The service accepts 50 appends a second of a message. */
const minPauseMs = 20;

/**
 * Writes a message while people read, as `chat.messages.stream` returns it. What is written while a request runs, or within 20 ms,
 * goes into the next one. After a failure that may pass, the same append is sent again with the next call, and stored once: do not append its text again.
 *
 * A message that was interrupted, because it had no append for 60 seconds, grows no more before its readers; `finish` completes it.
 */
export class MessageWriter {
  /** The id of the message. */
  readonly messageId: string;
  /** Aborted when the message cannot be written any more: pass it to what produces the text. */
  readonly signal: Signal;
  readonly #api: Api;
  readonly #path: { readonly channel_id: string; readonly message_id: string };
  readonly #options: CallOptions;
  readonly #stopped = new AbortController();
  /** How many appends are stored. */
  #index: number;
  #content: string;
  /** Waits for the request that runs. */
  #waiting = "";
  /** The append that is sent, and sent again in exactly this form until its response arrives. */
  #current = "";
  #running: Promise<void> | undefined;
  /** When the last append was sent, by a monotonic clock. */
  #sentAt = Number.NEGATIVE_INFINITY;
  /** The message, once it was interrupted. */
  #interrupted: TextMessage | SystemMessage | undefined;
  #failure: unknown;

  /** @internal */
  constructor(api: Api, message: Message, { idempotencyKey: _, ...options }: CallOptions = {}) {
    if (message.type === "file" || (message.state !== "streaming" && message.state !== "interrupted"))
      throw new ValidationError("message", "Must have the state `streaming` or `interrupted`.");
    const { channel_id, message_id, content, append_count = 0 } = message;
    this.messageId = message_id;
    this.signal = this.#stopped.signal;
    this.#api = api;
    this.#path = { channel_id, message_id };
    this.#options = options;
    this.#index = append_count;
    this.#content = content;
    if (message.state === "interrupted") this.#interrupted = message;
  }

  /** The text so far, without what is not stored yet. */
  get content(): string {
    return this.#content;
  }

  /**
   * Appends text. Half of a surrogate pair waits for the other half. You may wait for each call, or only for `finish`: an error that does
   * not pass is that of all later calls, too.
   *
   * Throws `MessageEndedError` when somebody has stopped the message, `NotFoundError` when it was deleted, `ConflictError` when another
   * writer appends (`append_out_of_order`) or the text is too long (`content_limit_exceeded`), and what `messages.send` throws.
   *
   * @param text A text, or texts as they arrive, such as the `textStream` of a language model.
   * @returns When all of it is stored.
   * @example
   * const writer = await chat.messages.stream("room_1", { user_id: "kim_01", type: "text" });
   * await writer.append("See you at noon.");
   */
  append(text: string | AsyncIterable<string>): Promise<void> {
    const stored = typeof text === "string" ? this.#add(text) : this.#addAll(text);
    // A caller that does not wait for it must not end its process.
    stored.catch(() => undefined);
    return stored;
  }

  /**
   * Ends the message, after what was appended is stored. Throws what `append` throws.
   *
   * @param ending `parts` and `meta` of the whole message, and `content` if it is not what was appended.
   * @example
   * const writer = await chat.messages.stream("room_1", { user_id: "kim_01", type: "text", content: "See you." });
   * const message = await writer.finish();
   */
  async finish(ending: Ending = {}): Promise<Message> {
    // Half of a surrogate pair whose other half never came.
    this.#waiting = toWellFormed(this.#waiting);
    await this.#add("");
    return (await this.#end({ state: "done", ...ending })) ?? this.#complete(ending);
  }

  /**
   * Stops the message, also after the signal of the caller was aborted. What was appended and is not sent yet is dropped. One that was
   * interrupted stays so.
   *
   * @param ending `parts`, `meta` and `content`, as in `finish`.
   * @example
   * const writer = await chat.messages.stream("room_1", { user_id: "kim_01", type: "text" });
   * await writer.cancel();
   */
  async cancel(ending: Ending = {}): Promise<Message> {
    this.#waiting = "";
    const operation = "messages.append";
    this.#fail(new AbortError("abort", `${operation}: the message was cancelled.`, { operation }));
    await this.#running?.catch(() => undefined);
    const options = { ...this.#options, signal: undefined };
    return (await this.#end({ state: "cancelled", ...ending }, options)) ?? this.#requireInterrupted();
  }

  async #add(text: string): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    this.#waiting += text;
    this.#running ??= this.#send();
    await this.#running;
  }

  async #addAll(texts: AsyncIterable<string>): Promise<void> {
    for await (const text of texts) {
      if (this.#failure !== undefined) throw this.#failure;
      this.append(text);
    }
    await this.#add("");
  }

  /** Sends what waits, one request after the other, until nothing does. */
  async #send(): Promise<void> {
    // The texts that are appended in the same turn go together.
    await undefined;
    try {
      while (this.#current !== "" || this.#waiting !== "") {
        await this.#pause();
        if (this.#takeNext() === "") break;
        const body = { index: this.#index, content: this.#current };
        const appended = await this.#request(() =>
          this.#api.callWithin("messages.append", { path: this.#path, body }, this.#options),
        );
        this.#index = appended?.append_count ?? this.#index;
        this.#content += this.#current;
        this.#current = "";
      }
    } finally {
      this.#running = undefined;
    }
  }

  /** Waits until the next append may be sent. */
  async #pause(): Promise<void> {
    const waitMs = this.#sentAt + minPauseMs - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    this.#sentAt = performance.now();
  }

  /** What to send: the append that failed, otherwise as much of what waits as fits into one. */
  #takeNext(): string {
    if (this.#current !== "") return this.#current;
    const taken = takeWhole(this.#waiting);
    this.#waiting = this.#waiting.slice(taken.length);
    this.#current = toWellFormed(taken);
    return this.#current;
  }

  #end(body: Finish, options = this.#options): Promise<Message | undefined> {
    return this.#request(() => this.#api.callWithin("messages.finish", { path: this.#path, body }, options));
  }

  /** Edits a message that was interrupted, unless somebody else has edited it. */
  #complete({ content = this.#content, ...ending }: Ending): Promise<Message> {
    const body = { content, ...ending, if_updated_at: this.#requireInterrupted().updated_at };
    return this.#api.callWithin("messages.update", { path: this.#path, body }, this.#options);
  }

  /** Sends nothing once the message was interrupted, and then returns `undefined`. A failure that does not pass is that of all later calls. */
  async #request<Result>(send: () => Promise<Result>): Promise<Result | undefined> {
    if (this.#interrupted !== undefined) return undefined;
    try {
      return await send().catch((error: unknown) => this.#explain(error));
    } catch (error) {
      if (!isChatError(error) || !error.retryable) this.#fail(error);
      throw error;
    }
  }

  /** Throws why the message cannot be written, unless it was interrupted. */
  async #explain(error: unknown): Promise<undefined> {
    if (!isApiError(error) || error.code !== "message_not_streaming") throw error;
    const message = await this.#api.callWithin("messages.get", { path: this.#path }, this.#options);
    // Only texts are written.
    if (message.type === "file") throw error;
    // The append may have been stored although its response was lost.
    const isOwn = [this.#content, this.#content + this.#current].includes(message.content);
    if (!isOwn || message.state !== "interrupted") throw new MessageEndedError(error, message);
    this.#interrupted = message;
  }

  #requireInterrupted(): TextMessage | SystemMessage {
    if (this.#interrupted === undefined) throw new Error("The message was not interrupted.");
    return this.#interrupted;
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#stopped.abort(error);
  }
}

/** The beginning of a text that fits into one append, without half of a surrogate pair whose other half may follow. */
function takeWhole(text: string): string {
  const taken = text.slice(0, maxAppendLength);
  return /[\ud800-\udbff]$/.test(taken) ? taken.slice(0, -1) : taken;
}

/** The service accepts no lone surrogates: this replaces them, as a decoder of text does. */
const toWellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, "\ufffd");

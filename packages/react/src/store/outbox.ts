import {
  type ChatClient,
  createRandomId,
  isApiError,
  isChatError,
  type Message,
  type Messages,
  type NewMessage,
  type PhoneFile,
} from "@madang/client";
import { type Feed, patient } from "./feed";
import { pause } from "./pause";
import { createStore, type Store } from "./store";

/** A message to send. */
export interface Draft {
  /** The text: at most 65,536 characters. */
  readonly content?: string;
  /** Files to upload first, or what a phone knows about them: at most 10. */
  readonly files?: readonly (File | PhoneFile)[];
  /** The id of the message that it replies to. */
  readonly reply_to?: string;
  /** The ids of the users that it mentions. */
  readonly mentions?: readonly string[];
  /** What a text cannot hold: objects with a `type`. */
  readonly parts?: readonly { readonly type: string; readonly [name: string]: unknown }[];
  /** Key-value pairs. */
  readonly meta?: Readonly<Record<string, string>>;
}

/** A message that is not stored yet. */
export interface UnsentMessage {
  /** Its `external_id`: however often it is sent, it is stored once. */
  readonly key: string;
  readonly channelId: string;
  readonly draft: Draft;
  /** When it was written, in milliseconds since the Unix epoch. */
  readonly createdAt: number;
  readonly status: "sending" | "failed";
  /** Why it was rejected. */
  readonly error?: unknown;
  /** Which part of the files is uploaded: 0 to 1. */
  readonly progress?: number;
  /** The page was loaded again before its files were uploaded: it can only be discarded, and written again. */
  readonly isWithoutFiles?: boolean;
}

/** Gets a message that was stored, and whether it is deleted again. */
type SentListener = (message: Message, isDeleted: boolean) => void;

const filesLost = "The page was loaded again before the files were uploaded.";

/** How long the outbox waits after a failure that will pass. The client has waited and retried before. */
const pauseMs = 1_000;

/** The messages that are not stored yet. They are sent in their order, each once, also after a reload of the page. */
export class Outbox {
  readonly #chat: ChatClient;
  readonly #feed: Pick<Feed, "started" | "hasStarted">;
  readonly #sendMessage: Messages["send"];
  readonly #unsent = createStore<readonly UnsentMessage[]>([]);
  readonly #listeners = new Set<SentListener>();
  /** The channels that are being sent to. */
  readonly #busy = new Set<string>();
  /** How many bytes of each file are uploaded, by the key of the message. */
  readonly #uploaded = new Map<string, readonly number[]>();
  /** What may be stored and deleted already, by key: the response to its request may be older than that. */
  readonly #unsure = new Set<string>();
  #controller: AbortController | undefined;
  /** Absent until the user is known: another user of the tab must not send what this one wrote. */
  #userId: string | undefined;

  /**
   * @param chat The client to read with.
   * @param feed What is deleted before it starts is not known.
   * @param send Sends a message. Default: the client.
   */
  constructor(
    chat: ChatClient,
    feed: Pick<Feed, "started" | "hasStarted">,
    send: Messages["send"] = (channelId, message, options) => chat.messages.send(channelId, message, options),
  ) {
    this.#chat = chat;
    this.#feed = feed;
    this.#sendMessage = send;
  }

  /** Oldest first. */
  get unsent(): Store<readonly UnsentMessage[]> {
    return this.#unsent;
  }

  /** Calls a function with each message that was stored, before it leaves the outbox, until the returned one is called. */
  onSent(listener: SentListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Sends what there is, also from before a reload, until the controller is aborted. */
  run(userId: string, controller: AbortController): void {
    // The loops of an earlier controller have ended.
    if (this.#controller !== controller) this.#busy.clear();
    this.#controller = controller;
    this.restore(userId);
    for (const { channelId } of this.#unsent.get()) void this.#sendAll(channelId);
  }

  /** Shows what a user has not sent before a reload. It is sent once the service has said that this is the user. */
  restore(userId: string): void {
    if (this.#userId === userId) return;
    // What was written by another user, or before the user was known.
    const written = this.#userId === undefined ? this.#unsent.get() : [];
    this.#userId = userId;
    this.#unsent.set([...this.#readStored(), ...written]);
    this.#save();
  }

  /** Sends a message after those that wait for the same channel. */
  add(channelId: string, draft: Draft): void {
    const key = createRandomId();
    const progress = draft.files?.length ? { progress: 0 } : {};
    this.#unsent.set([
      ...this.#unsent.get(),
      { key, channelId, draft, createdAt: Date.now(), status: "sending", ...progress },
    ]);
    this.#save();
    void this.#sendAll(channelId);
  }

  /** Sends a message again that was rejected. */
  retry(key: string): void {
    const found = this.#unsent.get().find((unsent) => unsent.key === key);
    if (found === undefined || found.isWithoutFiles) return;
    this.#change(key, ({ error, ...unsent }) => ({ ...unsent, status: "sending" }));
    this.#save();
    void this.#sendAll(found.channelId);
  }

  /** Forgets a message. One that is on its way may be stored all the same. */
  discard(key: string): void {
    this.#uploaded.delete(key);
    this.#unsure.delete(key);
    this.#unsent.set(this.#unsent.get().filter((unsent) => unsent.key !== key));
    this.#save();
  }

  /** Something was deleted in a channel, or in all of them: it may be what is being sent there. */
  noteDeletion(deletedIn?: string): void {
    for (const { key, channelId } of this.#unsent.get())
      if (deletedIn === undefined || channelId === deletedIn) this.#unsure.add(key);
  }

  async #sendAll(channelId: string): Promise<void> {
    const signal = this.#controller?.signal;
    if (signal === undefined || signal.aborted || this.#busy.has(channelId)) return;
    this.#busy.add(channelId);
    for (;;) {
      const unsent = this.#unsent
        .get()
        .find((one) => one.channelId === channelId && one.status === "sending");
      if (unsent === undefined) break;
      try {
        const sent = await this.#send(unsent, signal);
        if (signal.aborted) return;
        if (sent) for (const listener of [...this.#listeners]) listener(sent.message, sent.isDeleted);
        this.discard(unsent.key);
      } catch (error) {
        this.#unsure.add(unsent.key);
        if (signal.aborted) return;
        if (isChatError(error) && error.retryable) await pause(error.retryAfterMs ?? pauseMs, signal);
        else {
          this.#change(unsent.key, (failed) => ({ ...failed, status: "failed", error }));
          this.#save();
        }
        if (signal.aborted) return;
      }
    }
    this.#busy.delete(channelId);
  }

  /** Returns the stored message, also when an earlier attempt has stored it. Undefined: it is deleted, and was never seen. */
  async #send(
    { key, channelId, draft }: UnsentMessage,
    signal: AbortSignal,
  ): Promise<{ readonly message: Message; readonly isDeleted: boolean } | undefined> {
    const { files = [], ...body } = draft;
    // However long the service cannot be reached.
    const options = { signal, ...patient };
    const message = { type: "text", user_id: this.#userId, external_id: key, ...body } as NewMessage;
    let sent: Message | undefined;
    if (!this.#feed.hasStarted) this.#unsure.add(key);
    try {
      sent = await this.#sendMessage(channelId, message, {
        ...options,
        // It stays known for a day when the message is deleted, and its `external_id` with it.
        idempotencyKey: key,
        ...(files.length > 0 && {
          files: files.map((file, index) => ({ file, onProgress: this.#progressOf(key, files, index) })),
        }),
      });
      if (!this.#unsure.has(key)) return { message: sent, isDeleted: false };
    } catch (error) {
      if (!isApiError(error) || error.code !== "external_id_exists") throw error;
    }
    for (;;) {
      await this.#feed.started;
      if (signal.aborted) return undefined;
      this.#unsure.delete(key);
      const list = this.#chat.messages.list(channelId, { external_ids: [key] }, options);
      const { items } = await list.firstPage();
      const stored = items[0] ?? sent;
      // Otherwise something was deleted while it was read.
      if (!this.#unsure.has(key)) return stored && { message: stored, isDeleted: items.length === 0 };
    }
  }

  #progressOf(key: string, files: NonNullable<Draft["files"]>, index: number): (sent: number) => void {
    const total = files.reduce((sum, { size = 0 }) => sum + size, 0);
    return (sent) => {
      const uploaded = [...(this.#uploaded.get(key) ?? files.map(() => 0))];
      uploaded[index] = sent;
      this.#uploaded.set(key, uploaded);
      // A phone may not know how large they are.
      if (total === 0) return;
      const progress = uploaded.reduce((sum, bytes) => sum + bytes, 0) / total;
      this.#change(key, (unsent) => ({ ...unsent, progress }));
    };
  }

  #change(key: string, change: (unsent: UnsentMessage) => UnsentMessage): void {
    this.#unsent.set(this.#unsent.get().map((unsent) => (unsent.key === key ? change(unsent) : unsent)));
  }

  get #storageKey(): string {
    return `madang unsent ${this.#userId}`;
  }

  #save(): void {
    if (this.#userId === undefined) return;
    const unsent = this.#unsent.get();
    try {
      if (unsent.length === 0) sessionStorage.removeItem(this.#storageKey);
      else sessionStorage.setItem(this.#storageKey, JSON.stringify(unsent));
    } catch {
      // Without storage, or when it is full, a reload forgets them.
    }
  }

  /** What was not sent before a reload. Its files are gone. */
  #readStored(): UnsentMessage[] {
    try {
      const stored: UnsentMessage[] = JSON.parse(sessionStorage.getItem(this.#storageKey) ?? "[]");
      for (const { key } of stored) this.#unsure.add(key);
      return stored.map(({ error, progress, ...unsent }) =>
        unsent.draft.files?.length
          ? { ...unsent, status: "failed", isWithoutFiles: true, error: new Error(filesLost) }
          : unsent,
      );
    } catch {
      return [];
    }
  }
}

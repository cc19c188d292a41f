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
import type { ChatStorage } from "./saved";
import { createSendError, type SendError, toSendError } from "./send-error";
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
  /** Why it has failed. */
  readonly error?: SendError;
  /** Which part of the files is uploaded: 0 to 1. */
  readonly progress?: number;
}

/** What is kept of it, and by which tab. */
type SavedMessage = UnsentMessage & { readonly tab?: string };

/** How to send, and where to keep what is not sent. */
interface OutboxOptions {
  /** Default: the client. */
  readonly send?: Messages["send"] | undefined;
  /** Default: `sessionStorage`. */
  readonly storage?: ChatStorage | undefined;
  /** The beginning of the names in it. */
  readonly name: string;
}

/** Gets a message that was stored, and whether it is deleted again. */
type SentListener = (message: Message, isDeleted: boolean) => void;

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
  readonly #storage: ChatStorage;
  readonly #name: string;
  readonly #tab = createRandomId();
  /** What this tab has kept. The storage may have that of other tabs. */
  readonly #own = new Set<string>();
  /** Changes of the storage, one after the other. */
  #saving: Promise<unknown> = Promise.resolve();
  #restored: Promise<void> = Promise.resolve();
  /** Absent until the user is known: another user of the tab must not send what this one wrote. */
  #userId: string | undefined;

  /**
   * @param chat The client to read with.
   * @param feed What is deleted before it starts is not known.
   * @param options How to send, and where to keep what is not sent.
   */
  constructor(
    chat: ChatClient,
    feed: Pick<Feed, "started" | "hasStarted">,
    { send, storage = sessionTexts, name }: OutboxOptions,
  ) {
    this.#chat = chat;
    this.#feed = feed;
    this.#sendMessage = send ?? ((...message) => chat.messages.send(...message));
    this.#storage = storage;
    this.#name = name;
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
  async run(userId: string, controller: AbortController): Promise<void> {
    await this.restore(userId);
    if (controller.signal.aborted) return;
    // The loops of an earlier controller have ended.
    if (this.#controller !== controller) {
      this.#busy.clear();
      if (this.#storage !== sessionTexts && hasLocks())
        // While it is held, other tabs leave alone what this one has kept.
        navigator.locks
          .request(this.#tab, { signal: controller.signal }, () => end(controller.signal))
          .catch(() => undefined);
    }
    this.#controller = controller;
    for (const { channelId } of this.#unsent.get()) void this.#sendAll(channelId);
  }

  /** Shows what a user has not sent before a reload. It is sent once the service has said that this is the user. */
  restore(userId: string): Promise<void> {
    if (this.#userId === userId) return this.#restored;
    // What was written by another user is not sent.
    if (this.#userId !== undefined) {
      this.#own.clear();
      this.#unsent.set([]);
    }
    this.#userId = userId;
    this.#restored = this.#restore(userId);
    return this.#restored;
  }

  async #restore(userId: string): Promise<void> {
    await this.#saving;
    const stored = await this.#read(this.#storageName).catch(() => []);
    const tabs = await listTabs(stored).catch(() => new Set());
    if (this.#userId !== userId) return;
    const found = stored.filter(({ tab }) => tab === undefined || !tabs.has(tab)).map(withoutFiles);
    for (const { key } of found) this.#unsure.add(key);
    const known = new Set(this.#unsent.get().map(({ key }) => key));
    this.#unsent.set([...found.filter(({ key }) => !known.has(key)), ...this.#unsent.get()]);
    this.#save();
  }

  /** Forgets everything, also what is kept. */
  clear(): Promise<unknown> {
    for (const { key } of this.#unsent.get()) this.discard(key);
    return this.#saving;
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
    // Without its files, it can only be written again.
    if (found === undefined || found.error?.code === filesLost) return;
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
        // Slow mode may last for hours: let the person decide.
        const isPassing = isChatError(error) && error.retryable && error.code !== "slow_mode";
        if (isPassing) await pause(error.retryAfterMs ?? pauseMs, signal);
        else {
          this.#change(unsent.key, (failed) => ({ ...failed, status: "failed", error: toSendError(error) }));
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

  /** Keeps what is not sent, beside that of other tabs. */
  #save(): void {
    if (this.#userId === undefined) return;
    const unsent = this.#unsent.get();
    for (const { key } of unsent) this.#own.add(key);
    const name = this.#storageName;
    const save = async () => {
      const others = (await this.#read(name)).filter(({ key }) => !this.#own.has(key));
      const all: SavedMessage[] = [
        ...others,
        ...unsent.map((one) => ({ ...withoutCause(one), tab: this.#tab })),
      ];
      await (all.length === 0 ? this.#storage.remove(name) : this.#storage.set(name, JSON.stringify(all)));
    };
    const isAlone = this.#storage === sessionTexts || !hasLocks();
    // Without storage, or when it is full, a reload forgets them.
    this.#saving = this.#saving
      .then(isAlone ? save : () => navigator.locks.request(name, save))
      .catch(() => undefined);
  }

  get #storageName(): string {
    return `${this.#name} ${this.#userId} unsent`;
  }

  async #read(name: string): Promise<SavedMessage[]> {
    return JSON.parse((await this.#storage.get(name)) || "[]");
  }
}

/** That of a tab. It acts at once. */
const sessionTexts: ChatStorage = {
  get: async (name) => sessionStorage.getItem(name),
  set: async (name, text) => sessionStorage.setItem(name, text),
  remove: async (name) => sessionStorage.removeItem(name),
};

const hasLocks = () => typeof navigator === "object" && navigator.locks !== undefined;

const end = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));

/** The tabs that are open. */
async function listTabs(stored: readonly SavedMessage[]): Promise<Set<unknown>> {
  if (stored.length === 0 || !hasLocks()) return new Set();
  const { held = [] } = await navigator.locks.query();
  return new Set(held.map(({ name }) => name));
}

const filesLost = "files_lost";

/** What was not sent before a reload. Its files are gone. */
function withoutFiles({ progress, tab, ...unsent }: SavedMessage): UnsentMessage {
  return unsent.draft.files?.length
    ? { ...unsent, status: "failed", error: createSendError(filesLost) }
    : unsent;
}

/** The cause is not stored. */
function withoutCause({ error, ...unsent }: UnsentMessage): UnsentMessage {
  if (error === undefined) return unsent;
  const { cause, ...kept } = error;
  return { ...unsent, error: kept };
}

import { ChatClient, type Fetch, type Messages, type TokenFunction, type User } from "@madang/client";
import { Blocks } from "./blocks";
import { Conversation } from "./conversation";
import { type Connection, createGate, Feed, patient } from "./feed";
import type { InitialMessages } from "./history";
import { Inbox } from "./inbox";
import { Outbox } from "./outbox";
import { Presence } from "./presence";
import { type ChatStorage, Saved, type SavedHistory, type SavedInbox } from "./saved";
import { createStore, type Store, type WritableStore } from "./store";
import { throttle } from "./throttle";

/** Where the service is, and who the user is. */
export interface ChatStoreOptions {
  /** The address of the service, e.g. `https://chat.example.com`. */
  readonly url: string;
  /** The token of the user, or a function that gets one from your application, as `users.createToken` returned it. */
  readonly token: string | TokenFunction;
  /** The user, if the page knows it, as `users.get` returned it: shown until the service has said it, with what it has not sent yet. */
  readonly user?: User | undefined;
  /** The id of the user, if the page knows it: what `storage` has of this user is shown at once, also without a connection. */
  readonly userId?: string | undefined;
  /**
   * Where to keep what a later start shows: the beginning of the inbox, 50 messages of each of the 50 conversations that were open last, and
   * what is not sent. Default: what is not sent, in `sessionStorage`. When the person signs out, call `clear`.
   */
  readonly storage?: ChatStorage | undefined;
  /** The `fetch` to use. Default: the global one. */
  readonly fetch?: Fetch | undefined;
  /**
   * Sends a message and returns it as it is stored, for an application that checks texts on its own server first. Pass `external_id` and the
   * idempotency key of `options` on: they make it be stored once, however often it is sent. If it throws, the message fails, and `error.text` is the message of the error.
   * Default: `chat.messages.send`.
   */
  readonly send?: Messages["send"] | undefined;
}

/** How often what is shown is kept. */
const keepMs = 2_000;

/** The chat of a user on a page: one connection for everything that the page shows. */
export class ChatStore {
  /** The SDK, acting as the user. */
  readonly chat: ChatClient;
  /** The events of the user. */
  readonly feed: Feed;
  /** What is not stored yet. */
  readonly outbox: Outbox;
  /** The users whom the user has blocked. */
  readonly blocks: Blocks;
  /** Who is online. */
  readonly presence: Presence;
  /** The channels of the user. */
  readonly inbox: Inbox;
  /** The conversations that are shown, by channel. */
  readonly conversations = new Map<string, Conversation>();
  readonly #url: string;
  readonly #user: WritableStore<User | undefined>;
  readonly #userId: string | undefined;
  readonly #storage: ChatStorage | undefined;
  /** What is kept, by the id of its user. */
  #opened: { readonly userId: string; readonly saved: Promise<Saved> } | undefined;
  #saved: Saved | undefined;
  readonly #known = createGate();
  readonly #keep = throttle(keepMs, () => this.#save());
  #controller = new AbortController();

  /** @param options The address of the service, the token of the user, and how to reach the service. */
  constructor({ url, token, user, userId = user?.user_id, storage, fetch, send }: ChatStoreOptions) {
    this.#url = url;
    this.#userId = userId;
    this.#storage = storage;
    this.#user = createStore(user);
    this.chat = new ChatClient({ baseUrl: url, token, fetch });
    this.feed = new Feed(this.chat);
    this.outbox = new Outbox(this.chat, this.feed, { send, storage, name: `madang ${url}` });
    this.blocks = new Blocks(this);
    this.presence = new Presence(this);
    this.inbox = new Inbox(this);
    this.feed.subscribe({
      onEvent: (event) => {
        if (event.type === "message.deleted" || event.type === "channel.deleted")
          this.outbox.noteDeletion(event.channel_id);
        const id = this.#user.get()?.user_id;
        if (
          event.type === "channel.deleted" ||
          ((event.type === "member.left" || event.type === "manager.removed") && event.user_id === id)
        )
          this.#saved?.forgetHistory(event.channel_id);
        this.keep();
        if (event.type === "user.updated" && event.user_id === id && event.data.user)
          this.#user.set(event.data.user);
      },
      onReset: () => this.outbox.noteDeletion(),
    });
    this.inbox.state.subscribe(() => this.keep());
    this.blocks.state.subscribe(() => this.keep());
  }

  /** The user of the page. Absent until the service has said it. */
  get user(): Store<User | undefined> {
    return this.#user;
  }

  /** Whether events arrive. */
  get connection(): Store<Connection> {
    return this.feed.connection;
  }

  /**
   * A channel. Whatever shows the same one at the same time shares its history.
   *
   * @param channelId The id of the channel.
   * @param initial The newest messages, to be shown until they are read, as on a server.
   */
  readonly conversation = (channelId: string, initial?: InitialMessages): Conversation => {
    const conversation = this.conversations.get(channelId) ?? new Conversation(this, channelId, initial);
    // What is rendered next may be shown beside it.
    this.conversations.set(channelId, conversation);
    return conversation;
  };

  /** Connects, until the returned function is called. */
  readonly connect = (): (() => void) => {
    const controller = new AbortController();
    this.#controller = controller;
    const known = this.#userId ?? this.#user.get()?.user_id;
    if (known !== undefined) void this.#open(known);
    void this.#run(controller);
    const leaveBlocks = this.blocks.connect();
    const save = () => this.#save();
    const { signal } = controller;
    globalThis.document?.addEventListener("visibilitychange", save, { signal });
    globalThis.addEventListener?.("pagehide", save, { signal });
    return () => {
      save();
      leaveBlocks();
      this.#keep.cancel();
      controller.abort();
    };
  };

  /** What is kept of the user, once the user is known. Undefined without storage, and if the user cannot be known. */
  readonly saved = (): Promise<Saved | undefined> =>
    this.#storage === undefined
      ? Promise.resolve(undefined)
      : Promise.race([this.#known.opened, this.feed.started]).then(() => this.#saved);

  /** Keeps what is shown, within two seconds. */
  readonly keep = (): void => {
    if (this.#saved !== undefined && !this.#controller.signal.aborted) this.#keep();
  };

  /** Keeps the history of a channel that is left, or forgets it. */
  readonly keepHistory = (channelId: string, history: SavedHistory | undefined): void => {
    const at = this.feed.cursor;
    if (history === undefined) this.#saved?.forgetHistory(channelId);
    else if (at !== undefined) this.#saved?.keepHistory(channelId, { ...history, at });
  };

  /** Keeps the inbox when it is left. */
  readonly keepInbox = (inbox: SavedInbox): void => {
    const at = this.feed.cursor;
    if (at !== undefined) this.#saved?.keepInbox({ ...inbox, at });
  };

  /** Forgets all that is kept of the user, also what is not sent: the person signs out. Leave the page after it. */
  readonly clear = async (): Promise<void> => {
    await Promise.all([this.#saved?.clear(), this.outbox.clear()]);
  };

  /** Connects again after it has failed, as with a token that was rejected. */
  readonly retry = (): void => {
    if (this.connection.get().state === "failed") void this.#run(this.#controller);
  };

  #run(controller: AbortController): Promise<void> {
    const { signal } = controller;
    return this.feed.run(signal, async () => {
      // However long the service cannot be reached.
      const options = { signal, ...patient };
      const { user_id: userId = "" } = await this.chat.keys.self(options);
      const user = await this.chat.users.get(userId, options);
      await this.#open(userId);
      const { start } = this.#saved ?? {};
      // A deleted user had the same id.
      if (start !== undefined && start.user.created_at !== user.created_at) {
        void this.#saved?.clear();
        this.#forget();
        await this.#open(userId);
      }
      this.#user.set(user);
      void this.outbox.run(userId, controller);
      return `madang ${this.#url} ${userId}`;
    });
  }

  /** Opens what is kept of a user. What is shown of another one goes. */
  async #open(userId: string): Promise<void> {
    const restored = this.outbox.restore(userId);
    if (this.#storage !== undefined && this.#opened?.userId !== userId) {
      if (this.#opened !== undefined) this.#forget();
      const saved = Saved.open(this.#storage, `madang ${this.#url} ${userId}`);
      this.#opened = { userId, saved };
      const { start } = await saved;
      if (this.#opened.saved !== saved) return;
      this.#saved = await saved;
      if (start !== undefined) {
        this.feed.continueAt(start.at);
        if (this.#user.get() === undefined) this.#user.set(start.user);
      }
      this.#known.open();
    } else await this.#opened?.saved;
    await restored;
  }

  #forget(): void {
    this.#opened = undefined;
    this.#saved = undefined;
    this.feed.restart();
    this.blocks.clear();
    this.inbox.clear();
    for (const conversation of this.conversations.values()) conversation.clear();
  }

  #save(): void {
    const [user, at, saved] = [this.#user.get(), this.feed.cursor, this.#saved];
    if (saved === undefined || user === undefined || at === undefined) return;
    for (const [channelId, conversation] of this.conversations) {
      const history = conversation.toSaved();
      if (history !== undefined) saved.keepHistory(channelId, { ...history, at });
    }
    const inbox = this.inbox.toSaved();
    if (inbox !== undefined) saved.keepInbox({ ...inbox, at });
    saved.keepStart({ user, at, blocked: this.blocks.toSaved() });
  }
}

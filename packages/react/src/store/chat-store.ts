import { ChatClient, type Fetch, type Messages, type TokenFunction, type User } from "@madang/client";
import { Conversation } from "./conversation";
import { type Connection, Feed, patient } from "./feed";
import type { InitialMessages } from "./history";
import { Inbox } from "./inbox";
import { Outbox } from "./outbox";
import { createStore, type Store, type WritableStore } from "./store";

/** Where the service is, and who the user is. */
export interface ChatStoreOptions {
  /** The address of the service, e.g. `https://chat.example.com`. */
  readonly url: string;
  /** The token of the user, or a function that gets one from your application, as `users.createToken` returned it. */
  readonly token: string | TokenFunction;
  /** The user, if the page knows it, as `users.get` returned it: shown until the service has said it, with what it has not sent yet. */
  readonly user?: User | undefined;
  /** The `fetch` to use. Default: the global one. */
  readonly fetch?: Fetch | undefined;
  /**
   * Sends a message and returns it as it is stored, for an application that checks texts on its own server first. Pass `external_id` and the
   * idempotency key of `options` on: they make it be stored once, however often it is sent. A message has failed with what it throws.
   * Default: `chat.messages.send`.
   */
  readonly send?: Messages["send"] | undefined;
}

/** The chat of a user on a page: one connection for everything that the page shows. */
export class ChatStore {
  /** The SDK, acting as the user. */
  readonly chat: ChatClient;
  /** The events of the user. */
  readonly feed: Feed;
  /** What is not stored yet. */
  readonly outbox: Outbox;
  /** The channels of the user. */
  readonly inbox: Inbox;
  /** The conversations that are shown, by channel. */
  readonly conversations = new Map<string, Conversation>();
  readonly #url: string;
  readonly #user: WritableStore<User | undefined>;
  #controller = new AbortController();

  /** @param options The address of the service, the token of the user, and how to reach the service. */
  constructor({ url, token, user, fetch, send }: ChatStoreOptions) {
    this.#url = url;
    this.#user = createStore(user);
    this.chat = new ChatClient({ baseUrl: url, token, fetch });
    this.feed = new Feed(this.chat);
    this.outbox = new Outbox(this.chat, this.feed, send);
    this.inbox = new Inbox(this);
    this.feed.subscribe({
      onEvent: (event) => {
        if (event.type === "message.deleted" || event.type === "channel.deleted")
          this.outbox.noteDeletion(event.channel_id);
        const id = this.#user.get()?.user_id;
        if (event.type === "user.updated" && event.user_id === id && event.data.user)
          this.#user.set(event.data.user);
      },
      onReset: () => this.outbox.noteDeletion(),
    });
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
    const user = this.#user.get();
    if (user !== undefined) this.outbox.restore(user.user_id);
    void this.#run(controller);
    return () => controller.abort();
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
      this.#user.set(await this.chat.users.get(userId, options));
      this.outbox.run(userId, controller);
      return `madang ${this.#url} ${userId}`;
    });
  }
}

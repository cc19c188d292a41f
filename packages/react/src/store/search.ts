import type { Message } from "@madang/client";
import type { ChatStore } from "./chat-store";
import type { FeedEvent } from "./feed";
import { createStore, type Store } from "./store";

/** What was found. */
export interface SearchState {
  /** Newest first. */
  readonly messages: readonly Message[];
  /** Whether there may be more. */
  readonly hasMore: boolean;
  readonly isSearching: boolean;
  readonly error: unknown;
}

const idle: SearchState = { messages: [], hasMore: false, isSearching: false, error: undefined };

/** How long the text has to stay the same: a search for each key would find nothing sooner. */
const pauseMs = 250;
const pageSize = 30;
const maxLength = 100;

/** A search in the messages of the user, or of a channel. */
export class Search {
  readonly #store: ChatStore;
  readonly #channelId: string | undefined;
  readonly #state = createStore(idle);
  #controller = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #text = "";
  #cursor: string | undefined;
  /** A response may be older than a deletion. */
  readonly #deleted = new Set<string>();
  /** Or than an edit, whose event came while it was under way. */
  readonly #edited = new Map<string, Message>();
  #unsubscribe: () => void = () => undefined;

  /**
   * @param store The chat of the user.
   * @param channelId Default: all channels of the user.
   */
  constructor(store: ChatStore, channelId?: string) {
    this.#store = store;
    this.#channelId = channelId;
  }

  get state(): Store<SearchState> {
    return this.#state;
  }

  /** Searches for messages that contain each term of a text, of which the first 100 characters count. Without a term, nothing is found. */
  readonly search = (text: string) => {
    this.cancel();
    this.#text = Array.from(text.trim()).slice(0, maxLength).join("");
    this.#cursor = undefined;
    this.#state.set(this.#text === "" ? idle : { ...this.#state.get(), isSearching: true });
    if (this.#text === "") return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#find([]);
    }, pauseMs);
    this.#unsubscribe = this.#store.feed.subscribe({
      onEvent: (event) => this.#take(event),
      onReset: () => this.#findAgain(),
    });
  };

  /** Adds more results. */
  readonly loadMore = async (): Promise<void> => {
    const { isSearching, hasMore, messages } = this.#state.get();
    if (!isSearching && hasMore) await this.#find(messages);
  };

  /** Ends the search. What was found stays. */
  cancel(): void {
    this.#unsubscribe();
    this.#stop();
    this.#state.set({ ...this.#state.get(), isSearching: false });
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#controller.abort();
    this.#controller = new AbortController();
  }

  /** Nothing is shown that is deleted, or that the user may not see any more, and what was edited is shown as it is. */
  #take(event: FeedEvent) {
    if (!("channel_id" in event)) return;
    const { messages, ...state } = this.#state.get();
    switch (event.type) {
      case "message.deleted":
        this.#deleted.add(event.data.message_id);
        return this.#state.set({ ...state, messages: this.#toShow(messages) });
      case "message.updated": {
        const { message } = event.data;
        if (message === undefined) return;
        this.#edited.set(message.message_id, message);
        if (!messages.some(({ message_id }) => message_id === message.message_id)) return;
        return this.#state.set({ ...state, messages: this.#toShow(messages) });
      }
      case "member.left":
      case "manager.removed":
        if (event.user_id !== this.#store.user.get()?.user_id) return;
        return this.#findAgain();
      case "channel.deleted":
        return this.#findAgain();
    }
  }

  /** Without what was deleted, and with what was edited since it was found. */
  #toShow(messages: readonly Message[]): Message[] {
    return messages
      .filter(({ message_id: id }) => !this.#deleted.has(id))
      .map((found) => {
        const edited = this.#edited.get(found.message_id);
        return edited !== undefined && edited.updated_at >= found.updated_at ? edited : found;
      });
  }

  #findAgain(): void {
    // The timer of a new text starts it soon.
    if (this.#timer !== undefined) return;
    this.#stop();
    this.#cursor = undefined;
    void this.#find([]);
  }

  async #find(before: readonly Message[]): Promise<void> {
    const { signal } = this.#controller;
    // What was edited before is found as it is. Of earlier results, the state has the edits.
    this.#edited.clear();
    const { chat, feed, user } = this.#store;
    const query = { q: this.#text, pageSize };
    this.#state.set({ ...this.#state.get(), isSearching: true });
    try {
      await feed.started;
      const messages: Message[] = [];
      // A page may have no message, and the search still go on.
      do {
        const page = await (this.#channelId === undefined
          ? chat.users.searchMessages(
              user.get()?.user_id ?? "",
              { ...query, cursor: this.#cursor },
              { signal },
            )
          : chat.messages.search(this.#channelId, { ...query, cursor: this.#cursor }, { signal })
        ).firstPage();
        if (signal.aborted) return;
        messages.push(...page.items);
        this.#cursor = page.nextCursor;
      } while (messages.length === 0 && this.#cursor !== undefined);
      this.#state.set({
        messages: this.#toShow([...before, ...messages]),
        hasMore: this.#cursor !== undefined,
        isSearching: false,
        error: undefined,
      });
    } catch (error) {
      const hasMore = this.#cursor !== undefined;
      if (!signal.aborted)
        this.#state.set({ messages: this.#toShow(before), hasMore, isSearching: false, error });
    }
  }
}

import type { Message } from "@madang/client";
import type { ChatStore } from "./chat-store";
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
    if (this.#text !== "") this.#timer = setTimeout(() => void this.#find([]), pauseMs);
  };

  /** Adds more results. */
  readonly loadMore = async (): Promise<void> => {
    const { isSearching, hasMore, messages } = this.#state.get();
    if (!isSearching && hasMore) await this.#find(messages);
  };

  /** Ends the search. What was found stays. */
  cancel(): void {
    clearTimeout(this.#timer);
    this.#controller.abort();
    this.#controller = new AbortController();
    this.#state.set({ ...this.#state.get(), isSearching: false });
  }

  async #find(before: readonly Message[]): Promise<void> {
    const { signal } = this.#controller;
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
        messages: [...before, ...messages],
        hasMore: this.#cursor !== undefined,
        isSearching: false,
        error: undefined,
      });
    } catch (error) {
      const hasMore = this.#cursor !== undefined;
      if (!signal.aborted) this.#state.set({ messages: before, hasMore, isSearching: false, error });
    }
  }
}

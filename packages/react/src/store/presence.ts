import { type ChatClient, isApiError, type UserPresence } from "@madang/client";
import type { Feed } from "./feed";
import { createStore, type Store } from "./store";

/** What presence needs of the chat of its user. */
interface PresenceSource {
  readonly chat: ChatClient;
  readonly feed: Feed;
}

/** The maximum of a stream. */
const maxUsers = 100;
/** Components that appear within this time share a request. */
const pauseMs = 300;
/** How often it is read again where no stream brings changes. */
const pollMs = 30_000;

/** Who is online, of the users that a page shows. */
export class Presence {
  readonly #store: PresenceSource;
  readonly #state = createStore<ReadonlyMap<string, UserPresence>>(new Map());
  /** The users of each component. */
  readonly #wanted = new Set<readonly string[]>();
  /** Users whose presence has changed since the list was requested. */
  #changed = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #leave: (() => void) | undefined;
  #isDisabled = false;

  /** @param store The chat of the user. */
  constructor(store: PresenceSource) {
    this.#store = store;
  }

  /** The presence of the users, by id. */
  get state(): Store<ReadonlyMap<string, UserPresence>> {
    return this.#state;
  }

  /**
   * Follows who of some users is online, until the returned function is called. A page follows at most 100 users.
   *
   * @param userIds The users that a component shows.
   */
  watch(userIds: readonly string[]): () => void {
    const wanted = [...userIds];
    this.#wanted.add(wanted);
    this.#leave ??= this.#connect();
    this.#schedule();
    return () => {
      this.#wanted.delete(wanted);
      this.#schedule();
    };
  }

  #connect(): () => void {
    const { feed } = this.#store;
    const leave = feed.subscribe({
      onEvent: (event) => {
        if (event.type !== "presence") return;
        this.#changed.add(event.data.user_id);
        this.#show([event.data]);
      },
      // The list has the changes from before the stream was connected.
      onConnected: () => void this.#read(),
    });
    const poll = setInterval(() => {
      if (feed.connection.get().transport === "poll") void this.#read();
    }, pollMs);
    return () => {
      clearInterval(poll);
      leave();
    };
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const userIds = this.#userIds();
      this.#store.feed.watch(userIds);
      if (userIds.length > 0) void this.#read();
      else {
        this.#leave?.();
        this.#leave = undefined;
        this.#state.set(new Map());
      }
    }, pauseMs);
  }

  #userIds = (): string[] => [...new Set([...this.#wanted].flat())].slice(0, maxUsers);

  async #read(): Promise<void> {
    const userIds = this.#userIds();
    if (this.#isDisabled || userIds.length === 0) return;
    const changed = new Set<string>();
    this.#changed = changed;
    try {
      const { presence } = await this.#store.chat.presence.list({ user_ids: userIds });
      this.#show(presence.filter(({ user_id }) => !changed.has(user_id)));
    } catch (error) {
      // After any other error, the next connection reads it again.
      this.#isDisabled = isApiError(error) && error.code === "presence_disabled";
    }
  }

  #show(users: readonly UserPresence[]): void {
    const wanted = new Set(this.#userIds());
    const shown = [...this.#state.get()].filter(([userId]) => wanted.has(userId));
    const added = users
      .filter(({ user_id }) => wanted.has(user_id))
      .map((user) => [user.user_id, user] as const);
    this.#state.set(new Map([...shown, ...added]));
  }
}

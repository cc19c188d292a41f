import type { ChatClient, User } from "@madang/client";
import type { Feed, FeedEvent } from "./feed";
import type { FindSaved } from "./saved";
import { createStore, type Store } from "./store";
import { once, type Reading, WorkQueue } from "./work-queue";

/** The users whom the user of the page has blocked. */
export interface BlocksState {
  /** The newest block first. Empty until they are read. */
  readonly users: readonly User[];
  /** `failed`: they could not be read; `error` says why. It is tried again with the next connection. */
  readonly state: "loading" | "ready" | "failed";
  readonly error: unknown;
}

/** All blocks are read together. */
const all = "all";
const pageSize = 100;

/** What the blocks need of the chat of their user. */
interface BlocksSource {
  readonly chat: ChatClient;
  readonly feed: Feed;
  readonly user: Store<User | undefined>;
  readonly saved: FindSaved;
}

/** The users whom the user of the page has blocked, as events keep them current. */
export class Blocks {
  readonly #store: BlocksSource;
  readonly #state = createStore<BlocksState>({ users: [], state: "loading", error: undefined });
  /** The users as they were read. */
  #users: readonly User[] = [];
  /** Who was blocked or not any more since the list was read, by id: an event does not have the user. */
  readonly #changes = new Map<string, { readonly isBlocked: boolean }>();
  #isCertain = false;
  readonly #queue = new WorkQueue((_, reading) => this.#read(reading));

  /** @param store The chat of the user. */
  constructor(store: BlocksSource) {
    this.#store = store;
  }

  get state(): Store<BlocksState> {
    return this.#state;
  }

  /** Whether `isBlocked` knows every block. */
  get isCertain(): boolean {
    return this.#isCertain;
  }

  /** Reads the blocks and follows what happens, until the returned function is called. */
  connect(): () => void {
    const { feed } = this.#store;
    const read = () => this.#queue.refresh(all);
    this.#queue.open();
    const leave = feed.subscribe({
      onEvent: (event) => this.#take(event),
      onReset: () => {
        this.#isCertain = false;
        read();
      },
      onConnected: () => this.#queue.retry(),
    });
    read();
    return () => {
      leave();
      this.#queue.close();
      this.#isCertain = false;
    };
  }

  /** Whether the user has blocked somebody. A user who was deleted is another one than a later user with the same id. */
  readonly isBlocked = (user: Pick<User, "user_id" | "created_at">): boolean =>
    this.#changes.get(user.user_id)?.isBlocked ??
    this.#users.some(({ user_id, created_at }) => user_id === user.user_id && created_at === user.created_at);

  /** Blocks a user, and shows it once the service has it. Rejects with the error of the service. */
  readonly block = async (user: User): Promise<void> => {
    await this.#store.chat.users.blocks.add(this.#userId, user.user_id);
    this.#users = [user, ...this.#users.filter(({ user_id }) => user_id !== user.user_id)];
    this.#change(user.user_id, true);
  };

  /** Ends a block, and shows it once the service has it. Rejects with the error of the service. */
  readonly unblock = async ({ user_id: userId }: Pick<User, "user_id">): Promise<void> => {
    await this.#store.chat.users.blocks.remove(this.#userId, userId);
    this.#change(userId, false);
  };

  /** What a later start shows. Undefined while something is read. */
  toSaved(): readonly User[] | undefined {
    return this.#isCertain && this.#queue.isIdle ? this.#users : undefined;
  }

  /** Shows nothing: it is that of another user. */
  clear(): void {
    this.#users = [];
    this.#changes.clear();
    this.#isCertain = false;
    this.#state.set({ users: [], state: "loading", error: undefined });
  }

  get #userId(): string {
    return this.#store.user.get()?.user_id ?? "";
  }

  #take(event: FeedEvent): void {
    const isAdded = event.type === "block.added";
    if (isAdded || event.type === "block.removed") {
      const { user_id, blocked_user_id } = event.data;
      if (user_id === this.#userId && blocked_user_id !== undefined) this.#change(blocked_user_id, isAdded);
    }
    // A user who is deleted leaves its channels, and is not blocked any more.
    else if (event.type === "member.left" && this.#users.some(({ user_id }) => user_id === event.user_id))
      this.#queue.refresh(all);
  }

  /** At once, since what the user sends next counts for it. The list is read again: a response may be older than an event. */
  #change(userId: string, isBlocked: boolean): void {
    this.#changes.set(userId, { isBlocked });
    this.#show();
    this.#queue.refresh(all);
  }

  async #read({ isCurrent }: Reading): Promise<void> {
    if (await this.#restore(isCurrent)) return;
    const { chat, feed } = this.#store;
    const { signal } = this.#queue;
    await feed.started;
    const before = [...this.#changes];
    try {
      const list = chat.users.blocks.list(this.#userId, { pageSize }, { signal, ...once });
      const blocks = await list.toArray({ max: 10_000 });
      if (!isCurrent()) return;
      for (const [id, change] of before) if (this.#changes.get(id) === change) this.#changes.delete(id);
      this.#users = blocks.map(({ user }) => user);
      this.#isCertain = true;
      this.#show({ state: "ready", error: undefined });
    } catch (error) {
      if (isCurrent() && this.#state.get().state !== "ready") this.#show({ state: "failed", error });
      throw error;
    }
  }

  /** Shows what is kept. Returns whether it is complete: what has happened since comes with events. */
  async #restore(isCurrent: () => boolean): Promise<boolean> {
    const { feed, saved } = this.#store;
    if (this.#state.get().state !== "loading") return false;
    const { blocked, at } = (await saved())?.start ?? {};
    if (blocked === undefined || !isCurrent()) return false;
    this.#users = blocked;
    this.#isCertain = at === feed.cursor;
    this.#show({ state: "ready" });
    return this.#isCertain;
  }

  #show(change: Partial<BlocksState> = {}): void {
    const users = this.#users.filter(({ user_id }) => this.#changes.get(user_id)?.isBlocked !== false);
    this.#state.set({ ...this.#state.get(), ...change, users });
  }
}

import type { ChatClient, User } from "@madang/client";
import type { Feed, FeedEvent } from "./feed";
import { createStore, type Store } from "./store";
import { once, type Reading, WorkQueue } from "./work-queue";

/** The longest time between two messages. */
const maxSlowMs = 21_600_000;
const all = "all";

/** What it needs of the chat of its user. */
interface SlowModeSource {
  readonly chat: ChatClient;
  readonly feed: Feed;
  readonly user: Store<User | undefined>;
}

/** Until when the user cannot send to a channel in slow mode. The channel is read once the user has sent something. */
export class SlowMode {
  readonly #source: SlowModeSource;
  readonly #channelId: string;
  readonly #until = createStore<number | undefined>(undefined);
  readonly #queue = new WorkQueue((_, reading) => this.#read(reading));
  /** The time between two messages of the user: 0 without slow mode, and for managers. Undefined: not known. */
  #slowMs: number | undefined;
  /** When the user has sent the last message that counts, and when slow mode began: what was sent before does not. */
  #sentAt = 0;
  #since = 0;
  /** Until when a rejection asked to wait, and the latest such time, so that each rejection is noted once. */
  #retryAt = 0;
  #noted = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param source The chat of the user.
   * @param channelId The channel.
   */
  constructor(source: SlowModeSource, channelId: string) {
    this.#source = source;
    this.#channelId = channelId;
  }

  /** In milliseconds since the Unix epoch. Undefined: the user may send. */
  get until(): Store<number | undefined> {
    return this.#until;
  }

  open(): void {
    this.#queue.open();
  }

  /** Stops reading, and the timer. */
  close(): void {
    this.#queue.close();
    this.clear();
  }

  /** Forgets what was sent: it is that of another user. */
  clear(): void {
    this.#slowMs = undefined;
    this.#sentAt = 0;
    this.#since = 0;
    this.#retryAt = 0;
    this.#noted = 0;
    this.#show();
  }

  retry(): void {
    this.#queue.retry();
  }

  /**
   * The user has sent a message.
   *
   * @param at When, by the clock that counts down.
   * @param createdAt When, by the clock of the service: the response may arrive after slow mode began.
   */
  noteSent(at: number, createdAt = at): void {
    if (createdAt <= this.#since || at <= Math.max(this.#sentAt, Date.now() - maxSlowMs)) return;
    this.#sentAt = at;
    if (this.#slowMs === undefined) this.#queue.refresh(all);
    this.#show();
  }

  /** The service has rejected a message until this time. */
  noteRejected(retryAt: number): void {
    if (retryAt <= this.#noted) return;
    this.#noted = retryAt;
    this.#retryAt = retryAt;
    this.#show();
  }

  /** Takes an event of the channel. */
  take(event: FeedEvent): void {
    const userId = this.#source.user.get()?.user_id;
    switch (event.type) {
      case "message.created": {
        const { message } = event.data;
        // By the clock of the page, as the countdown is.
        if (message && message.type !== "system" && message.user.user_id === userId)
          this.noteSent(Date.now(), message.created_at);
        return;
      }
      case "channel.updated":
        if (this.#slowMs === 0) {
          this.#sentAt = 0;
          this.#since = event.created_at;
        }
        this.#readAgain();
        return;
      case "manager.added":
      case "manager.removed":
        if (event.user_id === userId) this.#readAgain();
    }
  }

  #readAgain(): void {
    if (this.#slowMs !== undefined) this.#queue.refresh(all);
  }

  async #read({ isCurrent }: Reading): Promise<void> {
    const { chat, feed, user } = this.#source;
    const options = { signal: this.#queue.signal, ...once };
    await feed.started;
    const { slow_mode_seconds: seconds = 0 } = await chat.channels.get(this.#channelId, options);
    const managers = seconds > 0 ? await chat.channels.managers.list(this.#channelId, options) : [];
    if (!isCurrent()) return;
    const isManager = managers.some(({ user_id }) => user_id === user.get()?.user_id);
    const slowMs = isManager ? 0 : seconds * 1_000;
    // The service would ask for less now.
    if (slowMs < (this.#slowMs ?? 1)) this.#retryAt = 0;
    this.#slowMs = slowMs;
    this.#show();
  }

  #show(): void {
    const slowUntil = this.#slowMs ? this.#sentAt + this.#slowMs : 0;
    const until = Math.max(slowUntil, this.#retryAt);
    const waitMs = until - Date.now();
    this.#until.set(waitMs > 0 ? until : undefined);
    clearTimeout(this.#timer);
    if (waitMs > 0) this.#timer = setTimeout(() => this.#show(), waitMs);
  }
}

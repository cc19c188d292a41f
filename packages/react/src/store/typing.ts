import type { ChatClient } from "@madang/client";
import type { FeedEvent } from "./feed";
import { createStore, type Store } from "./store";

/** How often a page says that its user types. */
const sendMs = 3_000;
/** How long a user is shown to type after the last signal. */
const shownMs = 6_000;
const signalType = "typing";

/** Who types in a channel. */
export class Typing {
  readonly #chat: ChatClient;
  readonly #channelId: string;
  readonly #userIds = createStore<readonly string[]>([]);
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  #sentAt = Number.NEGATIVE_INFINITY;

  constructor(chat: ChatClient, channelId: string) {
    this.#chat = chat;
    this.#channelId = channelId;
  }

  /** The ids of the users who type. */
  get userIds(): Store<readonly string[]> {
    return this.#userIds;
  }

  /** Takes an event of the channel. A message ends the typing of its sender. */
  take(event: FeedEvent): void {
    if (event.type === "signal" && event.data.type === signalType && event.user_id) this.#show(event.user_id);
    else if ((event.type === "message.created" || event.type === "member.left") && event.user_id)
      this.#hide(event.user_id);
  }

  /** Says that the user of this page types, at most every three seconds. `false`: the next `true` is sent at once. */
  set(isTyping: boolean): void {
    const now = performance.now();
    if (isTyping && now - this.#sentAt < sendMs) return;
    this.#sentAt = isTyping ? now : Number.NEGATIVE_INFINITY;
    // A signal may be lost.
    if (isTyping) void this.#chat.signals.send(this.#channelId, { type: signalType }).catch(() => undefined);
  }

  /** Nobody types. */
  clear(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#userIds.set([]);
  }

  #show(userId: string): void {
    clearTimeout(this.#timers.get(userId));
    this.#timers.set(
      userId,
      setTimeout(() => this.#hide(userId), shownMs),
    );
    this.#update();
  }

  #hide(userId: string): void {
    clearTimeout(this.#timers.get(userId));
    if (this.#timers.delete(userId)) this.#update();
  }

  #update(): void {
    const userIds = [...this.#timers.keys()];
    if (userIds.join() !== this.#userIds.get().join()) this.#userIds.set(userIds);
  }
}

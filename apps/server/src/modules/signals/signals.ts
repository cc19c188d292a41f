import { limits } from "@madang/contract";
import { ServiceError } from "../../errors/service-error";
import type { LiveEntry, LiveFeed } from "../events/live/live-feed";
import type { Notifier } from "../events/numbering/notifier";

/** A signal as processes send it to each other. */
interface Sent extends LiveEntry {
  readonly processId: string;
  /** Names the sender and the channel. */
  readonly key: string;
}

const { perSecond } = limits.signal;
const windowMs = 1_000;

/** Sends signals to all processes, and passes those of all processes on to the streams of this one. */
export class Signals {
  readonly #notifier: Notifier;
  readonly #liveFeed: Pick<LiveFeed, "publishLive">;
  /** When the last signals of each sender and channel were sent, by a monotonic clock. */
  readonly #sentAt = new Map<string, number[]>();
  #cleanedAt = 0;
  /** Distinguishes the signals of this process from those of the others. */
  readonly #processId: string;

  constructor(notifier: Notifier, liveFeed: Pick<LiveFeed, "publishLive">, processId: string) {
    this.#notifier = notifier;
    this.#liveFeed = liveFeed;
    this.#processId = processId;
  }

  /** `sender` names the user, or the key of the application. */
  send(entry: LiveEntry, sender: string): void {
    const { event } = entry;
    const key = `${sender} ${event.channel_id}`;
    if (this.#countOf(key) >= perSecond)
      throw new ServiceError(
        "rate_limited",
        `More than ${perSecond} signals a second were sent to the channel ${event.channel_id}. Try again in a second.`,
        { retryAfterSeconds: 1 },
      );
    this.#count(key);
    const sent: Sent = { processId: this.#processId, key, ...entry };
    this.#notifier.send("signal-event", sent);
  }

  /** Handles the notification of a process. */
  receive(sent: unknown): void {
    // The topic has only messages of `send`.
    const { processId, key, ...entry } = sent as Sent;
    // The processes share one limit, each a moment later.
    if (processId !== this.#processId) this.#count(key);
    this.#liveFeed.publishLive([entry]);
  }

  #countOf(key: string): number {
    const earliest = performance.now() - windowMs;
    return this.#sentAt.get(key)?.filter((at) => at > earliest).length ?? 0;
  }

  #count(key: string): void {
    const now = performance.now();
    this.#sentAt.set(key, [...(this.#sentAt.get(key) ?? []).slice(1 - perSecond), now]);
    if (now - this.#cleanedAt < windowMs) return;
    this.#cleanedAt = now;
    for (const [each, times] of this.#sentAt)
      if ((times.at(-1) ?? 0) < now - windowMs) this.#sentAt.delete(each);
  }
}

import { limits } from "@madang/contract";
import { ServiceError } from "../../errors/service-error";
import type { LiveFeed } from "../events/live-feed";
import type { Notifier } from "../events/notifier";

export interface Signal {
  readonly channelPk: number;
  readonly channelId: string;
  /** Null: the application. */
  readonly userId: string | null;
  readonly createdAt: number;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>> | undefined;
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
  /** Tells the signals of this process from those of the others. */
  readonly #processId: string;

  constructor(notifier: Notifier, liveFeed: Pick<LiveFeed, "publishLive">, processId: string) {
    this.#notifier = notifier;
    this.#liveFeed = liveFeed;
    this.#processId = processId;
  }

  /** `sender` names the user, or the key of the application. */
  send(signal: Signal, sender: string): void {
    const key = `${sender} ${signal.channelId}`;
    if (this.#countOf(key) >= perSecond)
      throw new ServiceError(
        "rate_limited",
        `More than ${perSecond} signals a second were sent to the channel ${signal.channelId}. Try again in a second.`,
        undefined,
        1,
      );
    this.#count(key);
    const { channelPk, channelId, userId, createdAt, type, data } = signal;
    this.#notifier.send("signal", [
      this.#processId,
      key,
      channelPk,
      channelId,
      userId,
      createdAt,
      type,
      data ?? null,
    ]);
  }

  /** Handles the notification of a process. */
  receive(sent: unknown): void {
    if (!isSent(sent)) return;
    const [processId, key, channelPk, channelId, userId, createdAt, type, data] = sent;
    // The processes share one limit, each a moment later.
    if (processId !== this.#processId) this.#count(key);
    const event = {
      type: "signal" as const,
      channel_id: channelId,
      ...(userId !== null && { user_id: userId }),
      created_at: createdAt,
      data: { type, ...(data && { data }) },
    };
    this.#liveFeed.publishLive([{ event, channelPk }]);
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

type Sent = [
  processId: string,
  key: string,
  channelPk: number,
  channelId: string,
  userId: string | null,
  createdAt: number,
  type: string,
  data: Record<string, unknown> | null,
];

/** Sent by a process, perhaps of another version. */
function isSent(sent: unknown): sent is Sent {
  if (!Array.isArray(sent)) return false;
  const [processId, key, channelPk, channelId, userId, createdAt, type, data] = sent;
  const areStrings = [processId, key, channelId, type].every((value) => typeof value === "string");
  return (
    areStrings &&
    (userId === null || typeof userId === "string") &&
    [channelPk, createdAt].every(Number.isSafeInteger) &&
    typeof data === "object"
  );
}

import type { Logger } from "pino";
import { formatMessageId } from "../../chat/message-id";
import type { Db } from "../../db/db";
import { runAsService } from "../../turns/client";
import type { LiveFeed } from "../events/live/live-feed";
import type { Notifier } from "../events/numbering/notifier";
import { readChunks } from "./chunks-store";

/** Says that a message has an append. */
interface AppendHint {
  readonly channelId: string;
  readonly createdAt: number;
  readonly pk: number;
  /** How many appends the message had before. */
  readonly index: number;
}

interface AppendedDeps {
  readonly db: Db;
  readonly notifier: Notifier;
  readonly liveFeed: Pick<LiveFeed, "hasLive" | "publishLive">;
  readonly logger: Pick<Logger, "warn">;
}

/** A message has at most 25 events a second. */
const pauseMs = 40;
/** A message that had no append for this long has ended. */
const forgetMs = 90_000;

/**
 * Passes what is appended to messages on to the streams of this process. Appends are announced to all processes without their text:
 * each reads the chunks that it has not seen, all messages at once.
 */
export class AppendedFeed {
  readonly #deps: AppendedDeps;
  /** The number of appends of each message that were passed on, and when. */
  readonly #passed = new Map<number, { count: number; at: number }>();
  #hints = new Map<number, AppendHint>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(deps: AppendedDeps) {
    this.#deps = deps;
  }

  /** Announces an append to all processes, this one included. */
  announce({ channelId, createdAt, pk, index }: AppendHint): void {
    this.#deps.notifier.send("append", [channelId, createdAt, pk, index]);
  }

  /** Handles the announcement of a process. */
  receive(sent: unknown): void {
    if (!this.#deps.liveFeed.hasLive("message.appended") || !isHint(sent)) return;
    const [channelId, createdAt, pk, index] = sent;
    const known = this.#hints.get(pk);
    if (known === undefined || index < known.index) this.#hints.set(pk, { channelId, createdAt, pk, index });
    this.#schedule();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => {
      runAsService(() => this.#pass())
        .catch((error: unknown) =>
          this.#deps.logger.warn({ err: error }, "appends were not passed on to streams"),
        )
        .finally(() => {
          this.#timer = undefined;
          if (this.#hints.size > 0) this.#schedule();
        });
    }, pauseMs);
  }

  async #pass(): Promise<void> {
    const hints = this.#hints;
    this.#hints = new Map();
    const now = performance.now();
    for (const [pk, { at }] of this.#passed) if (at < now - forgetMs) this.#passed.delete(pk);
    const pks = [...hints.keys()];
    // What comes before the hint is unknown here if the process has not followed the message so far.
    const counts = [...hints.values()].map(({ pk, index }) => this.#passed.get(pk)?.count ?? index);
    const chunks = await readChunks(this.#deps.db, pks, counts);
    const entries = chunks.flatMap(({ pk, channelPk, blockerPks, index, contents }) => {
      const hint = hints.get(pk);
      if (hint === undefined) return [];
      this.#passed.set(pk, { count: index + contents.length, at: now });
      const data = { message_id: formatMessageId(hint), index, contents };
      const event = { type: "message.appended" as const, channel_id: hint.channelId, data };
      return { channelPk, blockerPks, event };
    });
    this.#deps.liveFeed.publishLive(entries);
  }
}

/** Sent by a process, perhaps of another version. */
function isHint(sent: unknown): sent is [channelId: string, createdAt: number, pk: number, index: number] {
  if (!Array.isArray(sent)) return false;
  const [channelId, ...numbers] = sent;
  return typeof channelId === "string" && numbers.length === 3 && numbers.every(Number.isSafeInteger);
}

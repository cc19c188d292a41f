import type { Logger } from "pino";
import type { Db } from "../../../db/db";
import { runAsService } from "../../../turns/client";
import { announceFollowers, followedMessage, numberEvents } from "./number-store";

/** Changes that are committed within this time are numbered together. */
const pauseMs = 20;
/** How long to wait after another process has numbered events: it probably numbers these as well. */
const deferMs = 2 * pauseMs;
/** How often to number events without followers, and to look for events of a process that ended. */
const intervalMs = 1_000;
/** Every so many intervals, look without a known change: a process may have ended before it numbered its events. */
const checkEvery = 4;
/** How often a process announces that it follows the feed, and how long an announcement is valid. */
const announceMs = 5_000;
const announcementTtlMs = 12_000;

/**
 * - `idle`: nothing to do.
 * - `scheduled`: a timer runs, which numbers events.
 * - `numbering`: the statement runs.
 * - `closed`: the process stops.
 */
type State = "idle" | "scheduled" | "numbering" | "closed";

/** Decides when this process numbers events, and tracks the last position. */
export class Numbering {
  readonly #db: Db;
  readonly #logger: Pick<Logger, "warn">;
  readonly #interval: NodeJS.Timeout;
  #state: State = "idle";
  #timer: NodeJS.Timeout | undefined;
  #current = Promise.resolve();
  #mayNumberAt = 0;
  /** Whether events may have been committed after the current statement began. */
  #hasChanges = true;
  #lastPosition = 0;
  readonly #waiting = new Set<() => void>();
  #followers = 0;
  #followedElsewhereUntil = 0;
  #catchingUp: Promise<void> | undefined;
  #catchingUpNext: Promise<void> | undefined;

  constructor(db: Db, logger: Pick<Logger, "warn">) {
    this.#db = db;
    this.#logger = logger;
    let ticks = 0;
    this.#interval = setInterval(() => {
      ticks += 1;
      if (this.#hasChanges || this.#isFollowed || ticks % checkEvery === 0) this.#schedule();
    }, intervalMs);
    this.#schedule();
  }

  /** The last position that this process knows of. */
  get lastPosition(): number {
    return this.#lastPosition;
  }

  /** Reports that this process has committed a change. Its events are numbered soon, or within a second without followers. */
  readonly wake = (): void => {
    this.#hasChanges = true;
    if (this.#isFollowed) this.#schedule();
  };

  /** Numbers what this process has committed now, for a job that polls: without followers, that takes up to a second. */
  readonly numberChanges = (): void => {
    if (this.#hasChanges) this.#schedule();
  };

  /** Handles a notification of PostgreSQL, from this or another process. */
  readonly receive = (message: string): void => {
    if (message === followedMessage) {
      this.#followedElsewhereUntil = performance.now() + announcementTtlMs;
      if (this.#hasChanges) this.#schedule();
      return;
    }
    const position = Number(message);
    // Another version of the server may send other messages.
    if (!(position > this.#lastPosition)) return;
    this.#mayNumberAt = performance.now() + deferMs;
    this.#advance(position);
  };

  /** Numbers every event that is committed now. Calls at the same time share one statement. */
  catchUp(): Promise<void> {
    if (this.#catchingUp === undefined) {
      const run = runAsService(() => this.#numberAll()).finally(() => {
        this.#catchingUp = undefined;
      });
      this.#catchingUp = run;
      return run;
    }
    // The current statement does not see changes that were committed after it began.
    const next = () => {
      this.#catchingUpNext = undefined;
      return this.catchUp();
    };
    this.#catchingUpNext ??= this.#catchingUp.then(next, next);
    return this.#catchingUpNext;
  }

  /**
   * Numbers events soon after their commits, until the returned function is called. If it is announced, the other
   * processes do the same with theirs.
   */
  follow({ isAnnounced }: { isAnnounced: boolean }): () => void {
    this.#followers += 1;
    const announce = () =>
      announceFollowers(this.#db).catch((error: unknown) =>
        this.#logger.warn({ err: error }, "other processes were not notified that streams are open"),
      );
    const timer = isAnnounced ? setInterval(announce, announceMs) : undefined;
    if (isAnnounced) void announce();
    this.#schedule();
    return () => {
      this.#followers -= 1;
      clearInterval(timer);
    };
  }

  /** Resolves when there may be events after a position, after the time, or when the signal is aborted. */
  async waitBeyond(position: number, timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (this.#lastPosition > position || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timeout);
        this.#waiting.delete(end);
        signal.removeEventListener("abort", end);
        resolve();
      };
      const timeout = setTimeout(end, timeoutMs);
      this.#waiting.add(end);
      signal.addEventListener("abort", end);
    });
  }

  async close(): Promise<void> {
    this.#state = "closed";
    clearInterval(this.#interval);
    clearTimeout(this.#timer);
    await this.#current;
  }

  get #isFollowed(): boolean {
    return this.#followers > 0 || performance.now() < this.#followedElsewhereUntil;
  }

  #schedule(): void {
    if (this.#state !== "idle") return;
    this.#state = "scheduled";
    this.#setTimer();
  }

  #setTimer(): void {
    const waitMs = Math.max(0, this.#mayNumberAt - performance.now());
    this.#timer = setTimeout(() => {
      // Another process may have numbered events meanwhile.
      if (performance.now() < this.#mayNumberAt) this.#setTimer();
      else this.#current = runAsService(() => this.#number());
    }, waitMs);
  }

  async #number(): Promise<void> {
    this.#state = "numbering";
    this.#hasChanges = false;
    const startedAt = performance.now();
    const known = this.#lastPosition;
    try {
      const { lastPosition, isOwn, isOvertaken } = await numberEvents(this.#db, { waitsForLock: false });
      if (isOvertaken) this.#hasChanges = true;
      const isByAnother = isOvertaken || (!isOwn && lastPosition > known);
      this.#mayNumberAt = startedAt + (isByAnother ? deferMs : pauseMs);
      // The database may have been restored: its position applies, unless another process was faster.
      if (this.#lastPosition === known) this.#lastPosition = Math.min(known, lastPosition);
      this.#advance(lastPosition);
    } catch (error) {
      this.#logger.warn({ err: error }, "events could not be numbered");
      this.#hasChanges = true;
      this.#mayNumberAt = startedAt + intervalMs;
    }
    // Closed meanwhile.
    if (this.#state !== "numbering") return;
    this.#state = "idle";
    if (this.#hasChanges && this.#isFollowed) this.#schedule();
  }

  async #numberAll(): Promise<void> {
    for (;;) {
      const { lastPosition, isOvertaken } = await numberEvents(this.#db, { waitsForLock: true });
      this.#advance(lastPosition);
      if (!isOvertaken) return;
    }
  }

  #advance(position: number): void {
    if (position <= this.#lastPosition) return;
    this.#lastPosition = position;
    for (const end of this.#waiting) end();
  }
}

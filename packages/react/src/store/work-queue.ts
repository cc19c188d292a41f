import { isChatError } from "@madang/client";

const idsPerRead = 50;
/** How often something is read again. */
const refreshMs = 1_000;
/** How long to wait before what failed is tried again: at first, and at most. */
const minRetryMs = 1_000;
const maxRetryMs = 30_000;

/** A read that is repeated after a failure by the queue, and not by the client: what waits for it waits for one attempt. */
export const once = { maxRetries: 0, maxDowntimeMs: 0, timeoutMs: 10_000 } as const;

/** What is asked of a read: whether a later change was made since it began. */
export interface Reading {
  /** Whether the queue is still the same: nothing started it anew. */
  readonly isCurrent: () => boolean;
  /** Whether the response counts for an id. */
  readonly isFresh: (id: string) => boolean;
}

/**
 * The work on a list, one after the other: each continues from what the one before has left, so an event that arrives while something is read
 * is applied to what was read. It also has the ids of what has to be read again, which is done together, at most once a second, and
 * repeated until it succeeds.
 */
export class WorkQueue {
  readonly #read: (ids: readonly string[], reading: Reading) => Promise<void>;
  #work: Promise<void> = Promise.resolve();
  /** Counts the beginnings: what belongs to an earlier one is dropped. */
  #run = 0;
  readonly #stale = new Set<string>();
  /** What could not be read. */
  readonly #failed = new Set<string>();
  /** What the running read asks for, without that which was changed since. */
  #asked = new Set<string>();
  /** Until when nothing is read again. */
  #pause: ReturnType<typeof setTimeout> | undefined;
  readonly #retries = new Set<ReturnType<typeof setTimeout>>();
  #retryMs = minRetryMs;
  #controller = new AbortController();
  #isOpen = false;
  /** How much work waits or runs. */
  #pending = 0;

  /** @param read Reads what these ids name again, at most 50 of them. It throws when it failed. */
  constructor(read: (ids: readonly string[], reading: Reading) => Promise<void>) {
    this.#read = read;
  }

  /** From now on, what is asked for is read again. */
  open(): void {
    this.#isOpen = true;
  }

  /** Whether nothing waits: what is shown has everything that has happened. */
  get isIdle(): boolean {
    return this.#pending + this.#stale.size + this.#failed.size === 0;
  }

  /** Aborted when the queue is closed. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Does something after what waits already, unless the queue was started anew by then. */
  add(work: (isCurrent: () => boolean) => Promise<void> | void): Promise<void> {
    const run = this.#run;
    const isCurrent = () => run === this.#run;
    this.#pending++;
    const done = this.#work
      .then(() => (isCurrent() ? work(isCurrent) : undefined))
      .finally(() => void this.#pending--);
    // What fails does not stop what follows.
    this.#work = done.catch(() => undefined);
    return done;
  }

  /** Begins anew with this work: what waits is dropped, and what runs is not waited for. */
  restart(work: (isCurrent: () => boolean) => Promise<void>): Promise<void> {
    this.#run++;
    this.#work = Promise.resolve();
    this.#asked.clear();
    return this.add(work);
  }

  /** Reads what an id names again: at once, or a second after the last time. */
  refresh(id: string): void {
    // A response, or a mark of the last moment, may come after the end.
    if (!this.#isOpen) return;
    this.#stale.add(id);
    if (this.#pause === undefined) this.#refresh();
  }

  /** What is being read of this is from before a change: it is read again. */
  outdate(id: string): void {
    if (this.#asked.delete(id)) this.refresh(id);
  }

  /** Reads again now what could not be read. */
  retry(): void {
    for (const id of this.#failed) this.refresh(id);
    this.#failed.clear();
  }

  /** Repeats later what has failed, if that may help. */
  repeatLater(error: unknown, work: () => void): void {
    if (!this.#isOpen || !isChatError(error) || !error.retryable) return;
    const timer = setTimeout(
      () => {
        this.#retries.delete(timer);
        work();
      },
      Math.max(this.#retryMs, error.retryAfterMs ?? 0),
    );
    this.#retries.add(timer);
    this.#retryMs = Math.min(2 * this.#retryMs, maxRetryMs);
  }

  /** Something was read: what fails next is repeated soon again. */
  noteSuccess(): void {
    this.#retryMs = minRetryMs;
  }

  /** Drops everything, and leaves no timer. */
  close(): void {
    this.#isOpen = false;
    this.#run++;
    this.#work = Promise.resolve();
    this.#controller.abort();
    this.#controller = new AbortController();
    for (const ids of [this.#stale, this.#failed, this.#asked]) ids.clear();
    clearTimeout(this.#pause);
    this.#pause = undefined;
    for (const timer of this.#retries) clearTimeout(timer);
    this.#retries.clear();
    this.#retryMs = minRetryMs;
  }

  #refresh(): void {
    this.#pause = setTimeout(() => {
      this.#pause = undefined;
      if (this.#stale.size > 0) this.#refresh();
    }, refreshMs);
    void this.add((isCurrent) => this.#readStale(isCurrent));
  }

  async #readStale(isCurrent: () => boolean): Promise<void> {
    const ids = [...this.#stale].slice(0, idsPerRead);
    if (ids.length === 0) return;
    for (const id of ids) this.#stale.delete(id);
    const asked = new Set(ids);
    this.#asked = asked;
    try {
      await this.#read(ids, { isCurrent, isFresh: (id) => asked.has(id) });
      this.noteSuccess();
    } catch (error) {
      if (!isCurrent()) return;
      for (const id of ids) this.#failed.add(id);
      this.repeatLater(error, () => this.retry());
    }
    asked.clear();
  }
}

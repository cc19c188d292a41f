import type { Logger } from "pino";
import type { Queryable } from "../../db/db";
import { numberEvents } from "./number";

/** Numbers the events of this process, and waits for new events. */
export interface Feed {
  /** Numbers the events that this process has just committed. */
  wake(): void;
  /** Numbers every event that is committed now. */
  catchUp(): Promise<void>;
  /** Records a position that was assigned, by this or another process. */
  advance(position: number): void;
  /** Whether every wait has ended and later ones end at once, because the process stops. */
  readonly isReleased: boolean;
  /** Resolves when there may be events after a position, after the time, or when the signal is aborted. */
  waitBeyond(position: number, timeoutMs: number, signal?: AbortSignal): Promise<void>;
  release(): void;
  /** Stops numbering. */
  close(): Promise<void>;
}

/** Events that were committed within this time are numbered together. */
const pauseMs = 20;
/**
 * For so long, this process leaves its events to another one that has just numbered some, and so will probably number
 * these as well: of several busy processes, one numbers the events of all.
 */
const patienceMs = 2 * pauseMs;
/** How often to look for events of a process that stopped before it numbered them. */
const intervalMs = 1_000;

export function startFeed(db: Queryable, logger: Pick<Logger, "warn">): Feed {
  const waiting = new Set<() => void>();
  let lastPosition = 0;
  let mayNumberAt = 0;
  let isClosed = false;
  let isReleased = false;
  let isPending = false;
  let current: Promise<void> | undefined;

  const advance = (position: number) => {
    if (position <= lastPosition) return;
    lastPosition = position;
    endWaits();
  };
  const endWaits = () => {
    for (const end of waiting) end();
  };
  const run = async () => {
    while (isPending && !isClosed) {
      const waitMs = mayNumberAt - performance.now();
      if (waitMs > 0) {
        await sleep(waitMs);
        continue;
      }
      isPending = false;
      const startedAt = performance.now();
      const known = lastPosition;
      const numbered = await numberEvents(db, { waitsForLock: false });
      const { isOvertaken, isOwn } = numbered;
      if (isOvertaken) isPending = true;
      const isByAnother = isOvertaken || (!isOwn && numbered.lastPosition > known);
      mayNumberAt = startedAt + (isByAnother ? patienceMs : pauseMs);
      // The database may have been restored: its position applies, unless another process was faster.
      if (lastPosition === known) lastPosition = Math.min(known, numbered.lastPosition);
      advance(numbered.lastPosition);
    }
  };
  const catchUp = async () => {
    for (;;) {
      const numbered = await numberEvents(db, { waitsForLock: true });
      advance(numbered.lastPosition);
      if (!numbered.isOvertaken) return;
    }
  };
  const wake = () => {
    isPending = true;
    if (isClosed) return;
    current ??= run()
      .catch((error: unknown) => logger.warn({ err: error }, "events could not be numbered"))
      .finally(() => {
        current = undefined;
      });
  };
  const timer = setInterval(wake, intervalMs);
  wake();

  return {
    wake,
    catchUp,
    advance(position) {
      if (position > lastPosition) mayNumberAt = performance.now() + patienceMs;
      advance(position);
    },
    get isReleased() {
      return isReleased;
    },
    release() {
      isReleased = true;
      endWaits();
    },
    async waitBeyond(position, timeoutMs, signal) {
      if (lastPosition > position || isReleased || signal?.aborted) return;
      await new Promise<void>((resolve) => {
        const end = () => {
          clearTimeout(timeout);
          waiting.delete(end);
          signal?.removeEventListener("abort", end);
          resolve();
        };
        const timeout = setTimeout(end, timeoutMs);
        waiting.add(end);
        signal?.addEventListener("abort", end);
      });
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      await current;
    },
  };
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

import type { Logger } from "pino";

/** Remembers that a replica failed, so that not every request finds out for itself. */
export interface Outage {
  /** Whether to ask the replica. While it is failing, one request in a while may try. */
  mayAsk(): boolean;
  hasFailed(error: unknown): void;
  hasAnswered(): void;
}

export const pauseMs = 3_000;

export function watchOutage(now: () => number, logger: Logger): Outage {
  /** Undefined while all is well. */
  let askAgainAt: number | undefined;
  return {
    mayAsk() {
      if (askAgainAt === undefined) return true;
      if (now() < askAgainAt) return false;
      askAgainAt = now() + pauseMs;
      return true;
    },
    hasFailed(error) {
      if (askAgainAt === undefined)
        logger.warn({ err: error }, "the replica cannot be used: the database answers in its place");
      askAgainAt = now() + pauseMs;
    },
    hasAnswered() {
      if (askAgainAt !== undefined) logger.info("the replica answers again");
      askAgainAt = undefined;
    },
  };
}

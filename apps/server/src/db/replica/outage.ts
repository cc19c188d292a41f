import type { Logger } from "pino";

/** Records that a replica failed, so that later requests do not wait for it. */
export interface Outage {
  /** Whether to use the replica. During an outage, one request per pause tries it. */
  canTry(): boolean;
  recordFailure(error: unknown): void;
  recordSuccess(): void;
}

export const pauseMs = 3_000;

export function trackOutage(now: () => number, logger: Logger): Outage {
  /** Undefined while the replica works. */
  let retryAt: number | undefined;
  return {
    canTry() {
      if (retryAt === undefined) return true;
      if (now() < retryAt) return false;
      retryAt = now() + pauseMs;
      return true;
    },
    recordFailure(error) {
      if (retryAt === undefined)
        logger.warn(
          { err: error },
          "the replica at DATABASE_REPLICA_URL is unavailable; pages are read from the primary",
        );
      retryAt = now() + pauseMs;
    },
    recordSuccess() {
      if (retryAt !== undefined) logger.info("replica available again");
      retryAt = undefined;
    },
  };
}

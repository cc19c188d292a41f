/** How one attempt failed. */
export interface Failure {
  /** Absent when there was no whole answer. */
  readonly status?: number;
  readonly retryAfterMs?: number | undefined;
}

/**
 * Whether the same request may succeed later: no answer, too many requests, a failure that passes, or a conflict that
 * says for how long, as that of a first attempt that is still running.
 */
export function isPassing({ status, retryAfterMs }: Failure): boolean {
  if (status === 409) return retryAfterMs !== undefined;
  return status === undefined || [408, 429, 500, 502, 503, 504].includes(status);
}

/** Backoff doubles from 300 ms to at most 8 s, with full jitter so that callers do not come back together. */
export function findDelay(failure: Failure, attempt: number, random: number): number {
  return failure.retryAfterMs ?? random * Math.min(8_000, 300 * 2 ** (attempt - 1));
}

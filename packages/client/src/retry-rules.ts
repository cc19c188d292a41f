/** The statuses of failures that may pass. */
export const retryableStatuses = [408, 409, 429, 500, 502, 503, 504];

interface Failure {
  readonly status: number;
  readonly retryAfterMs: number | undefined;
}

/**
 * Whether the same request may succeed later. A conflict passes only when the service says how long to wait, as it does
 * while the first request with an idempotency key is still running.
 */
export function isRetryable({ status, retryAfterMs }: Failure): boolean {
  return retryableStatuses.includes(status) && (status !== 409 || retryAfterMs !== undefined);
}

/** Whether a proxy reports that it cannot reach the service. The service itself sends `Retry-After` with a 503. */
export function isGatewayFailure({ status, retryAfterMs }: Failure): boolean {
  return status >= 502 && status <= 504 && retryAfterMs === undefined;
}

export interface RetryLimits {
  readonly maxRetries: number;
  readonly maxDowntime: number;
}

/**
 * Decides how the attempts of one call go on. A service that cannot be reached is restarting: the attempts go on until
 * `maxDowntime` has passed since it could not be reached for the first time. All other failures count against `maxRetries`.
 */
export class RetryRules {
  /** The pause before the next attempt is random between 0 and this, in milliseconds. */
  maxPauseMs = 0;
  readonly #limits: RetryLimits;
  #counted = 0;
  #downSinceMs: number | undefined;

  constructor(limits: RetryLimits) {
    this.#limits = limits;
  }

  /** Takes note of a failure, and returns whether there is another attempt. */
  allowRetry(isUnreachable: boolean, elapsedMs: number): boolean {
    const { maxRetries, maxDowntime } = this.#limits;
    if (!isUnreachable) this.#downSinceMs = undefined;
    else if (maxRetries > 0) {
      this.maxPauseMs = this.#downSinceMs === undefined ? 500 : 1_000;
      this.#downSinceMs ??= elapsedMs;
      if (elapsedMs - this.#downSinceMs < maxDowntime) return true;
    }
    this.maxPauseMs = Math.min(300 * 2 ** this.#counted, 8_000);
    return this.#counted++ < maxRetries;
  }
}

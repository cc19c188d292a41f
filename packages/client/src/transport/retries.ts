/** The statuses of failures that may pass. */
export const retryableStatuses = [408, 409, 429, 500, 502, 503, 504];

interface Failure {
  readonly status: number;
  readonly retryAfterMs: number | undefined;
}

/**
 * Whether the same request may succeed later. A conflict passes only when the response has `Retry-After`, as it has
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
  readonly maxDowntimeMs: number;
}

/**
 * The time budget of a service that cannot be reached, because it is restarting: the attempts of one call go on until
 * `maxDowntimeMs` has passed since it could not be reached for the first time. All other failures count against
 * `maxRetries`.
 */
export class RetryRules {
  /** All retries of a call: those that count, and ten for each second of a downtime. */
  readonly limit: number;
  /** The pause before the next attempt is random between 0 and this, in milliseconds. */
  maxPauseMs = 0;
  readonly #limits: RetryLimits;
  #uncounted = 0;
  #downSinceMs: number | undefined;

  constructor(limits: RetryLimits) {
    const { maxRetries, maxDowntimeMs } = limits;
    this.limit = maxRetries && maxRetries + Math.ceil(maxDowntimeMs / 100);
    this.#limits = limits;
  }

  /** Whether there is another attempt after a failure. `retry` is its number, beginning with 1. */
  allowRetry(retry: number, isUnreachable: boolean, elapsedMs: number): boolean {
    const { maxRetries, maxDowntimeMs } = this.#limits;
    if (!isUnreachable) this.#downSinceMs = undefined;
    else {
      this.maxPauseMs = this.#downSinceMs === undefined ? 500 : 1_000;
      this.#downSinceMs ??= elapsedMs;
      if (elapsedMs - this.#downSinceMs < maxDowntimeMs) {
        this.#uncounted++;
        return true;
      }
    }
    const counted = retry - this.#uncounted;
    this.maxPauseMs = Math.min(300 * 2 ** (counted - 1), 8_000);
    return counted <= maxRetries;
  }
}

/** `Retry-After` in milliseconds: seconds or an HTTP date; `undefined` when it is neither. */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1000;
  // Date.parse alone takes "-5" for a year: an HTTP date begins with the name of a day.
  const date = /^\s*[A-Z][a-z]{2}/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

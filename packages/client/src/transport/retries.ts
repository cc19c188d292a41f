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

/** Ky needs a finite limit. In a downtime there are about two retries a second, so this never ends one early. */
const maxRetriesPerSecondOfDowntime = 10;

/**
 * The retries of one call. While the service cannot be reached, because it is restarting, they go on until `maxDowntimeMs`
 * has passed since it could not be reached for the first time. All other failures count against `maxRetries`.
 */
export class RetryRules {
  /** The retries that ky allows in any case. `maxRetries: 0` turns off all of them. */
  readonly limit: number;
  readonly #limits: RetryLimits;
  readonly #random: () => number;
  #uncounted = 0;
  #downSinceMs: number | undefined;

  constructor(limits: RetryLimits, random = Math.random) {
    const { maxRetries, maxDowntimeMs } = limits;
    const maxUncounted = Math.ceil((maxDowntimeMs / 1_000) * maxRetriesPerSecondOfDowntime);
    this.limit = maxRetries === 0 ? 0 : maxRetries + maxUncounted;
    this.#limits = limits;
    this.#random = random;
  }

  /** The pause before the next attempt, or undefined if this failure is final. `retry` is the number of the retry, beginning with 1. */
  nextPauseMs(retry: number, isUnreachable: boolean, elapsedMs: number): number | undefined {
    const { maxRetries, maxDowntimeMs } = this.#limits;
    if (isUnreachable) {
      const maxPauseMs = this.#downSinceMs === undefined ? 500 : 1_000;
      this.#downSinceMs ??= elapsedMs;
      if (elapsedMs - this.#downSinceMs < maxDowntimeMs) {
        this.#uncounted++;
        return this.#random() * maxPauseMs;
      }
    } else {
      this.#downSinceMs = undefined;
    }
    const counted = retry - this.#uncounted;
    return counted <= maxRetries ? this.#random() * Math.min(300 * 2 ** (counted - 1), 8_000) : undefined;
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

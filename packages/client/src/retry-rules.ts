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

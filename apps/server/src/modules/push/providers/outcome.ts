/** How an attempt to push ended. */
export interface PushOutcome {
  readonly status: number | null;
  /** Why it failed, without anything of the token, the endpoint or a text. */
  readonly error: string | null;
  readonly durationMs: number;
  /**
   * - `accepted`: the push service has it.
   * - `gone`: it does not know the device any more.
   * - `rejected`: repeating would not help.
   * - `failed`: it may help.
   * - `unwanted`: it was not sent, because the device must not get it any more.
   */
  readonly result: "accepted" | "gone" | "rejected" | "failed" | "unwanted";
  /** How long to wait, as the push service says. */
  readonly retryAfterMs?: number | undefined;
}

/** What a status means, apart from those that say that the device is gone. Without one, there was no response. */
export function resultOf(status: number | null): PushOutcome["result"] {
  if (status === null) return "failed";
  if (status >= 200 && status < 300) return "accepted";
  return status === 429 || status >= 500 ? "failed" : "rejected";
}

const maxRetryAfterMs = 3_600_000;

/** The value of `Retry-After`, which is seconds or a date, in milliseconds. */
export function readRetryAfter(value: string | null | undefined, now: number): number | undefined {
  if (value === null || value === undefined || value === "") return undefined;
  const ms = /^[0-9]+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), maxRetryAfterMs);
}

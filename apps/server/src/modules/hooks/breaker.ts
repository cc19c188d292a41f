import { limits } from "@madang/contract";

/**
 * Pauses a hook after some failures in a row. Those for messages of a single sender do not pause it: it may fail because of what that one
 * writes. The clock is monotonic, in milliseconds.
 */
export class Breaker {
  readonly #monotonicNow: () => number;
  #failures = 0;
  /** Of the failures since the latest success or pause, up to two. */
  readonly #senders = new Set<string>();
  #pausedUntil = Number.NEGATIVE_INFINITY;

  constructor(monotonicNow: () => number) {
    this.#monotonicNow = monotonicNow;
  }

  /** How long the pause still lasts. 0: there is none. */
  get pausedMs(): number {
    return Math.max(0, this.#pausedUntil - this.#monotonicNow());
  }

  /** Counts a call. Returns whether it began a pause. After a pause, one failure for each of two senders begins the next one. */
  count(isFailure: boolean, senderId: string): boolean {
    if (!isFailure) {
      this.#failures = 0;
      this.#senders.clear();
    }
    // Calls that began before the pause do not extend it.
    if (!isFailure || this.pausedMs > 0) return false;
    this.#failures += 1;
    if (this.#senders.size < 2) this.#senders.add(senderId);
    if (this.#failures < limits.hookFailures || this.#senders.size < 2) return false;
    this.#senders.clear();
    this.#pausedUntil = this.#monotonicNow() + limits.hookPauseSeconds * 1_000;
    return true;
  }
}

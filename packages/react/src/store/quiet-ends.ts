import type { UserChannel } from "@madang/client";

/** How long after its `quiet_until` a channel is read again, and again if the clock of the service is late. */
const quietEndMs = 1_000;
const lateMs = 30_000;
/** A timer cannot wait for longer than 24 days. */
const maxTimerMs = 2 ** 31 - 1;

const endOf = ({ preferences }: UserChannel) => preferences?.quiet_until ?? Number.POSITIVE_INFINITY;

export const isQuietOver = (line: UserChannel) => endOf(line) <= Date.now();

/** Waits for the next `quiet_until` of a channel, for which there is no event. */
export class QuietEnds {
  readonly #onEnd: () => void;
  #next = Number.POSITIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param onEnd Reads again where `isQuietOver`, and calls `watch` again. */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  watch(lines: readonly UserChannel[]): void {
    const next = lines.reduce((first, line) => Math.min(first, endOf(line)), Number.POSITIVE_INFINITY);
    if (next === this.#next) return;
    this.#next = next;
    clearTimeout(this.#timer);
    if (next === Number.POSITIVE_INFINITY) return;
    const waitMs = next - Date.now();
    this.#timer = setTimeout(
      () => {
        if (next > Date.now()) this.forget();
        this.#onEnd();
      },
      Math.min(maxTimerMs, waitMs < 0 ? lateMs : waitMs + quietEndMs),
    );
  }

  /** The next `watch` waits again, also for the same time. */
  forget(): void {
    this.#next = Number.POSITIVE_INFINITY;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.forget();
  }
}

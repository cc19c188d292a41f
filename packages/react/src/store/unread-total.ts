import { WorkQueue } from "./work-queue";

/** How long the total is what events say, before it is read. */
const checkMs = 5_000;
/** There is one total. */
const total = "total";

/** The unread messages of all channels, as the service counted them and lines have changed since. Needed while not all are known. */
export class UnreadTotal {
  value = 0;
  readonly #queue: WorkQueue;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param read Reads the value. */
  constructor(read: (signal: AbortSignal) => Promise<void>) {
    this.#queue = new WorkQueue(() => read(this.#queue.signal));
  }

  open(): void {
    this.#queue.open();
  }

  close(): void {
    this.#queue.close();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  retry(): void {
    this.#queue.retry();
  }

  read(): void {
    this.#queue.refresh(total);
  }

  change(by: number): void {
    if (by === 0) return;
    this.value += by;
    // One that is on its way may be from before the change, or from after it.
    this.#queue.outdate(total);
    // The one that was read may have had the change before its event came.
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.read();
    }, checkMs);
  }
}

import { isDatabaseUnavailable } from "../db/faults";
import { ServiceError } from "../errors";
import { isWaitingForKey } from "../idempotency/store";

/** How calls are run in batches. */
export interface Batching<Call, Result> {
  /** Calls with the same key run in their order of arrival, and are in one batch at a time. Without it, all are independent. */
  readonly keyOf?: (call: Call) => string;
  /** Calls that have one of these in common are never in one batch. */
  readonly distinctOf?: (call: Call) => readonly string[];
  /** Whether a batch contains only one key. */
  readonly isSingleKeyed?: boolean;
  /** Keeps a batch short, and so the wait of the calls after it. */
  readonly maxSize?: number;
  /** How many batches run at once. While they run, calls wait and form the next batch. */
  readonly maxRunning: number;
  /** How long a call may wait for earlier ones. */
  readonly maxWaitMs?: number;
  /** The same after the database failed: waiting for another timeout would take too long. */
  readonly maxWaitAfterFailureMs?: number;
  /**
   * Runs calls at once. A call whose result is undefined took no effect: it then runs alone. If it rejects, no call took
   * effect. `mayWait`: whether it may wait for locks; otherwise it passes over the calls whose rows are locked.
   */
  runMany(calls: readonly Call[], mayWait: boolean): Promise<readonly (Result | undefined)[]>;
  runOne(call: Call): Promise<Result>;
}

interface Waiting<Call, Result> {
  readonly call: Call;
  readonly key: string | undefined;
  /** By a monotonic clock. */
  readonly since: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

const defaults = { maxSize: 64, maxWaitMs: 2_000, maxWaitAfterFailureMs: 250 };

/** A batch that runs longer, because it waits for a lock or a slow disk, delays no other batch. */
const slowMs = 50;

/**
 * Runs calls in batches. The calls that arrive while earlier batches run form the next one; no call waits for a batch to
 * fill. Each call is settled on its own: what a batch passes over runs again by key, then alone.
 */
export function createBatcher<Call, Result>(
  batching: Batching<Call, Result>,
): (call: Call) => Promise<Result> {
  const batcher = new Batcher(batching);
  return (call) => batcher.add(call);
}

class Batcher<Call, Result> {
  readonly #batching: Required<Pick<Batching<Call, Result>, keyof typeof defaults>> & Batching<Call, Result>;
  /** In the order of arrival. */
  #waiting: Waiting<Call, Result>[] = [];
  /** The keys of the calls that run. */
  readonly #busyKeys = new Set<string>();
  #running = 0;

  constructor(batching: Batching<Call, Result>) {
    this.#batching = { ...defaults, ...batching };
  }

  add(call: Call): Promise<Result> {
    return new Promise((resolve, reject) => {
      const key = this.#batching.keyOf?.(call);
      this.#waiting.push({ call, key, since: performance.now(), resolve, reject });
      this.#start();
    });
  }

  #start(): void {
    while (this.#running < this.#batching.maxRunning) {
      const batch = this.#takeBatch();
      if (batch.length === 0) return;
      void this.#run(batch);
    }
  }

  /** Takes the first calls that may run now, and rejects those that waited too long. */
  #takeBatch(): Waiting<Call, Result>[] {
    const { maxSize, maxWaitMs, distinctOf, isSingleKeyed } = this.#batching;
    this.#rejectLate(maxWaitMs, () => true);
    const batch: Waiting<Call, Result>[] = [];
    const left: Waiting<Call, Result>[] = [];
    const passedOver = new Set<string>();
    const distinct = new Set<string>();
    for (const waiting of this.#waiting) {
      const { call, key } = waiting;
      const names = distinctOf?.(call) ?? [];
      const mustWait =
        batch.length === maxSize ||
        (key !== undefined && (this.#busyKeys.has(key) || passedOver.has(key))) ||
        names.some((name) => distinct.has(name)) ||
        (isSingleKeyed && batch.length > 0 && batch[0]?.key !== key);
      if (mustWait) {
        left.push(waiting);
        if (key !== undefined) passedOver.add(key);
      } else {
        batch.push(waiting);
        for (const name of names) distinct.add(name);
      }
    }
    this.#waiting = left;
    return batch;
  }

  /** Runs a batch. The next one may start when it ends, or when it turns out to be slow. */
  async #run(batch: readonly Waiting<Call, Result>[]): Promise<void> {
    const keys = new Set(batch.map(({ key }) => key));
    for (const key of keys) if (key !== undefined) this.#busyKeys.add(key);
    this.#running += 1;
    let isCounted = true;
    const uncount = () => {
      if (isCounted) this.#running -= 1;
      isCounted = false;
    };
    const slow = setTimeout(() => {
      uncount();
      this.#start();
    }, slowMs);
    const left = await this.#settleMany(batch, keys.size === 1);
    clearTimeout(slow);
    uncount();
    for (const key of keys) {
      const ofKey = left.filter((waiting) => waiting.key === key);
      if (keys.size === 1 || ofKey.length === 0) this.#release(key, ofKey);
      // Its row was locked, perhaps by another process: its calls wait for the lock together.
      else void this.#settleMany(ofKey, true).then((rest) => this.#release(key, rest));
    }
    this.#start();
  }

  /** Lets the next calls of a key start. Those that took no effect in a batch run alone, and delay no others. */
  #release(key: string | undefined, left: readonly Waiting<Call, Result>[]): void {
    for (const waiting of left) void this.#settleAlone(waiting);
    if (key !== undefined) this.#busyKeys.delete(key);
    this.#start();
  }

  /** Settles calls at once. Never rejects; returns those that took no effect. */
  async #settleMany(
    batch: readonly Waiting<Call, Result>[],
    mayWait: boolean,
  ): Promise<readonly Waiting<Call, Result>[]> {
    const [only, second] = batch;
    if (only !== undefined && second === undefined) {
      await this.#settleAlone(only);
      return [];
    }
    try {
      const results = await this.#batching.runMany(
        batch.map(({ call }) => call),
        mayWait,
      );
      return batch.filter(({ resolve }, index) => {
        const result = results[index];
        if (result !== undefined) resolve(result);
        return result === undefined;
      });
    } catch (error) {
      // Unless the database is unavailable, one of the calls may be the cause.
      if (!isUnavailable(error)) return batch;
      for (const { reject } of batch) reject(error);
      this.#rejectAfterFailure(batch);
      return [];
    }
  }

  async #settleAlone(waiting: Waiting<Call, Result>): Promise<void> {
    try {
      waiting.resolve(await this.#batching.runOne(waiting.call));
    } catch (error) {
      waiting.reject(error);
      if (isUnavailable(error)) this.#rejectAfterFailure([waiting]);
    }
  }

  /** Rejects calls that already waited for calls with the same key, which failed: they would wait as long again. */
  #rejectAfterFailure(failed: readonly Waiting<Call, Result>[]): void {
    const keys = new Set(failed.map(({ key }) => key));
    this.#rejectLate(this.#batching.maxWaitAfterFailureMs, ({ key }) => keys.has(key));
  }

  #rejectLate(maxWaitMs: number, mayReject: (waiting: Waiting<Call, Result>) => boolean): void {
    const earliest = performance.now() - maxWaitMs;
    const [oldest] = this.#waiting;
    if (oldest === undefined || oldest.since >= earliest) return;
    const isLate = (waiting: Waiting<Call, Result>) => waiting.since < earliest && mayReject(waiting);
    for (const { reject } of this.#waiting.filter(isLate)) reject(new ServiceError("unavailable", late));
    this.#waiting = this.#waiting.filter((waiting) => !isLate(waiting));
  }
}

/** Whether other calls would fail as well. A call that waits for its own idempotency key fails alone. */
const isUnavailable = (error: unknown) => isDatabaseUnavailable(error) && !isWaitingForKey(error);

const late = "Too many requests wait for the same resource. Try again shortly.";

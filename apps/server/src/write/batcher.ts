import { isDatabaseUnavailable, isLockTimeout, isRolledBack, isTimedOut } from "../db/faults";
import { ServiceError } from "../errors/service-error";
import { type Client, currentClient, inRotation, runAs, runAsService } from "../turns/client";
import { isWaitingForIdempotencyKey } from "./idempotency-store";
import { currentSpans, runInSpans } from "./spans";

/** How calls are run in batches. */
export interface Batching<Call, Result> {
  /** Calls of the same group are in one batch at a time, and those of one client run in their order of arrival. Without it, all are independent. */
  readonly groupOf?: (call: Call) => string;
  /** Calls that have a name in common are never in one batch. */
  readonly namesOf?: (call: Call) => readonly string[];
  /** How many batches run at once. While they run, calls wait and form the next batch. */
  readonly maxRunning: number;
  /**
   * Runs calls at once. A call whose result is undefined took no effect: it then runs alone. If it rejects, no call took
   * effect, or the connection was lost. If the calls are of several groups, it should not wait long for the lock of one.
   */
  runMany(calls: readonly Call[]): Promise<readonly (Result | undefined)[]>;
  runOne(call: Call): Promise<Result>;
}

interface Waiting<Call, Result> {
  readonly call: Call;
  readonly group: string | undefined;
  /** What no other call of its batch may have. */
  readonly names: readonly string[];
  readonly spans: ReturnType<typeof currentSpans>;
  readonly client: Client;
  /** By a monotonic clock. */
  readonly since: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** What a batch did not settle, and whether that is because it failed as a whole. */
interface Left<Call, Result> {
  readonly calls: readonly Waiting<Call, Result>[];
  readonly hasFailed: boolean;
}

/** Keeps a batch short, and so the wait of the calls after it. */
const maxSize = 64;
/** How long a call may wait for earlier ones. */
const maxWaitMs = 2_000;
/** The same after the database failed: waiting for another timeout would take too long. */
const maxWaitAfterFailureMs = 250;
/** A batch that runs longer, because it waits for a lock or a slow disk, delays no other batch. */
const slowMs = 50;

/**
 * Runs calls in batches. The calls that arrive while earlier batches run form the next one; no call waits for a batch to
 * fill. Each call is settled on its own: what a batch passes over runs again by group, then alone.
 */
export function createBatcher<Call, Result>(
  batching: Batching<Call, Result>,
): (call: Call) => Promise<Result> {
  const batcher = new Batcher(batching);
  return (call) => batcher.add(call);
}

class Batcher<Call, Result> {
  readonly #batching: Batching<Call, Result>;
  /** In the order of arrival. Batches take them in rotation, so that none waits behind the many of another client. */
  #waiting: Waiting<Call, Result>[] = [];
  /** The groups of the calls that run. */
  readonly #busyGroups = new Set<string>();
  #running = 0;

  constructor(batching: Batching<Call, Result>) {
    this.#batching = batching;
  }

  add(call: Call): Promise<Result> {
    return new Promise((resolve, reject) => {
      const group = this.#batching.groupOf?.(call);
      const names = this.#batching.namesOf?.(call) ?? [];
      const [spans, client] = [currentSpans(), currentClient()];
      this.#waiting.push({ call, group, names, spans, client, since: performance.now(), resolve, reject });
      // Behind another one of its group, it starts when that one ends.
      if (group === undefined || !this.#busyGroups.has(group)) this.#start();
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
    this.#rejectLate(maxWaitMs, () => true);
    const batch: Waiting<Call, Result>[] = [];
    const passedOver = new Set<string>();
    const distinct = new Set<string>();
    const isMore = this.#waiting.length > maxSize;
    for (const waiting of isMore ? inRotation(this.#waiting, ({ client }) => client.name) : this.#waiting) {
      if (batch.length === maxSize) break;
      const { group, names } = waiting;
      const mustWait =
        (group !== undefined && (this.#busyGroups.has(group) || passedOver.has(group))) ||
        names.some((name) => distinct.has(name));
      if (mustWait) {
        if (group !== undefined) passedOver.add(group);
      } else {
        batch.push(waiting);
        for (const name of names) distinct.add(name);
      }
    }
    const taken = new Set(batch);
    this.#waiting = this.#waiting.filter((waiting) => !taken.has(waiting));
    return batch;
  }

  /**
   * Runs a batch. The next one may start when it ends, or when it turns out to be slow.
   *
   * | calls of a batch                           | are then                                                      |
   * | ------------------------------------------ | ------------------------------------------------------------- |
   * | took effect                                | resolved                                                      |
   * | took no effect, in a batch of several groups | run again as a batch of their group, which may wait for locks   |
   * | took no effect, in a batch of one group      | run alone, all at once                                        |
   * | failed together                            | run alone, one after the other                                |
   * | failed together, finally (`isFinal`)       | rejected, and so are later calls of their groups that are late  |
   */
  async #run(batch: readonly Waiting<Call, Result>[]): Promise<void> {
    const groups = new Set(batch.map(({ group }) => group));
    for (const group of groups) if (group !== undefined) this.#busyGroups.add(group);
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
    const { calls, hasFailed } = await this.#settleMany(batch, groups.size === 1);
    clearTimeout(slow);
    uncount();
    const left = Map.groupBy(calls, ({ group }) => group);
    for (const group of groups)
      void this.#finish(group, { calls: left.get(group) ?? [], hasFailed }, groups.size > 1);
    this.#start();
  }

  /**
   * Settles what a batch left of one group, and lets the next calls of the group start. What took no effect in a batch of several
   * groups runs again together, because its row may have changed meanwhile, and may now wait for its lock.
   */
  async #finish(group: string | undefined, left: Left<Call, Result>, mayBatch: boolean): Promise<void> {
    const isBatched = mayBatch && !left.hasFailed && left.calls.length > 0;
    const { calls, hasFailed } = isBatched ? await this.#settleMany(left.calls, true) : left;
    // One of them may be the cause, and all of them may need the same row.
    if (hasFailed) await this.#settleOneByOne(calls);
    // They are rejected, or allowed after a concurrent change, and delay no others.
    else for (const waiting of calls) void this.#settleAlone(waiting);
    if (group !== undefined) this.#busyGroups.delete(group);
    this.#start();
  }

  /** Settles calls at once. Never rejects; returns those that took no effect. */
  async #settleMany(
    batch: readonly Waiting<Call, Result>[],
    isOneGroup: boolean,
  ): Promise<Left<Call, Result>> {
    const [only, second] = batch;
    if (only !== undefined && second === undefined) {
      await this.#settleAlone(only);
      return { calls: [], hasFailed: false };
    }
    try {
      const calls = batch.map(({ call }) => call);
      const spans = batch.flatMap((waiting) => waiting.spans);
      const results = await runInSpans(spans, () => runAsService(() => this.#batching.runMany(calls)));
      const left = batch.filter(({ resolve }, index) => {
        const result = results[index];
        if (result !== undefined) resolve(result);
        return result === undefined;
      });
      return { calls: left, hasFailed: false };
    } catch (error) {
      if (!isFinal(error, isOneGroup)) return { calls: batch, hasFailed: true };
      for (const { reject } of batch) reject(error);
      this.#rejectAfterFailure(batch);
      return { calls: [], hasFailed: false };
    }
  }

  /** Once the database is unavailable for one call, the ones after it are rejected. */
  async #settleOneByOne(calls: readonly Waiting<Call, Result>[]): Promise<void> {
    let failure: unknown;
    for (const waiting of calls) {
      if (failure === undefined) failure = await this.#settleAlone(waiting);
      else waiting.reject(failure);
    }
  }

  /** Returns the error if it means that other calls would fail as well. */
  async #settleAlone(waiting: Waiting<Call, Result>): Promise<unknown> {
    try {
      const run = () => runAs(waiting.client, () => this.#batching.runOne(waiting.call));
      waiting.resolve(await runInSpans(waiting.spans, run));
    } catch (error) {
      waiting.reject(error);
      if (!isUnavailable(error)) return undefined;
      this.#rejectAfterFailure([waiting]);
      return error;
    }
    return undefined;
  }

  /** Rejects calls that already waited for calls of the same group, which failed: they would wait as long again. */
  #rejectAfterFailure(failed: readonly Waiting<Call, Result>[]): void {
    const groups = new Set(failed.map(({ group }) => group));
    this.#rejectLate(maxWaitAfterFailureMs, ({ group }) => groups.has(group));
  }

  #rejectLate(maxMs: number, mayReject: (waiting: Waiting<Call, Result>) => boolean): void {
    const earliest = performance.now() - maxMs;
    const [oldest] = this.#waiting;
    if (oldest === undefined || oldest.since >= earliest) return;
    const isLate = (waiting: Waiting<Call, Result>) => waiting.since < earliest && mayReject(waiting);
    for (const { reject } of this.#waiting.filter(isLate)) reject(new ServiceError("unavailable", late));
    this.#waiting = this.#waiting.filter((waiting) => !isLate(waiting));
  }
}

/** Whether other calls would fail as well. A call that waits for its own idempotency key fails alone. */
const isUnavailable = (error: unknown) => isDatabaseUnavailable(error) && !isWaitingForIdempotencyKey(error);

/**
 * Whether the calls of a failed batch are not run alone: the database is unavailable, so that they may have taken effect, or
 * all of them have already waited for the same lock. What PostgreSQL cancelled or rolled back took no effect.
 */
function isFinal(error: unknown, isOneGroup: boolean): boolean {
  if (!isUnavailable(error)) return false;
  return isLockTimeout(error) ? isOneGroup : !isTimedOut(error) && !isRolledBack(error);
}

const late = "The server is busy: the request waited too long for earlier ones. Try again shortly.";

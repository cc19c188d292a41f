import type { Queryable } from "../db/db";
import { createBatcher } from "./batcher";
import { idempotencyNames } from "./request";
import type { Writer } from "./writer";

/** How the writes of concurrent requests share statements. */
export interface WriteBatching<Call, Result> {
  /** The channel whose rows are written. Absent if they are of no channel. */
  readonly channelOf?: (call: Call) => string;
  /** Calls of a group write the same row: they run in their order of arrival. */
  readonly groupOf: (call: Call) => string;
  /** Two calls with a name in common cannot both take effect. They are never in one batch. */
  readonly namesOf?: (call: Call) => readonly string[];
  /**
   * Writes the calls of a batch, all of one schema, in one statement. A call whose result is undefined took no effect.
   * `maxLockWaitMs` is set for calls of several channels: a statement that locks channels waits no longer, so that a locked one
   * delays the others only briefly.
   */
  runMany(
    schema: Queryable,
    calls: readonly Call[],
    maxLockWaitMs: number | undefined,
  ): Promise<readonly (Result | undefined)[]>;
  /** Writes a call that took no effect in a batch, or finds the reason. */
  runOne(call: Call): Promise<Result>;
}

const maxSharedWaitMs = 50;

/** Writes that arrive while others run share the next statement. A statement reaches the channels of one schema. */
export function batchWrites<Call extends { readonly writer: Writer }, Result>(
  db: Queryable,
  { channelOf, groupOf, namesOf, runMany, runOne }: WriteBatching<Call, Result>,
): (call: Call) => Promise<Result> {
  const batch = (schema: Queryable) =>
    createBatcher<Call, Result>({
      groupOf,
      distinctOf: (call) => [...idempotencyNames(call.writer.request), ...(namesOf?.(call) ?? [])],
      maxRunning: 2,
      runMany: (calls) => {
        const channels = new Set(calls.map((call) => channelOf?.(call)));
        return runMany(schema, calls, channels.size > 1 ? maxSharedWaitMs : undefined);
      },
      runOne,
    });
  if (channelOf === undefined) return batch(db);
  const batchers = new Map(db.schemas().map((schema) => [schema, batch(schema)]));
  return (call) => {
    const add = batchers.get(db.channel(channelOf(call)));
    if (add === undefined) throw new Error("A channel is in one of the schemas.");
    return add(call);
  };
}

import type { Statement, Tx } from "../db/db";
import type { SubjectOfRow } from "./audit/entries-store";
import type { Writer } from "./writer";

/** A change of rows that an earlier statement has locked. */
export interface LockedChange<Row> extends Statement<Row> {
  /** What the request does not name, for the audit entry. */
  readonly subject?: SubjectOfRow;
}

/**
 * Locks rows, then runs a change in the same transaction. The change sees the rows as they are, and everything that was written
 * under earlier locks of them. Changes nothing if there is no row to lock. A check that throws rejects the change: under the locks, and
 * before, so that a user does not wait for a channel that does not exist for it. `after` runs
 * after a change that took effect.
 *
 * A single statement must not do both: two of them deadlock while a further transaction holds the row FOR KEY SHARE. For example, a
 * freeze has the lock of the newest version of a channel, and needs that of the version it saw first. A rename has that one, and waits
 * for the newest one.
 */
export function writeLocked<Row>(
  writer: Writer,
  [lock, lockValues]: readonly [lock: Statement<unknown>, values: readonly unknown[]],
  [change, values]: readonly [change: LockedChange<Row>, values: readonly unknown[]],
  check?: (tx: Tx) => Promise<void>,
  after?: (tx: Tx) => Promise<void>,
): Promise<Row[]> {
  return writer.writeAll(async (tx) => {
    await check?.(tx);
    const locked = await tx.query(lock, lockValues);
    await check?.(tx);
    const changed = locked.length === 0 ? [] : await tx.query(change, values);
    if (changed.length > 0) await after?.(tx);
    return changed;
  }, change.subject);
}

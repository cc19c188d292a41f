import type { Queryable } from "../db/db";
import type { Statement } from "../db/statement";
import type { ChangeOfSender } from "./audit/entries-store";
import type { Writer } from "./writer";

/**
 * Locks rows, then runs a change in the same transaction. The change sees the rows as they are, and everything that was written
 * under earlier locks of them. Changes nothing if there is no row to lock. A check that throws under the locks rejects the change.
 *
 * Statements that each lock a row and then change it deadlock with each other while further transactions hold it FOR KEY SHARE:
 * they lock its newest version, but begin to change the one that they saw first.
 */
export function writeLocked<Row>(
  writer: Writer,
  [lock, lockValues]: readonly [lock: Statement<unknown>, values: readonly unknown[]],
  [change, values]: readonly [change: Statement<Row> | ChangeOfSender<Row>, values: readonly unknown[]],
  check?: (tx: Queryable) => Promise<void>,
): Promise<Row[]> {
  return writer.writeAll(
    async (tx) => {
      const locked = await tx.query(lock, lockValues);
      await check?.(tx);
      return locked.length === 0 ? [] : tx.query(change, values);
    },
    "subject" in change ? change.subject : undefined,
  );
}

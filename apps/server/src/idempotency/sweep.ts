import { limits } from "@madang/contract";
import type { Queryable, Statement } from "../db/db";
import { databaseNow } from "../db/statement";

const retentionMs = limits.idempotencyKey.retentionHours * 3_600_000;

const keysPerStep = 1_000;

/** Removes some expired keys, and returns whether more may remain. */
export async function sweepExpiredKeys(db: Queryable): Promise<boolean> {
  const removed = await db.query(remove, [retentionMs, keysPerStep]);
  return removed.length === keysPerStep;
}

const remove: Statement<unknown> = {
  name: "idempotency.sweep",
  text: `DELETE FROM idempotency_keys WHERE ctid IN (
      SELECT ctid FROM idempotency_keys WHERE created_at < ${databaseNow} - $1 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)
    RETURNING 1`,
};

import { type ErrorCode, limits } from "@madang/contract";
import type { Db, Queryable, Statement } from "../db/db";
import { isLockTimeout } from "../db/faults";
import { databaseNow } from "../db/statement";
import { ServiceError } from "../errors";
import type { Claim, StoredResult } from "./claim";

const retentionMs = limits.idempotencyKey.retentionHours * 3_600_000;

/** The time before which stored results have expired, in SQL. */
export const expiredBefore = `(${databaseNow} - ${retentionMs})`;

// The rows have the type of the statement that stored them.
export const findResult: Statement<StoredResult<never>> = {
  name: "idempotency.find-result",
  text: `SELECT fingerprint, result FROM idempotency_keys WHERE caller = $1 AND key = $2 AND created_at >= ${expiredBefore}`,
};

export const storeResult: Statement<unknown> = {
  name: "idempotency.store-result",
  text: `INSERT INTO idempotency_keys (caller, key, fingerprint, created_at, result)
    VALUES ($1, $2, $3, ${databaseNow}, $4)`,
};

/** Runs a statement on a shard unless its key was used before, and stores the rows as the result of the key. */
export const runOnShard = (name: string): Statement<ShardResult> => ({
  name: `${name}-keyed`,
  text: `SELECT earlier, rows FROM madang_run_once($1::text, $2::text, $3::bytea, ${databaseNow}, ${expiredBefore},
    $4::integer, $5::bigint, $6::text, $7::text, $8::text[])`,
});

interface ShardResult {
  /** The fingerprint of the earlier request with the key. The rows are those of its effect. */
  readonly earlier: Buffer | null;
  readonly rows: never[] | null;
}

/** Errors for which no stored result is looked up. After `unavailable`, another query would only make the client wait longer. */
const finalCodes: readonly ErrorCode[] = ["idempotency_key_reused", "unavailable"];

/**
 * Whether a failed request may succeed on retry: a result was stored under its key after it had looked for one, or its
 * key conflicted with a request that failed or with an expired result, which is deleted here.
 */
export async function canRetry(
  { query }: Pick<Db, "query">,
  { caller, key }: Claim,
  error: unknown,
): Promise<boolean> {
  if (isKeyTaken(error)) {
    await query(removeExpired, [caller, key]);
    return true;
  }
  if (!(error instanceof ServiceError) || finalCodes.includes(error.code)) return false;
  const [stored] = await query(findResult, [caller, key]);
  return stored !== undefined;
}

/** Whether another request stored a result under the same idempotency key first. */
function isKeyTaken(thrown: unknown): boolean {
  return thrown instanceof Error && "constraint" in thrown && thrown.constraint === "idempotency_keys_pkey";
}

/** Whether a statement waited too long for a request with the same idempotency key to end. */
export function isWaitingForKey(thrown: unknown): boolean {
  const where = thrown instanceof Error && "where" in thrown ? String(thrown.where) : "";
  return isLockTimeout(thrown) && where.includes('"idempotency_keys');
}

const removeExpired: Statement<unknown> = {
  name: "idempotency.remove-expired",
  text: `DELETE FROM idempotency_keys WHERE caller = $1 AND key = $2 AND created_at < ${expiredBefore}`,
};

const keysPerStep = 1_000;

/** Removes some expired keys, and returns whether more may remain. */
export async function sweepExpiredKeys(db: Queryable): Promise<boolean> {
  const removed = await db.query(sweep, [keysPerStep]);
  return removed.length === keysPerStep;
}

const sweep: Statement<unknown> = {
  name: "idempotency.sweep",
  text: `DELETE FROM idempotency_keys WHERE ctid IN (
      SELECT ctid FROM idempotency_keys WHERE created_at < ${expiredBefore} ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED)
    RETURNING 1`,
};

import type { ErrorCode } from "@madang/contract";
import type { Claim } from "../db/claim";
import type { Queryable, Statement } from "../db/db";
import { isKeyTaken } from "../db/faults";
import type { Row } from "../db/row";
import { ServiceError } from "../errors";

/** What no earlier result of the key changes. If the database is slow, it is not asked again: the client waited enough. */
const finalCodes: readonly ErrorCode[] = ["idempotency_key_reused", "unavailable"];

/**
 * Whether a failed request may succeed on retry: a result was stored under its key after it had looked for one, or its
 * key conflicted with a request that failed or with an expired result, which is deleted here.
 */
export async function canRetry(db: Queryable, claim: Claim, error: unknown): Promise<boolean> {
  const isTaken = isKeyTaken(error);
  const isRejected = error instanceof ServiceError && !finalCodes.includes(error.code);
  if (!isTaken && !isRejected) return false;
  const { caller, key, expiredBefore } = claim;
  const [stored] = await db.query(find, [caller, key]);
  if (stored === undefined) return isTaken;
  if (stored.createdAt >= expiredBefore) return true;
  await db.query(removeExpired, [caller, key, expiredBefore]);
  return isTaken;
}

const find: Statement<Row<"IdempotencyKey", "createdAt">> = {
  name: "idempotency.find",
  text: `SELECT created_at AS "createdAt" FROM idempotency_keys WHERE caller = $1 AND key = $2`,
};

const removeExpired: Statement<unknown> = {
  name: "idempotency.remove-expired",
  text: "DELETE FROM idempotency_keys WHERE caller = $1 AND key = $2 AND created_at < $3",
};

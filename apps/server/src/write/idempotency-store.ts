import { type ErrorCode, limits } from "@madang/contract";
import { type Db, databaseNow, defineLock, type Statement, type Tx } from "../db/db";
import { isLockTimeout } from "../db/faults";
import { defineSweep } from "../db/sweep-old";
import { ServiceError } from "../errors/service-error";
import { insertEntry, readSubject, type SubjectOfRow } from "./audit/entries-store";
import type { IdempotencyKey, WriteRequest } from "./request";

const retentionMs = limits.idempotencyKey.retentionHours * 3_600_000;

/** The stored result of a key. The rows have the type of the change that stored them. */
interface StoredResult {
  readonly fingerprint: string;
  readonly result: readonly unknown[] | StoredRejection;
}

/** Why a check rejected a request, stored in place of the rows. */
export type StoredRejection = Pick<ServiceError, "code" | "detail" | "members">;

/** The rows that a key has stored. Throws if its request was rejected by a check. */
export function readRows<Row>(result: readonly Row[] | StoredRejection): readonly Row[] {
  if ("code" in result) throw new ServiceError(result.code, result.detail, result);
  return result;
}

export async function findResult(
  db: Pick<Db, "query">,
  { caller, key }: IdempotencyKey,
): Promise<StoredResult | undefined> {
  const [stored] = await db.query(find, [caller, key]);
  return stored;
}

const find: Statement<StoredResult> = {
  name: "write.find-result",
  text: `SELECT encode(fingerprint, 'hex') AS fingerprint, result FROM idempotency_keys
    WHERE caller = $1 AND key = $2`,
};

/** Stores the result of a transaction under the idempotency key, and its audit entry, as a command does. */
export async function recordWrite(
  tx: Tx,
  { key, entry }: WriteRequest,
  rows: readonly unknown[],
  subject: SubjectOfRow,
): Promise<void> {
  if (key === undefined && entry === undefined) return;
  const result = key === undefined ? null : JSON.stringify(rows);
  const of = [key?.caller ?? null, key?.key ?? null, key?.fingerprint ?? null, result];
  await tx.query(record, [...of, entry ?? null, ...readSubject(subject, rows[0])]);
}

const record: Statement<unknown> = {
  name: "write.record",
  text: `WITH stored AS (
      INSERT INTO idempotency_keys (caller, key, fingerprint, created_at, result)
      SELECT $1::text, $2::text, decode($3::text, 'hex'), ${databaseNow}, $4::json WHERE $2 IS NOT NULL
    )
    ${insertEntry("$5", 6)} RETURNING 1`,
};

/** Whether a check rejected a message. */
export const isRejection = (thrown: unknown): thrown is ServiceError =>
  thrown instanceof ServiceError && thrown.code === "message_rejected";

/** Stores under its key why a check rejected a request. Returns false if another request with the key has stored a result. */
export async function storeRejection(
  db: Db,
  key: IdempotencyKey,
  { code, detail, members }: ServiceError,
): Promise<boolean> {
  const rejection: StoredRejection = { code, detail, ...(members && { members }) };
  const values = [key.caller, key.key, key.fingerprint, JSON.stringify(rejection)];
  return (await db.query(reject, values)).length > 0;
}

const reject: Statement<unknown> = {
  name: "write.store-rejection",
  text: `INSERT INTO idempotency_keys (caller, key, fingerprint, created_at, result)
    VALUES ($1, $2, decode($3, 'hex'), ${databaseNow}, $4::json) ON CONFLICT DO NOTHING RETURNING 1`,
};

/** One request with the key at a time, until the transaction ends. */
export async function lockIdempotencyKey(tx: Tx, { caller, key }: IdempotencyKey): Promise<void> {
  await tx.query(lock, [caller, key]).catch((error: unknown) => {
    throw isLockTimeout(error) ? idempotencyKeyInUse() : error;
  });
}

const lock = defineLock("write.lock-key", "$1::text || ' ' || $2");

export const idempotencyKeyInUse = () =>
  new ServiceError(
    "idempotency_key_in_use",
    "The first request with this idempotency key is still running. Send this one again in a second.",
  );

/** Errors for which no stored result is looked up. After `unavailable`, another query would only make the client wait longer. */
const finalCodes: readonly ErrorCode[] = ["idempotency_key_reused", "unavailable"];

/** Whether a failed request may succeed now: a result was stored under its key after it had looked for one. */
export async function mayRetry(key: IdempotencyKey, db: Db | undefined, error: unknown): Promise<boolean> {
  if (db === undefined) return false;
  if (isIdempotencyKeyTaken(error)) return true;
  if (!(error instanceof ServiceError) || finalCodes.includes(error.code)) return false;
  return (await findResult(db, key)) !== undefined;
}

/** Whether another request stored a result under the same idempotency key first. */
export function isIdempotencyKeyTaken(thrown: unknown): boolean {
  // On Citus, a number is behind the name.
  return (
    thrown instanceof Error &&
    "constraint" in thrown &&
    String(thrown.constraint).includes("idempotency_keys_pkey")
  );
}

/** Whether a statement waited too long for a request with the same idempotency key to end. */
export function isWaitingForIdempotencyKey(thrown: unknown): boolean {
  const where = thrown instanceof Error && "where" in thrown ? String(thrown.where) : "";
  return isLockTimeout(thrown) && where.includes("idempotency_keys");
}

const sweep = defineSweep("write.sweep-keys", "idempotency_keys", "caller, key");

/**
 * Removes some old keys, and returns whether more may remain. Until then they are valid. A change of several channels has its result
 * on the coordinator of Citus and parts of it in schemas: the result goes last, so that the change is repeated as a whole.
 */
export const sweepIdempotencyKeys = async (db: Db): Promise<boolean> =>
  (await sweep(db.schemas(), retentionMs)) || (db.isDistributed && (await sweep([db], retentionMs)));

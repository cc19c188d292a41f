import type { Queryable, Statement } from "../db/db";
import { keptMs } from "./sweep";

/** Who sent which idempotency key. */
export interface KeyOfCaller {
  readonly caller: string;
  readonly key: string;
}

export interface KeptAnswer {
  readonly fingerprint: Buffer;
  readonly answer: Buffer;
}

/**
 * Takes the key for a request, and answers whether nobody had it. While another transaction holds it this waits for
 * its end: then the key is there with its answer, or free again. A key past its time is free too.
 */
export async function claimKey(
  tx: Queryable,
  { caller, key }: KeyOfCaller,
  fingerprint: Buffer,
  now: number,
): Promise<boolean> {
  const claimed = await tx.query(claim, [caller, key, fingerprint, now, now - keptMs]);
  return claimed.length > 0;
}

export async function keepAnswer(tx: Queryable, { caller, key }: KeyOfCaller, answer: Buffer): Promise<void> {
  await tx.query(keep, [caller, key, answer]);
}

/** The answer of a key that is known; nothing where it was removed a moment ago. */
export async function findAnswer(
  tx: Queryable,
  { caller, key }: KeyOfCaller,
): Promise<KeptAnswer | undefined> {
  const [kept] = await tx.query(find, [caller, key]);
  return kept;
}

const claim: Statement<unknown> = {
  name: "idempotency.claim",
  text: `INSERT INTO idempotency_keys AS known (caller, key, fingerprint, created_at) VALUES ($1, $2, $3, $4)
    ON CONFLICT (caller, key) DO UPDATE SET fingerprint = $3, answer = NULL, created_at = $4
      WHERE known.created_at < $5
    RETURNING 1`,
};

const keep: Statement<unknown> = {
  name: "idempotency.keep",
  text: "UPDATE idempotency_keys SET answer = $3 WHERE caller = $1 AND key = $2",
};

const find: Statement<KeptAnswer> = {
  name: "idempotency.find",
  text: "SELECT fingerprint, answer FROM idempotency_keys WHERE caller = $1 AND key = $2",
};

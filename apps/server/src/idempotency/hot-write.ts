import { type AuditSubject, queueEntriesSql } from "../audit/store";
import type { Statement } from "../db/db";
import { databaseNow } from "../db/statement";
import { expiredBefore } from "./store";

/**
 * A frequent change, which is one statement even with an idempotency key or an audit entry. Its last value is the audit entry, or
 * null.
 */
export interface HotWrite<Row> extends Statement<Row> {
  readonly subject: AuditSubject;
  /** The statement with a key. After the audit entry, its values are the caller, the key and the fingerprint. */
  readonly keyed: Statement<KeyedRow<Row>>;
}

/** A row of the effect, or the stored result of an earlier request with the key. */
export type KeyedRow<Row> =
  | (Row & { readonly earlierFingerprint: null })
  | { readonly earlierFingerprint: Buffer; readonly earlierResult: Row[] };

/**
 * Defines a hot write. `build` returns common table expressions. The last one, `effect`, has the result: no rows mean that
 * nothing was changed. They use the values from $1 to `valueCount`, and must be guarded by the condition that `build` gets: it
 * is false if the key was used before. `subject` names columns of the result for the audit entry.
 *
 * With a key, one statement looks up the earlier result, changes the data if there is none, and stores the returned rows
 * as the result. The key is inserted last, and only with an effect, so it needs one row version per request.
 */
export function defineHotWrite<Row>(
  name: string,
  valueCount: number,
  build: (guard: string) => string,
  subject: AuditSubject = {},
): HotWrite<Row> {
  const [entry, caller, key, fingerprint] = [1, 2, 3, 4].map((index) => `$${valueCount + index}`);
  const audited = `audited AS (${queueEntriesSql("effect", subject, entry)})`;
  return {
    name,
    subject,
    text: `WITH ${build("true")}, ${audited} SELECT * FROM effect`,
    keyed: {
      name: `${name}-keyed`,
      text: `WITH earlier AS MATERIALIZED (
      SELECT fingerprint, result FROM idempotency_keys
      WHERE caller = ${caller}::text AND key = ${key}::text AND created_at >= ${expiredBefore}
    ), ${build("NOT EXISTS (SELECT FROM earlier)")}, stored_result AS (
      INSERT INTO idempotency_keys (caller, key, fingerprint, created_at, result)
      SELECT ${caller}::text, ${key}::text, ${fingerprint}::bytea, ${databaseNow}, json_agg(effect)
      FROM effect HAVING count(*) > 0
    ), ${audited}
    SELECT effect.*, earlier.fingerprint AS "earlierFingerprint", earlier.result AS "earlierResult"
    FROM effect FULL JOIN earlier ON true`,
    },
  };
}

/** A condition for the rows of a batch: their keys have no stored result, not even an expired one. */
export const hasNoResult = (batch: string) => `NOT EXISTS (
    SELECT FROM idempotency_keys known WHERE known.caller = ${batch}.caller AND known.key = ${batch}.key)`;

/** Stores the results of the rows of a batch that have a key. Fails if another request has used one of the keys. */
export const storeResults = (result: string, batch: string) => `
  INSERT INTO idempotency_keys (caller, key, fingerprint, created_at, result)
  SELECT caller, key, fingerprint, ${databaseNow}, ${result} FROM ${batch} WHERE key IS NOT NULL`;

/** Stores the results too, but skips keys that another request has used. Returns the stored keys. */
export const storeUnusedResults = (result: string, batch: string) =>
  `${storeResults(result, batch)} ON CONFLICT DO NOTHING RETURNING caller, key`;

import { type AuditSubject, writeEntryOf } from "../audit/store";
import type { Statement } from "../db/db";
import { databaseNow } from "../db/statement";
import { expiredBefore } from "./store";

/** A frequent change, which is one statement even with an idempotency key or an audit entry. */
export interface HotWrite<Row> extends Statement<Row> {
  readonly subject: AuditSubject;
  /** The statement with a key. Its values are followed by: caller, key, fingerprint; and the audit entry if there is one. */
  keyed(ownValues: number, isAudited: boolean): Statement<KeyedRow<Row>>;
  /** The statement without a key, with an audit entry as its last value. */
  audited(ownValues: number): Statement<Row>;
}

/** A row of the effect, or the stored result of an earlier request with the key. */
export type KeyedRow<Row> =
  | (Row & { readonly earlierFingerprint: null })
  | { readonly earlierFingerprint: Buffer; readonly earlierResult: Row[] };

export interface WriteParts {
  /** The common table expressions before the result, without WITH. */
  readonly ctes?: string;
  /** A SELECT, or a change with RETURNING. No rows mean that nothing was changed. */
  readonly result: string;
}

/**
 * Defines a hot write. `build` gets a condition that must guard the effect: it is false if the key was used before.
 * `subject` names columns of the result for the audit entry.
 *
 * With a key, one statement looks up the earlier result, changes the data if there is none, and stores the returned rows
 * as the result. The key is inserted last, and only with an effect, so it needs one row version per request.
 */
export function defineHotWrite<Row>(
  name: string,
  build: (guard: string) => WriteParts,
  subject: AuditSubject = {},
): HotWrite<Row> {
  const { ctes, result } = build("true");
  const made = new Map<string, Statement<never>>();
  const make = (suffix: string, text: () => string): Statement<never> => {
    const statement = made.get(suffix) ?? { name: name + suffix, text: text() };
    made.set(suffix, statement);
    return statement;
  };
  return {
    name,
    subject,
    text: ctes === undefined ? result : `WITH ${ctes} ${result}`,
    keyed: (ownValues, isAudited) =>
      make(isAudited ? "-keyed-audited" : "-keyed", () =>
        keyedText(
          build("NOT EXISTS (SELECT FROM earlier)"),
          ownValues,
          isAudited ? `, audited AS (${writeEntryOf("effect", `$${ownValues + 4}`, subject)})` : "",
        ),
      ),
    audited: (ownValues) =>
      make(
        "-audited",
        () => `WITH ${ctes === undefined ? "" : `${ctes},`} effect AS (${result}
    ), audited AS (${writeEntryOf("effect", `$${ownValues + 1}`, subject)})
    SELECT * FROM effect`,
      ),
  };
}

function keyedText({ ctes, result }: WriteParts, ownValues: number, audited: string): string {
  const [caller, key, fingerprint] = [1, 2, 3].map((index) => `$${ownValues + index}`);
  return `WITH earlier AS MATERIALIZED (
      SELECT fingerprint, result FROM idempotency_keys
      WHERE caller = ${caller}::text AND key = ${key}::text AND created_at >= ${expiredBefore}
    ), ${ctes === undefined ? "" : `${ctes},`} effect AS (${result}
    ), stored_result AS (
      INSERT INTO idempotency_keys (caller, key, fingerprint, created_at, result)
      SELECT ${caller}::text, ${key}::text, ${fingerprint}::bytea, ${databaseNow}, json_agg(effect)
      FROM effect HAVING count(*) > 0
    )${audited}
    SELECT effect.*, earlier.fingerprint AS "earlierFingerprint", earlier.result AS "earlierResult"
    FROM effect FULL JOIN earlier ON true`;
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

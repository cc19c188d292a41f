import type { Statement } from "./statement";

/** A statement that changes data, with or without an idempotency key. */
export interface Write<Row> extends Statement<Row> {
  /** The statement with an idempotency key. Its values are followed by: caller, key, fingerprint, now, expiredBefore. */
  readonly keyed: Statement<KeyedRow<Row>>;
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
 * Defines a write. `build` gets a condition that must guard the effect: it is false if the key was used before.
 *
 * With a key, one statement looks up the earlier result, changes the data if there is none, and stores the returned rows
 * as the result. The key is inserted last, and only with an effect, so it needs one row version per request. Of two
 * concurrent requests with one key, the second fails on the primary key of `idempotency_keys` and changes nothing.
 */
export function defineWrite<Row>(name: string, build: (guard: string) => WriteParts): Write<Row> {
  const { ctes, result } = build("true");
  const keyed = build("NOT EXISTS (SELECT FROM earlier)");
  const own = Math.max(0, ...[...result.concat(ctes ?? "").matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)));
  const [caller, key, fingerprint, now, expiredBefore] = [1, 2, 3, 4, 5].map((index) => `$${own + index}`);
  return {
    name,
    text: ctes === undefined ? result : `WITH ${ctes} ${result}`,
    keyed: {
      name: `${name}-keyed`,
      text: `WITH earlier AS MATERIALIZED (
          SELECT fingerprint, result FROM idempotency_keys
          WHERE caller = ${caller}::text AND key = ${key}::text AND created_at >= ${expiredBefore}::bigint
        ), ${keyed.ctes === undefined ? "" : `${keyed.ctes},`} effect AS (${keyed.result}
        ), stored_result AS (
          INSERT INTO idempotency_keys (caller, key, fingerprint, created_at, result)
          SELECT ${caller}::text, ${key}::text, ${fingerprint}::bytea, ${now}::bigint, json_agg(effect)
          FROM effect HAVING count(*) > 0
        )
        SELECT effect.*, earlier.fingerprint AS "earlierFingerprint", earlier.result AS "earlierResult"
        FROM effect FULL JOIN earlier ON true`,
    },
  };
}

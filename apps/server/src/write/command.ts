import { databaseNow, type Queryable, type Statement } from "../db/db";
import { type AuditSubject, insertEntries } from "./audit/entries-store";
import { expiredBefore } from "./keys-store";
import { isSameRequest, keyReused, type WriteRequest } from "./request";

/**
 * One statement that makes a change, stores its result under the idempotency key and writes the audit entry. A request may have
 * neither. Only a `Writer` or `writeBatch` runs it.
 */
export interface Command<Row> {
  readonly statement: Statement<CommandRow<Row>>;
}

/** A row of the effect, or the stored result of an earlier request with the key. */
type CommandRow<Row> = { readonly ordinal: number } & (
  | (Row & { readonly earlierFingerprint: null })
  | { readonly earlierFingerprint: string; readonly earlierResult: readonly Row[] }
);

/** A condition of every command: its request is the first one with its idempotency key. */
export const isFirst = "NOT EXISTS (SELECT FROM earlier)";

/**
 * Defines a command. `effect` is a list of common table expressions with the values from $1 to `valueCount`. The last one is named
 * `effect` and has the result: no row means that nothing was changed. Nothing may be changed unless `isFirst` holds. `subject`
 * names columns of the result for the audit entry.
 */
export const defineCommand = <Row>(
  name: string,
  valueCount: number,
  effect: string,
  subject: AuditSubject = {},
): Command<Row> =>
  define(name, valueCount, `${effect}, result AS (SELECT 1::bigint AS ordinal, * FROM effect)`, subject);

/** The same condition for the call with this ordinal in a batch. */
export const isFirstOf = (ordinal: string) => `${ordinal} NOT IN (SELECT ordinal FROM earlier)`;

/**
 * Defines a command that takes arrays and makes the changes of several requests. The rows of its result have the `ordinal` of
 * their request, from 1, and nothing may be changed for a request unless `isFirstOf` its ordinal holds.
 */
export const defineBatchCommand = <Row>(
  name: string,
  valueCount: number,
  effect: string,
  subject: AuditSubject = {},
): Command<Row> => define(name, valueCount, `${effect}, result AS (SELECT * FROM effect)`, subject);

// The key is inserted last, and only with an effect, so it needs one row version for each request. Keys are sorted, so that two
// batches that repeat the same requests do not wait for each other.
function define<Row>(name: string, valueCount: number, effect: string, subject: AuditSubject): Command<Row> {
  const [caller, key, fingerprint, entry] = [1, 2, 3, 4].map((index) => `$${valueCount + index}::text[]`);
  return {
    statement: {
      name,
      text: `WITH request AS (
      SELECT * FROM unnest(${caller}, ${key}, ${fingerprint}, ${entry}) WITH ORDINALITY
        AS request (caller, key, fingerprint, entry, ordinal)
    ), earlier AS MATERIALIZED (
      SELECT ordinal, encode(known.fingerprint, 'hex') AS "earlierFingerprint", known.result AS "earlierResult"
      FROM request JOIN idempotency_keys known USING (caller, key) WHERE known.created_at >= ${expiredBefore}
    ), ${effect}, stored_result AS (
      INSERT INTO idempotency_keys (caller, key, fingerprint, created_at, result)
      SELECT caller, key, decode(fingerprint, 'hex'), ${databaseNow}, json_build_array(result)
      FROM result JOIN request USING (ordinal) WHERE key IS NOT NULL ORDER BY caller, key
    ), audited AS (${insertEntries("result JOIN request USING (ordinal)", subject)})
    SELECT * FROM result FULL JOIN earlier USING (ordinal)`,
    },
  };
}

/**
 * Runs a command for several requests: the values of a batch command are in arrays, with one entry for each. A result is undefined if the request had no effect. Two
 * requests of a batch may not have the same idempotency key; if another request uses one of the keys now, the batch fails.
 */
export async function writeBatch<Row>(
  db: Queryable,
  { statement }: Command<Row>,
  values: readonly unknown[],
  requests: readonly WriteRequest[],
): Promise<(Row | undefined)[]> {
  for (const request of requests) request.place = db;
  const rows = await db.query(statement, [
    ...values,
    requests.map(({ key }) => key?.caller),
    requests.map(({ key }) => key?.key),
    requests.map(({ key }) => key?.fingerprint),
    requests.map(({ entry }) => entry),
  ]);
  const byOrdinal = new Map(rows.map((row) => [row.ordinal, row]));
  return requests.map((request, index) => {
    const row = byOrdinal.get(index + 1);
    if (row === undefined) return undefined;
    if (row.earlierFingerprint === null) {
      request.outcome = "written";
      return row;
    }
    if (!isSameRequest(request, row.earlierFingerprint)) {
      if (requests.length === 1) throw keyReused();
      // It is rejected when it runs alone.
      return undefined;
    }
    request.outcome = "replayed";
    return row.earlierResult[0];
  });
}

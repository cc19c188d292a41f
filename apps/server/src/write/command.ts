import { type Db, databaseNow, type Statement } from "../db/db";
import { type AuditSubject, insertEntries } from "./audit/entries-store";
import type { StoredRejection } from "./idempotency-store";
import type { RunningWrite } from "./request";

/** A row of the effect, or the stored result of an earlier request with the key. */
export type CommandRow<Row> = { readonly ordinal: number } & (
  | (Row & { readonly earlierFingerprint: null })
  | { readonly earlierFingerprint: string; readonly earlierResult: readonly Row[] | StoredRejection }
);

/**
 * One statement that makes the changes of several requests, stores their results under their idempotency keys and writes their audit
 * entries. A request may have neither. Only a `Writer` or `writeRows` runs it.
 */
export interface Command<Row, Column extends string> extends Options<Column> {
  readonly statement: Statement<CommandRow<Row>>;
  readonly columns: readonly Column[];
  /** What runs the calls of concurrent requests, for each database. */
  readonly runners: WeakMap<Db, (call: SharedCall<Column>) => Promise<Row | undefined>>;
}

/** A request, and its row in the `sent` of a command. */
export interface Call<Column extends string> {
  readonly write: RunningWrite;
  readonly row: RowOf<Column>;
}

/** A call that waits for its turn before it runs alone. */
export interface SharedCall<Column extends string> extends Call<Column> {
  readonly inTurn: <Result>(write: () => Promise<Result>) => Promise<Result>;
}

/** The row of a request in the `sent` of a command. */
export type RowOf<Column extends string> = Readonly<Record<Column, unknown>>;

export interface Lock<Column extends string> {
  readonly statement: Statement<Locked>;
  /** With the ids of what must be locked. */
  readonly columns: readonly Column[];
  /** Further columns that the statement gets, after these. */
  readonly others?: readonly Column[];
}

/** A row that a lock has locked: its id is in the first or second one of the columns. */
export interface Locked {
  readonly position: number;
  readonly id: string;
}

interface Options<Column extends string> {
  /** For the audit entry: names of columns of the result. */
  readonly subject?: AuditSubject;
  /**
   * A statement that runs first, in the same transaction: the command then sees everything that was written under earlier locks of
   * the rows. It gets columns with ids as arrays, and locks users, then channels, those of a table in the order of their keys. A request
   * whose rows were not all locked has no effect.
   *
   * A command must not lock a row and change it: two of them deadlock while a further transaction holds the row FOR KEY SHARE. For
   * example, a freeze has the lock of the newest version of a channel, and needs that of the version it saw first. A rename has that one,
   * and waits for the newest one.
   */
  readonly lock?: Lock<Column>;
  /** How concurrent requests share the command. Without it, each request runs it alone. */
  readonly sharing?: Sharing<Column>;
}

export interface Sharing<Column extends string> {
  /** Requests with the same values write the same row: they run in their order of arrival. */
  readonly group: readonly Column[];
  /** Two requests with the same values, of which none is null, are never in one statement. By default, two of a group are not. */
  readonly distinct?: readonly Column[];
}

/**
 * Defines a command that makes the changes of several requests. `sent` has a row for each of them, with these columns and its
 * `ordinal`, unless an earlier request with its key has made its change. `effect` is a list of common table expressions, of which the
 * last one is named `effect` and has the result, with its `ordinal`: no row means that nothing was changed. The names `request`,
 * `earlier`, `sent`, `stored_result` and `audited` are taken.
 */
export function defineCommand<Row, Column extends string>(
  name: string,
  /** With their types. */
  columns: Readonly<Record<Column, string>>,
  effect: string,
  options: Options<Column> = {},
): Command<Row, Column> {
  const names = Object.keys(columns) as Column[];
  const arrays = names.map((column, index) => `$${index + 1}::${columns[column]}[]`);
  const maxLockWait = `$${names.length + 1}::text`;
  const [caller, key, fingerprint, entry] = [2, 3, 4, 5].map((index) => `$${names.length + index}::text[]`);
  // The key is inserted last, and only with an effect, so it needs one row version for each request. Keys are sorted, so that two
  // batches that repeat the same requests do not wait for each other.
  const text = `WITH request AS (
      SELECT * FROM unnest(${caller}, ${key}, ${fingerprint}, ${entry}) WITH ORDINALITY
        AS request (caller, key, fingerprint, entry, ordinal)
    ), earlier AS MATERIALIZED (
      SELECT ordinal, encode(known.fingerprint, 'hex') AS "earlierFingerprint", known.result AS "earlierResult"
      FROM request JOIN idempotency_keys known USING (caller, key)
    ), sent AS (
      SELECT * FROM unnest(${arrays.join(", ")}) WITH ORDINALITY AS sent (${names.join(", ")}, ordinal)
      WHERE ordinal NOT IN (SELECT ordinal FROM earlier)
        AND (${maxLockWait} IS NULL OR (SELECT set_config('lock_timeout', ${maxLockWait}, true)) IS NOT NULL)
    ), ${effect}, stored_result AS (
      INSERT INTO idempotency_keys (caller, key, fingerprint, created_at, result)
      SELECT caller, key, decode(fingerprint, 'hex'), ${databaseNow}, json_build_array(effect)
      FROM effect JOIN request USING (ordinal) WHERE key IS NOT NULL ORDER BY caller, key
    ), audited AS (${insertEntries("effect JOIN request USING (ordinal)", options.subject ?? {})})
    SELECT * FROM effect FULL JOIN earlier USING (ordinal)`;
  return { statement: { name, text }, ...options, columns: names, runners: new WeakMap() };
}

/** The same command after a lock, for a request alone. */
export function withLock<Row, Column extends string>(
  { sharing: _, ...command }: Command<Row, Column>,
  lock: Lock<Column>,
): Command<Row, Column> {
  return { ...command, lock };
}

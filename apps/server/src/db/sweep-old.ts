import { databaseNow, type Queryable, type Statement } from "./db";

const rowsPerStep = 1_000;

/** Removes some rows that are older than this from each place, and returns whether more may remain. */
type Sweep = (places: readonly Queryable[], retentionMs: number) => Promise<boolean>;

/** `key` are the columns of the primary key: the views of Citus have no `ctid`. The CTE runs once, so its limit holds. */
export function defineSweep(name: string, table: string, key: string, time = "created_at"): Sweep {
  const sweep: Statement<unknown> = {
    name,
    text: `WITH old AS MATERIALIZED (
        SELECT ${key} FROM ${table} WHERE ${time} < ${databaseNow} - $1::bigint ORDER BY ${time} LIMIT ${rowsPerStep}
        FOR UPDATE SKIP LOCKED
      )
      DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM old) RETURNING 1`,
  };
  return async (places, retentionMs) => {
    let isMore = false;
    for (const place of places)
      if ((await place.query(sweep, [retentionMs])).length === rowsPerStep) isMore = true;
    return isMore;
  };
}

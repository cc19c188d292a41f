import { type Db, databaseNow, type Statement } from "./db";

const rowsPerStep = 1_000;

/** Removes some rows that are older than this from each schema, and returns whether more may remain. */
type Sweep = (schemas: readonly Db[], retentionMs: number) => Promise<boolean>;

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
  return async (schemas, retentionMs) => {
    let isMore = false;
    for (const schema of schemas)
      if ((await schema.query(sweep, [retentionMs])).length === rowsPerStep) isMore = true;
    return isMore;
  };
}

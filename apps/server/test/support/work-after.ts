import type { Queryable, Statement } from "../../src/db/db";

/** A database that does the work after the first run of one statement of a transaction. */
export function withWorkAfter(name: string, db: Queryable, work: () => Promise<unknown>): Queryable {
  let isDone = false;
  const query = async <Row>(tx: Queryable, statement: Statement<Row>, values?: readonly unknown[]) => {
    const rows = await tx.query(statement, values);
    if (statement.name === name) await workOnce();
    return rows;
  };
  const workOnce = async () => {
    if (isDone) return;
    isDone = true;
    await work();
  };
  const wrap = (tx: Queryable): Queryable => ({
    ...tx,
    query: (statement, values) => query(tx, statement, values),
    schemas: () => tx.schemas().map(wrap),
  });
  const wrapAll = (db: Queryable): Queryable => ({
    ...db,
    channel: (id) => wrapAll(db.channel(id)),
    transaction: (run) => db.transaction((tx) => run(wrap(tx))),
  });
  return wrapAll(db);
}

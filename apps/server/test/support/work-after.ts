import type { Queryable, Statement } from "../../src/db/db";

/** A database that does the work after the first run of one statement. */
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
  const wrap = (of: Queryable): Queryable => ({
    ...of,
    query: (statement, values) => query(of, statement, values),
    transaction: (run) => of.transaction((tx) => run(wrap(tx))),
    channel: (id) => wrap(of.channel(id)),
    schemas: () => of.schemas().map(wrap),
  });
  return wrap(db);
}

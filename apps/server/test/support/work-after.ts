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
  return {
    ...db,
    channel: (id) => withWorkAfter(name, db.channel(id), workOnce),
    transaction: (run) =>
      db.transaction((tx) =>
        run({
          ...tx,
          query: (statement, values) => query(tx, statement, values),
          channel: (id) => tx.channel(id),
        }),
      ),
  };
}

import type { Queryable, Statement } from "../../src/db/db";

/** A database that does the work after each run of one statement of a transaction. */
export function withWorkAfter(name: string, db: Queryable, work: () => Promise<unknown>): Queryable {
  const query = async <Row>(tx: Queryable, statement: Statement<Row>, values?: readonly unknown[]) => {
    const rows = await tx.query(statement, values);
    if (statement.name === name) await work();
    return rows;
  };
  return {
    ...db,
    channel: (id) => withWorkAfter(name, db.channel(id), work),
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

import type { Db, Statement } from "../../src/db/db";

/** A database that does the work after the first run of one statement. */
export function withWorkAfter(name: string, db: Db, work: () => Promise<unknown>): Db {
  let isDone = false;
  const query = async <Row>(of: Db, statement: Statement<Row>, values?: readonly unknown[]) => {
    const rows = await of.query(statement, values);
    if (statement.name === name) await workOnce();
    return rows;
  };
  const workOnce = async () => {
    if (isDone) return;
    isDone = true;
    await work();
  };
  const wrap = <Of extends Db>(of: Of): Of => ({
    ...of,
    query: (statement, values) => query(of, statement, values),
    transaction: (run) => of.transaction((tx) => run(wrap(tx))),
    channel: (id) => wrap(of.channel(id)),
    schemas: () => of.schemas().map((schema) => wrap(schema)),
  });
  return wrap(db);
}

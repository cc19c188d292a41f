import type pg from "pg";
import type { Statement } from "../db";
import { isPlanOutdated } from "../faults";
import { borrow } from "./borrow";
import { type OnStatement, timeStatement } from "./time-statement";

/** A pool, or a connection that is already checked out. */
export type Connection = Pick<pg.Pool, "connect"> | pg.PoolClient;

export type RunStatement = <Row>(
  connection: Connection,
  statement: Statement<Row>,
  values?: readonly unknown[],
  /** Of the name of the prepared statement, of which PostgreSQL reads 63 characters. */
  prefix?: string,
) => Promise<Row[]>;

/**
 * Runs statements as prepared statements. After a migration that changes the type of a column, PostgreSQL rejects every
 * statement that was prepared earlier and returns that column. All statements then get new names and are prepared again.
 * Their texts change as well, because a pooler prepares a text that it knows only once.
 * The caller may retry the statement, or its transaction: the same migration does not reject it a second time.
 */
export function createStatementRunner({ onStatement }: { readonly onStatement?: OnStatement }): RunStatement {
  let generation = 1;
  const run = async (client: pg.PoolClient, name: string, text: string, values: readonly unknown[]) => {
    const used = generation;
    try {
      const prepared =
        used === 1 ? { name, text } : { name: `${name}#${used}`, text: `${text} /* ${used} */` };
      const { rows } = await client.query({ ...prepared, values: [...values] });
      // Each statement declares the type of its rows; the store's tests check it.
      return rows;
    } catch (error) {
      // Once per migration: on another connection, the statement may already have its new name.
      if (isPlanOutdated(error) && used === generation) generation += 1;
      throw error;
    }
  };
  return (connection, { name, text }, values = [], prefix = "") =>
    timeStatement(name, onStatement, () => {
      const work = (client: pg.PoolClient) => run(client, prefix + name, text, values);
      return "release" in connection ? work(connection) : borrow(connection, work);
    });
}

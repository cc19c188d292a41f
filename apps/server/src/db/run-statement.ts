import type pg from "pg";
import { borrow } from "./borrow";
import type { Statement } from "./db";
import { isPlanOutdated } from "./faults";
import { type OnStatement, timeStatement } from "./time-statement";

/** A pool, or a connection that is already checked out. */
export type Connection = Pick<pg.Pool, "connect"> | pg.PoolClient;

type RunStatement = <Row>(
  connection: Connection,
  statement: Statement<Row>,
  values?: readonly unknown[],
  schema?: SearchedSchema,
) => Promise<Row[]>;

/** A schema in which statements find their tables. */
export interface SearchedSchema {
  /** Distinguishes the names of its prepared statements, of which PostgreSQL reads 63 characters. */
  readonly prefix: string;
  /** Makes a session search it. Does nothing in a session that searches it already. */
  search(client: pg.PoolClient): Promise<void>;
}

/**
 * Runs statements as prepared statements. After a migration that changes the type of a column, PostgreSQL rejects every
 * statement that was prepared earlier and returns that column. All statements then get new names and are prepared again.
 * Their texts change as well, because a pooler prepares a text that it knows only once.
 * The caller may retry the statement, or its transaction: the same migration does not reject it a second time.
 */
export function createStatementRunner({ onStatement }: { readonly onStatement?: OnStatement }): RunStatement {
  let generation = 1;
  const run = async <Row>(
    client: pg.PoolClient,
    { name, text }: Statement<Row>,
    values: readonly unknown[],
  ): Promise<Row[]> => {
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
  return (connection, statement, values = [], schema) =>
    timeStatement(statement.name, onStatement, () => {
      const work = async (client: pg.PoolClient) => {
        if (schema === undefined) return run(client, statement, values);
        await schema.search(client);
        // The same statement of another schema has another plan.
        return run(client, { ...statement, name: `${schema.prefix} ${statement.name}` }, values);
      };
      return "release" in connection ? work(connection) : borrow(connection, work);
    });
}

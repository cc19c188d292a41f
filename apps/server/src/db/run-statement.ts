import type pg from "pg";
import type { Statement } from "./db";
import { isPlanOutdated } from "./faults";
import { createNamer, plainNames } from "./tables";
import { type OnStatement, timeStatement } from "./time-statement";
import { type Connection, withClient } from "./with-client";

type RunStatement = <Row>(
  connection: Connection,
  statement: Statement<Row>,
  values?: readonly unknown[],
) => Promise<Row[]>;

/**
 * Runs statements as prepared statements. After a migration that changes the type of a column, PostgreSQL rejects every
 * statement that was prepared earlier and returns that column. All statements then get new names and are prepared again.
 * Their texts change as well, because a pooler prepares a text that it knows only once.
 * The caller may retry the statement, or its transaction: the same migration does not reject it a second time.
 */
export function createStatementRunner({ onStatement }: { readonly onStatement?: OnStatement }): RunStatement {
  const nameTables = createNamer(plainNames);
  let generation = 1;
  const run = async <Row>(
    client: pg.PoolClient,
    { name, text: template }: Statement<Row>,
    values: readonly unknown[],
  ): Promise<Row[]> => {
    const text = nameTables(template);
    const used = generation;
    try {
      const prepared =
        used === 1 ? { name, text } : { name: `${name}#${used}`, text: `${text} /* ${used} */` };
      const { rows, fields } = await client.query({ ...prepared, values: [...values] });
      // So that tests without Citus find a statement that a shard would reject.
      if (fields.length === 0 && text !== template)
        throw new Error(
          `The statement ${name} names tables of channels, but returns no rows. Add RETURNING 1.`,
        );
      // Each statement declares the type of its rows; the store's tests check it.
      return rows;
    } catch (error) {
      // Once per migration: on another connection, the statement may already have its new name.
      if (isPlanOutdated(error) && used === generation) generation += 1;
      throw error;
    }
  };
  return (connection, statement, values = []) =>
    timeStatement(statement.name, onStatement, () =>
      withClient(connection, (client) => run(client, statement, values)),
    );
}

import type pg from "pg";
import type { Statement } from "./db";
import { isPlanOutdated } from "./faults";
import { nameTables, plainNames, type StatementSettings, statementSettings } from "./tables";

type RunStatement = <Row>(
  client: pg.PoolClient,
  statement: Statement<Row>,
  values: readonly unknown[],
) => Promise<Row[]>;

/**
 * Runs statements as prepared statements. After a migration that changes the type of a column, PostgreSQL rejects every
 * statement that was prepared earlier and returns that column. All statements then get new names and are prepared again.
 * Their texts change as well, because a pooler prepares a text that it knows only once.
 * The caller may retry the statement, or its transaction: the same migration does not reject it a second time.
 */
export function createStatementRunner(
  settings: StatementSettings = statementSettings(undefined),
): RunStatement {
  const names = { ...plainNames, ...settings };
  let generation = 1;
  return async (client, { name, text: template }, values) => {
    const text = nameTables(template, names);
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
}

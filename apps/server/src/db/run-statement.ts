import type pg from "pg";
import type { Statement } from "./db";
import { isPlanOutdated } from "./faults";

type RunStatement = <Row>(
  client: pg.PoolClient,
  statement: Statement<Row>,
  values: readonly unknown[],
) => Promise<Row[]>;

/**
 * Runs statements as prepared ones. After a migration that changes the type of a column, PostgreSQL rejects every
 * statement that was prepared before and returns that column. Then all statements get new names, so that they are
 * prepared again. The caller may run the rejected one again, or its whole transaction: no statement of it is rejected
 * a second time because of the same migration.
 */
export function createStatementRunner(): RunStatement {
  let generation = 1;
  return async (client, { name, text }, values) => {
    const used = generation;
    try {
      const { rows } = await client.query({
        name: used === 1 ? name : `${name}#${used}`,
        text,
        values: [...values],
      });
      // Each statement declares the type of its rows; the tests of its store check it.
      return rows;
    } catch (error) {
      // Only the first to notice: on another connection the statement may already have its new name.
      if (isPlanOutdated(error) && used === generation) generation += 1;
      throw error;
    }
  };
}

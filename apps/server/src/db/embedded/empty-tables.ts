import type pg from "pg";
import { retryIfRolledBack } from "../transaction";
import { onEmbedded } from "./wait-until-ready";

/** What a running server has read, and where the next event begins. */
const keptWhileRunning = ["_prisma_migrations", "secrets", "event_ranges", "consumers"];

/** Removes all data. Cursors and the numbers of events continue. The server may use the tables meanwhile. */
export async function emptyTables(url: string): Promise<void> {
  await onEmbedded(url, async (client) => {
    await retryIfRolledBack(() =>
      emptyAllExcept(
        client,
        keptWhileRunning,
        "DELETE FROM event_ranges WHERE after_position < (SELECT max(after_position) FROM event_ranges)",
      ),
    );
  });
}

/** Removes the rows of all other tables, and runs a statement, in one transaction. */
export async function emptyAllExcept(
  client: pg.Client,
  kept: readonly string[],
  statement: string,
): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT quote_ident(tablename) AS name FROM pg_tables
     WHERE schemaname = current_schema() AND tablename <> ALL ($1) ORDER BY tablename`,
    [kept],
  );
  const names = rows.map(({ name }) => name);
  // Of a few rows, this takes a tenth of the time of TRUNCATE, which makes new files. Triggers are off: all rows are removed.
  const deletions = names.map((name) => `DELETE FROM ${name}`);
  const start = `BEGIN; SET LOCAL session_replication_role = replica; LOCK TABLE ${names.join(", ")}`;
  try {
    await client.query([start, ...deletions, statement, "COMMIT"].join(";"));
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  }
}

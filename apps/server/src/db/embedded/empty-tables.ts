import { retryIfRolledBack } from "../transaction";
import { onEmbedded } from "./wait-until-ready";

/** Kept: what the running server has read, and where the next event begins. */
const kept = ["_prisma_migrations", "secrets", "event_ranges", "consumers"];

/** Removes all data. Cursors and the numbers of events continue. The server may use the tables meanwhile. */
export async function emptyTables(url: string): Promise<void> {
  await retryIfRolledBack(() => emptyOnce(url));
}

async function emptyOnce(url: string): Promise<void> {
  await onEmbedded(url, async (client) => {
    const { rows } = await client.query<{ names: string }>(
      `SELECT string_agg(quote_ident(tablename), ', ' ORDER BY tablename) AS names FROM pg_tables
       WHERE schemaname = current_schema() AND tablename <> ALL ($1)`,
      [kept],
    );
    await client.query("BEGIN");
    await client.query(`TRUNCATE ${rows[0]?.names}`);
    await client.query(
      "DELETE FROM event_ranges WHERE after_position < (SELECT max(after_position) FROM event_ranges)",
    );
    await client.query("COMMIT");
  });
}

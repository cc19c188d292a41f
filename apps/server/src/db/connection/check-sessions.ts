import type pg from "pg";
import { SettingError } from "../../errors/service-error";
import { codeOf } from "../../errors/thrown";
import { clientClassFor } from "./client";
import { explainConnection } from "./explain-connection";
import { listSessionSettings, type SessionSettings, sessionConfig } from "./session";

const connectTimeoutMs = 10_000;

/**
 * Checks that sessions have the settings that they were opened with, and that they keep their prepared statements. A
 * pooler in front of PostgreSQL may drop both: then statements would have no time limit, or fail when they run again.
 */
export async function checkSessions(settings: SessionSettings): Promise<void> {
  const Client = clientClassFor(settings.url);
  const config = { ...sessionConfig(settings), connectionTimeoutMillis: connectTimeoutMs };
  const clients = [new Client(config), new Client(config)] as const;
  try {
    for (const client of clients) {
      // Without a listener, a connection that breaks while idle would end the process.
      client.on("error", () => undefined);
      await client.connect();
    }
    await requireSettings(clients[0], settings);
    await requirePreparedStatements(clients);
  } catch (error) {
    throw error instanceof SettingError ? error : explainConnection(settings.url, error);
  } finally {
    for (const client of clients) await client.end().catch(() => undefined);
  }
}

async function requireSettings(client: pg.Client, settings: SessionSettings): Promise<void> {
  const wanted = listSessionSettings(settings);
  const { rows } = await client.query<{ statement: string }>(findMissing, [
    Object.keys(wanted),
    Object.values(wanted),
  ]);
  if (rows.length === 0) return;
  const statements = rows.map(({ statement }) => statement).join(" ");
  throw new SettingError(
    `DATABASE_URL overrides session settings, or leads to a pooler that drops them. Set them for the role, then reconnect the pooler: ${statements}`,
  );
}

/** Through a pooler, both clients use one connection of PostgreSQL unless others are in use. */
async function requirePreparedStatements(clients: readonly pg.Client[]): Promise<void> {
  const prepared = { name: "check-sessions", text: "SELECT 1" };
  try {
    for (let round = 1; round <= rounds; round += 1)
      for (const client of clients) await client.query(prepared);
  } catch (error) {
    if (!lostStatements.has(codeOf(error))) throw error;
    throw new SettingError(
      "DATABASE_URL leads to a pooler that does not support prepared statements. Use PgBouncer 1.21 or later with max_prepared_statements above 0, or pool_mode = session, or the address of PostgreSQL itself.",
    );
  }
}

const rounds = 3;

/** There is no prepared statement of that name, or there is one already. */
const lostStatements = new Set<unknown>(["26000", "42P05"]);

const findMissing = `SELECT format('ALTER ROLE %I IN DATABASE %I SET %s = %L;',
    current_user, current_database(), name, value) AS statement
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted (name, value, row_index)
  JOIN pg_settings USING (name) WHERE setting <> value ORDER BY row_index`;

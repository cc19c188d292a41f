import type { TestProject } from "vitest/node";
import { listSessionSettings } from "../../src/db/connection/session";
import { keepsStatements, readGuide, startPgbouncer } from "./pgbouncer";
import { offerPostgres, startTestPostgres, type TestPostgres } from "./postgres";
import { queryOnce } from "./query-once";

/** The default of the server. */
const statementTimeoutMs = 3_000;

/** As `postgres.ts`, but all connections of the tests and their servers go through PgBouncer. */
export function setup(project: TestProject): Promise<() => Promise<void>> {
  return offerPostgres(project, startPooledPostgres);
}

async function startPooledPostgres(): Promise<TestPostgres> {
  const postgres = await startTestPostgres();
  await setUpRole(postgres.url);
  const lines = await readGuide();
  const chosen = keepsStatements ? [] : ["pool_mode = session", "default_pool_size = 200"];
  const pgbouncer = await startPgbouncer(postgres.url, [...lines, ...chosen]);
  return {
    url: pgbouncer.through(postgres.url),
    directUrl: postgres.url,
    async stop() {
      await pgbouncer.stop();
      await postgres.stop();
    },
  };
}

async function setUpRole(url: string): Promise<void> {
  const settings = Object.entries(listSessionSettings({ url, statementTimeoutMs }));
  for (const [name, value] of settings)
    await queryOnce(url, `ALTER ROLE CURRENT_USER SET ${name} = '${value}'`);
}

import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { connect } from "../../src/db/connect";
import type { Db } from "../../src/db/db";

/** Creates a migrated database for one test file. */
export async function createDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const template = new URL(inject("postgresUrl"));
  const name = `test_${randomBytes(6).toString("hex")}`;
  const source = template.pathname.slice(1);
  await asAdministrator(template, `CREATE DATABASE ${name} TEMPLATE ${source}`);
  const url = new URL(template);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => asAdministrator(template, `DROP DATABASE ${name} WITH (FORCE)`) };
}

/** Connects to a database with time limits that no test reaches. */
export function connectTo(url: string): Db {
  return connect({
    url,
    maxConnections: 10,
    statementTimeoutMs: 10_000,
    connectTimeoutMs: 10_000,
    onIdleError: () => undefined,
  });
}

async function asAdministrator(template: URL, sql: string): Promise<void> {
  const url = new URL(template);
  url.pathname = "/postgres";
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

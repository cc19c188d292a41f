import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";

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

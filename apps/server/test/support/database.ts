import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { readSchemaMap, type SchemaMap } from "../../src/db/citus/schema-map";
import { connect } from "../../src/db/connect";
import { withConnection } from "../../src/db/connection/with-connection";
import type { Database } from "../../src/db/db";
import { copyDistributedDatabase } from "./citus";
import { queryOnce } from "./query-once";

/** The database that all others are copied from. */
export const postgresUrl = () => askStarter("GET", "");

async function askStarter(method: string, path: string, body: string | null = null): Promise<string> {
  const response = await fetch(new URL(path, inject("postgresStarter")), { method, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`PostgreSQL did not start: ${text}`);
  return text;
}

/** A migrated database without rows, for one test file. `drop` ends its connections. */
export async function createDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const workers = inject("citusWorkers");
  if (workers === undefined) {
    const url = await askStarter("POST", "databases");
    const drop = async () => {
      // A later file that gets the database has other files.
      await rm(filesFolderOf(url), { recursive: true, force: true });
      await askStarter("DELETE", "databases", url);
    };
    return { url, drop };
  }
  const template = await postgresUrl();
  const name = `test_${randomBytes(6).toString("hex")}`;
  const drop = async () => {
    for (const node of [template, ...workers])
      await asAdministrator(new URL(node), `DROP DATABASE ${name} WITH (FORCE)`);
  };
  return { url: await copyDistributedDatabase(template, workers, name), drop };
}

/** Where the servers of a database store files, unless a test says otherwise. */
export const filesFolderOf = (url: string) =>
  join(tmpdir(), `madang-files-${process.pid}`, new URL(url).pathname);

/** Creates a database without tables, for a test of migrations. */
export async function createEmptyDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const template = new URL(await postgresUrl());
  const name = `test_${randomBytes(6).toString("hex")}`;
  await asAdministrator(template, `CREATE DATABASE ${name}`);
  const url = Object.assign(new URL(template), { pathname: `/${name}` });
  return { url: url.href, drop: () => asAdministrator(template, `DROP DATABASE ${name} WITH (FORCE)`) };
}

/** Connects as a server does, to a database that may be distributed. */
export async function openDatabase(url: string): Promise<Database> {
  return connectTo(url, await withConnection(url, readSchemaMap));
}

/** Connects to a database with time limits that no test reaches. */
export function connectTo(url: string, schemaMap?: SchemaMap): Database {
  return connect({
    url,
    schemaMap,
    maxConnections: 10,
    statementTimeoutMs: 60_000,
    connectTimeoutMs: 10_000,
    onIdleError: () => undefined,
  });
}

async function asAdministrator(template: URL, sql: string): Promise<void> {
  await queryOnce(Object.assign(new URL(template), { pathname: "/postgres" }), sql);
}

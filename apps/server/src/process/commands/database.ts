import { readSchemas } from "../../db/citus/schema-map";
import { connect } from "../../db/connect";
import { withConnection } from "../../db/connection/with-connection";
import type { Database } from "../../db/db";
import { findRunning } from "../../db/embedded/running";
import { SettingError } from "../../errors/service-error";
import type { Settings } from "../../settings/settings";
import { postgresFolderOf } from "../open-database";

/** The URL of the database of a command: `DATABASE_URL`, or the embedded database of a server that runs. */
export async function findDatabase(settings: Settings): Promise<string> {
  if (settings.DATABASE_URL !== undefined) return settings.DATABASE_URL;
  const folder = postgresFolderOf(settings);
  const running = await findRunning(folder);
  if (running === undefined)
    throw new SettingError(`No server runs on ${folder}. Start it, then run the command again.`);
  return running;
}

/** Runs the work of a command on a database. */
export async function withDb<Result>(url: string, work: (db: Database) => Promise<Result>): Promise<Result> {
  const db = connect({
    url,
    maxConnections: 2,
    statementTimeoutMs: 60_000,
    connectTimeoutMs: 10_000,
    onIdleError: () => undefined,
    ...(await withConnection(url, readSchemas)),
  });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

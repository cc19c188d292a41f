import { readSchemaMap } from "../../db/citus/schema-map";
import { connect } from "../../db/connect";
import type { Db } from "../../db/db";
import { withConnection } from "../../db/with-connection";

/** Runs the work of a command on a database. */
export async function withDb<Result>(url: string, work: (db: Db) => Promise<Result>): Promise<Result> {
  const db = connect({
    url,
    maxConnections: 2,
    statementTimeoutMs: 60_000,
    connectTimeoutMs: 10_000,
    onIdleError: () => undefined,
    schemaMap: await withConnection(url, readSchemaMap),
  });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

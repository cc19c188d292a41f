import type { Logger } from "pino";
import { checkWorkers } from "../db/citus/check-cluster";
import { readSchemas } from "../db/citus/schema-map";
import { connect } from "../db/connect";
import type { DbSettings } from "../db/connection/pool";
import { withConnection } from "../db/connection/with-connection";
import type { Database } from "../db/db";
import { countReasons } from "../http/observe/count-reasons";
import type { Settings } from "../settings/settings";
import { describeCurrentRequest } from "../turns/client";
import type { OpenDatabase } from "./open-database";

// Together with the statement timeout, this limits how long a client waits for a database that does not respond.
const defaultConnectTimeoutMs = 1_000;

interface Service {
  readonly settings: Settings;
  readonly database: Pick<OpenDatabase, "url">;
  readonly logger: Logger;
  readonly maxConnections: number;
}

/** Opens the connections of the service to its database, which may be distributed. */
export async function connectDatabase(
  { settings, database, logger, maxConnections }: Service,
  {
    onStatement,
    connectTimeoutMs = defaultConnectTimeoutMs,
  }: Pick<Partial<DbSettings>, "onStatement" | "connectTimeoutMs"> = {},
): Promise<Database> {
  const { schemaMap, schema } = await withConnection(database.url, readSchemas);
  if (schemaMap !== undefined)
    await checkWorkers(database.url, (err) => logger.warn({ err }, "a worker of Citus cannot be reached"));
  return connect({
    url: database.url,
    maxConnections,
    statementTimeoutMs: settings.MADANG_STATEMENT_TIMEOUT_MS,
    connectTimeoutMs,
    schemaMap,
    schema,
    onStatement(name, durationMs, error) {
      onStatement?.(name, durationMs, error);
      if (durationMs > settings.MADANG_SLOW_STATEMENT_MS)
        logger.warn(
          { statement: name, duration_ms: Math.round(durationMs), ...describeCurrentRequest() },
          "slow statement",
        );
    },
    onIdleError: countReasons((line) => logger.warn(line, "the database closed idle connections")),
  });
}

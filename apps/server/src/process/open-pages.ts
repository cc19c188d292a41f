import type { Logger } from "pino";
import { connect } from "../db/connect";
import type { Db } from "../db/db";
import { createPageSource, type PageSource, pagesOfPrimary } from "../db/replica/page-source";
import type { OnStatement } from "../db/time-statement";
import type { Settings } from "../settings/settings";
import type { Metrics } from "./metrics/metrics";

// Shorter than those of the primary: a page that the replica does not return in time is then read from the primary.
const statementTimeoutMs = 700;
const connectTimeoutMs = 300;

export interface PageDatabases {
  readonly primary: Db;
  readonly settings: Pick<Settings, "DATABASE_REPLICA_URL">;
  readonly maxConnections: number;
  readonly logger: Logger;
  readonly metrics: Metrics | undefined;
  readonly onStatement: OnStatement;
}

/**
 * Opens the databases that further pages are read from. The replica may be unavailable: connections to it are opened when a page
 * is read, and `close` closes them.
 */
export function openPages({
  primary,
  settings,
  maxConnections,
  logger,
  metrics,
  onStatement,
}: PageDatabases): {
  readonly pages: PageSource;
  close(): Promise<void>;
} {
  const { DATABASE_REPLICA_URL: replicaUrl } = settings;
  if (replicaUrl === undefined) return { pages: pagesOfPrimary(primary), close: async () => undefined };
  const replica = connect({
    url: replicaUrl,
    maxConnections,
    statementTimeoutMs,
    connectTimeoutMs,
    isReadOnly: true,
    onStatement,
    // The next read logs the outage, once.
    onIdleError: () => undefined,
  });
  const onOutcome = metrics?.countReplicaRead;
  const pages = createPageSource({ primary, replica, now: () => performance.now(), logger, onOutcome });
  return { pages, close: replica.close };
}

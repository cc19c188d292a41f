import type { Logger } from "pino";
import { connect } from "../db/connect";
import type { Db } from "../db/db";
import { createPageSource, type PageSource, pagesOfPrimary } from "../db/replica/page-source";
import type { OnStatement } from "../db/time-statement";
import type { Metrics } from "./metrics/metrics";

// Shorter than those of the primary: a page that the replica does not return in time is then read from the primary.
const statementTimeoutMs = 700;
const connectTimeoutMs = 300;

export interface PageDatabases {
  readonly primary: Db;
  /** The replica, if there is one. It may be unavailable: connections are opened when a page is read. */
  readonly replicaUrl: string | undefined;
  readonly maxConnections: number;
  readonly retentionDays: number | undefined;
  readonly logger: Logger;
  readonly metrics: Metrics | undefined;
  readonly onStatement: OnStatement;
}

/** Opens the databases that further pages are read from. `close` closes the connections to the replica. */
export function openPages({
  primary,
  replicaUrl,
  maxConnections,
  retentionDays,
  logger,
  metrics,
  onStatement,
}: PageDatabases): {
  readonly pages: PageSource;
  close(): Promise<void>;
} {
  if (replicaUrl === undefined) return { pages: pagesOfPrimary(primary), close: async () => undefined };
  const replica = connect({
    url: replicaUrl,
    maxConnections,
    retentionDays,
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

import pg from "pg";
import { clientClassFor } from "./client";
import { columnTypes } from "./column-types";
import { connectionStringFor } from "./connection-string";
import type { Db, Queryable, Statement } from "./db";
import { createPrisma } from "./prisma";
import { createStatementRunner } from "./run-statement";
import { type OnStatement, timeStatement } from "./time-statement";
import { inTransaction, retryIfRolledBack } from "./transaction";
import { type Connection, withClient } from "./with-client";

export interface DbSettings {
  readonly url: string;
  readonly maxConnections: number;
  /** A statement that takes longer, including any wait for a lock, is cancelled. */
  readonly statementTimeoutMs: number;
  /** How long to wait for a connection before the database counts as unavailable. */
  readonly connectTimeoutMs: number;
  readonly onIdleError: (error: Error) => void;
  /** Makes every transaction on these connections read-only. */
  readonly isReadOnly?: boolean;
  /** Called with the name and the duration of each statement, including the wait for a connection. */
  readonly onStatement?: OnStatement;
}

/** The lock timeout as a share of the statement timeout: shorter, so that the two errors can be distinguished. */
const lockShare = 0.8;

/** If PostgreSQL has not responded this long after the statement timeout, the connection is closed. */
const cancelGraceMs = 300;

/** One connection pool, shared by the stores' statements and by Prisma. */
export function connect(settings: DbSettings): Db {
  const pool = openPool(settings);
  const prisma = createPrisma(pool, settings.onStatement);
  const run = createStatementRunner();
  const query = <Row>(connection: Connection, statement: Statement<Row>, values: readonly unknown[] = []) =>
    timeStatement(statement.name, settings.onStatement, () =>
      withClient(connection, (client) => run(client, statement, values)),
    );
  return {
    prisma,
    countConnections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    query: (statement, values) => retryIfRolledBack(() => query(pool, statement, values)),
    write: (statement, values) => retryIfRolledBack(() => query(pool, statement, values)),
    readOnOneConnection: (work) =>
      withClient(pool, (client) =>
        work({
          query: (statement, values) => retryIfRolledBack(() => query(client, statement, values)),
        }),
      ),
    transaction: (work) =>
      inTransaction(pool, (client) => {
        const tx: Queryable = {
          query: (statement, values) => query(client, statement, values),
          write: (statement, values) => query(client, statement, values),
          transaction: (inner) => inner(tx),
        };
        return work(tx);
      }),
    async close() {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}

function openPool({ statementTimeoutMs, isReadOnly = false, ...settings }: DbSettings): pg.Pool {
  const pool = new pg.Pool({
    Client: clientClassFor(settings.url),
    connectionString: connectionStringFor(settings.url),
    max: settings.maxConnections,
    connectionTimeoutMillis: settings.connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    lock_timeout: Math.ceil(statementTimeoutMs * lockShare),
    query_timeout: statementTimeoutMs + cancelGraceMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    application_name: "madang",
    // Every statement has one good plan, whatever its values. By default, PostgreSQL plans some of them on each call. Without
    // bitmap scans it reads in index order: a bitmap would read all unread messages of a channel to count 100 of them.
    options: `-c plan_cache_mode=force_generic_plan -c enable_bitmapscan=off${isReadOnly ? " -c default_transaction_read_only=on" : ""}`,
    types: columnTypes,
  });
  // Without a listener, an idle connection that the database closes would crash the process.
  pool.on("error", settings.onIdleError);
  // So would one that closes between checkout and first use. The first use then fails.
  pool.on("connect", (client) => void client.on("error", () => undefined));
  return pool;
}

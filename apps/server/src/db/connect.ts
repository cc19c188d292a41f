import pg from "pg";
import { clientClassFor } from "./client";
import { columnTypes } from "./column-types";
import type { Db, Queryable, Statement } from "./db";
import { createPrisma } from "./prisma";
import { createStatementRunner } from "./run-statement";
import { type SessionSettings, sessionConfig } from "./session";
import { type OnStatement, timeStatement } from "./time-statement";
import { inTransaction, retryIfRolledBack } from "./transaction";
import { type Connection, withClient } from "./with-client";

export interface DbSettings extends SessionSettings {
  readonly maxConnections: number;
  /** How long to wait for a connection before the database counts as unavailable. */
  readonly connectTimeoutMs: number;
  readonly onIdleError: (error: Error) => void;
  /** Called with the name and the duration of each statement, including the wait for a connection. */
  readonly onStatement?: OnStatement;
}

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

function openPool(settings: DbSettings): pg.Pool {
  const pool = new pg.Pool({
    ...sessionConfig(settings),
    Client: clientClassFor(settings.url),
    max: settings.maxConnections,
    connectionTimeoutMillis: settings.connectTimeoutMs,
    types: columnTypes,
  });
  // Without a listener, an idle connection that the database closes would crash the process.
  pool.on("error", settings.onIdleError);
  // So would one that closes between checkout and first use. The first use then fails.
  pool.on("connect", (client) => void client.on("error", () => undefined));
  return pool;
}

import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { CopyQuery } from "./copy-query";
import { PrismaClient } from "./generated/client";
import { PreparedQuery } from "./prepared-query";
import { inTransaction, repeatIfUndone } from "./transaction";

/** A query that PostgreSQL plans once a connection: it is known there by its name. */
export interface Statement<Row> {
  readonly name: string;
  readonly text: string;
  /** Never set: it only lets a statement say the type of its rows. */
  readonly row?: Row;
}

/** A query whose many rows are read as bytes. COPY takes no parameters: they are numbers, written into its text. */
export interface CopyStatement {
  readonly name: string;
  readonly select: (values: readonly bigint[]) => string;
  /** About how much memory the rows take. */
  readonly usualBytes: (values: readonly bigint[]) => number;
}

/** What a store asks: alone, or inside a transaction. */
export interface Queryable {
  query<Row>(statement: Statement<Row>, values?: readonly unknown[]): Promise<Row[]>;
  /** The rows in PostgreSQL's binary COPY format, which `copied-rows` reads. Each value must be a whole number. */
  copy(statement: CopyStatement, values: readonly number[]): Promise<Buffer>;
  /** Runs several statements as one unit: all of them take effect, or none. */
  transaction<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result>;
}

/** What only reads asks. */
export type Reader = Pick<Queryable, "query" | "copy">;

export interface Db extends Queryable {
  readonly prisma: PrismaClient;
  /**
   * Runs reads one after another on one connection, each done once. They are no transaction: every one of them sees
   * what was there when it began.
   */
  readOnOneConnection<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result>;
  /** How many connections are open and idle, and how many requests wait for one. */
  countConnections(): { open: number; idle: number; waiting: number };
  close(): Promise<void>;
}

export interface DbSettings {
  readonly url: string;
  readonly maxConnections: number;
  /** A statement that runs longer, waiting for a lock or not, is cancelled. */
  readonly statementTimeoutMs: number;
  /** How long to wait for a connection before saying that the database is not available. */
  readonly connectTimeoutMs: number;
  readonly onIdleError: (error: Error) => void;
  /** Whether PostgreSQL is to refuse every change that comes over these connections. */
  readonly isReadOnly?: boolean;
  /** Told the name of each statement of the stores and how long it took, the wait for a connection included. */
  readonly onStatement?: (name: string, durationMs: number) => void;
}

/** Which part of its time a statement may wait for a lock: less than all, so that the two are told apart. */
const lockShare = 0.8;

/** PostgreSQL cancels what runs too long; one that says nothing even then is taken for gone after this. */
const silenceMs = 300;

/** One pool of connections, used by the statements of the stores and by Prisma alike. */
export function connect(settings: DbSettings): Db {
  const pool = new pg.Pool({
    connectionString: settings.url,
    max: settings.maxConnections,
    connectionTimeoutMillis: settings.connectTimeoutMs,
    statement_timeout: settings.statementTimeoutMs,
    lock_timeout: Math.ceil(settings.statementTimeoutMs * lockShare),
    query_timeout: settings.statementTimeoutMs + silenceMs,
    idle_in_transaction_session_timeout: settings.statementTimeoutMs,
    application_name: "madang",
    // Every statement here has one good plan, whatever its values; left to itself PostgreSQL plans some with each call.
    options: `-c plan_cache_mode=force_generic_plan${settings.isReadOnly ? " -c default_transaction_read_only=on" : ""}`,
  });
  // Without a listener, an idle connection that the database closes would end the process.
  pool.on("error", settings.onIdleError);
  // Nor may one that is closed in the moment between the pool's giving it and our taking it. It fails at its next use.
  pool.on("connect", (client) => void client.on("error", () => undefined));
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  const askTimed = <Row>(connection: Connection, statement: Statement<Row>, values?: readonly unknown[]) =>
    timed(statement.name, settings.onStatement, () =>
      withClient(connection, (client) => ask(client, statement, values ?? [])),
    );
  const copyTimed = (connection: Connection, statement: CopyStatement, values: readonly number[]) =>
    timed(statement.name, settings.onStatement, () =>
      withClient(connection, (client) => copyOut(client, statement, values)),
    );
  return {
    prisma,
    countConnections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    query: (statement, values) => repeatIfUndone(() => askTimed(pool, statement, values)),
    copy: (statement, values) => repeatIfUndone(() => copyTimed(pool, statement, values)),
    readOnOneConnection: (work) =>
      withClient(pool, (client) =>
        work({
          query: (statement, values) => askTimed(client, statement, values),
          copy: (statement, values) => copyTimed(client, statement, values),
        }),
      ),
    transaction: (work) =>
      inTransaction(pool, (client) => {
        const tx: Queryable = {
          query: (statement, values) => askTimed(client, statement, values),
          copy: (statement, values) => copyTimed(client, statement, values),
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

type Connection = pg.Pool | pg.PoolClient;

async function timed<Result>(
  name: string,
  tell: DbSettings["onStatement"],
  work: () => Promise<Result>,
): Promise<Result> {
  if (tell === undefined) return work();
  const startedAt = performance.now();
  try {
    return await work();
  } finally {
    tell(name, performance.now() - startedAt);
  }
}

async function withClient<Result>(
  connection: Connection,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  if (!(connection instanceof pg.Pool)) return work(connection);
  const client = await connection.connect();
  let lost: Error | undefined;
  // A connection that breaks tells so twice, and would end the process if nobody listened.
  const onError = (error: Error) => {
    lost = error;
  };
  client.on("error", onError);
  try {
    return await work(client);
  } catch (error) {
    if (error instanceof Error) {
      if (!(error instanceof pg.DatabaseError)) lost ??= error;
      // The stack leads to the socket; who asked is what one wants to know.
      Error.captureStackTrace(error);
    }
    throw error;
  } finally {
    client.off("error", onError);
    // What PostgreSQL refused leaves the connection as good as new; any other failure does not.
    client.release(lost);
  }
}

function ask<Row>(
  client: pg.PoolClient,
  statement: Statement<Row>,
  values: readonly unknown[],
): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    client.query(
      new PreparedQuery(statement, values, (error, rows) => (error === null ? resolve(rows) : reject(error))),
    );
  });
}

function copyOut(
  client: pg.PoolClient,
  { select, usualBytes }: CopyStatement,
  values: readonly number[],
): Promise<Buffer> {
  // BigInt refuses whatever is no whole number, so that nothing else gets into the text.
  const whole = values.map(BigInt);
  return new Promise((resolve, reject) => {
    const settle = (error: Error | null, bytes: Buffer) => (error === null ? resolve(bytes) : reject(error));
    client.query(new CopyQuery(select(whole), usualBytes(whole), settle));
  });
}

import type { Resource } from "../turns/resource";
import type { Prisma } from "./prisma";

/** A query that is prepared once per connection, under its name. */
export interface Statement<Row> {
  readonly name: string;
  readonly text: string;
  /** Never set: it carries the type of the rows. */
  readonly row?: Row;
}

/**
 * Runs statements, each on its own or in a transaction: those of the whole database, or of the part that has the rows of a channel. A
 * handler gets the right one for the channel in its path.
 */
export interface Db {
  query<Row>(statement: Statement<Row>, values?: readonly unknown[]): Promise<Row[]>;
  /**
   * Runs statements in a transaction. `work` runs again if PostgreSQL certainly rolled it back, such as after a deadlock. Within
   * a transaction, it joins that one; that of a schema on Citus is one of its own, which ends first.
   */
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /**
   * Runs a write of a channel when it is its turn, before it takes a connection. In a transaction, which has a connection that others
   * may wait for, it never waits.
   */
  takeTurn<Result>(channelId: string, write: () => Promise<Result>): Promise<Result>;
  /**
   * The database with the rows of a channel: the same one, or on Citus a schema on a worker. There, a transaction of the coordinator
   * does not contain its statements, which take effect before it ends.
   */
  channel(channelId: string): Db;
  /** Every schema with rows of channels: only this one, or on Citus those of the workers. */
  schemas(): readonly Db[];
  /** Whether the rows of channels are in schemas on the workers of Citus. */
  readonly isDistributed: boolean;
}

/** The schemas with rows of events, audit entries and idempotency keys: on Citus, that of the coordinator too, which comes first. */
export const everySchema = (db: Db): readonly Db[] => (db.isDistributed ? [db, ...db.schemas()] : [db]);

/** Reads from every schema. The pages are in the order of the schemas. */
export const readSchemas = <Row>(
  db: Pick<Db, "schemas">,
  statement: Statement<Row>,
  values: readonly unknown[],
): Promise<Row[][]> => Promise.all(db.schemas().map((schema) => schema.query(statement, values)));

/** The first rows of sorted pages. */
export function mergePages<Row>(
  pages: readonly Row[][],
  compare: (one: Row, other: Row) => number,
  count: number,
): Row[] {
  const [only, ...others] = pages;
  return only !== undefined && others.length === 0 ? only : pages.flat().sort(compare).slice(0, count);
}

/** A database in a transaction. A function that takes one locks rows, or changes several that belong together. */
export interface Tx extends Db {
  readonly isTransaction: true;
}

/** The whole database, with its connections. */
export interface Database extends Db {
  /** Prisma's client, on the same connections: for queries that are not hot and need no transaction. */
  readonly prisma: Prisma;
  /** How many connections may be open to each node. */
  readonly maxConnections: number;
  /** How many connections are open and idle. */
  countConnections(): { open: number; idle: number };
  /** What requests share: the connections to each node, and the writes of each channel. */
  listResources(): readonly Pick<Resource, "name" | "state">[];
  close(): Promise<void>;
}

/**
 * The current time in milliseconds since the Unix epoch, in SQL. What expires for every process expires by this clock: that
 * of one process may be wrong.
 */
export const databaseNow = "(extract(epoch FROM statement_timestamp()) * 1000)::bigint";

/** Takes the lock with a name until the transaction ends. `text` is an SQL expression of the name. */
export const defineLock = (name: string, text: string): Statement<unknown> => ({
  name,
  text: `SELECT pg_advisory_xact_lock(hashtextextended(${text}, 0))`,
});

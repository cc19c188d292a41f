import type { Prisma } from "./prisma";

/** A query that PostgreSQL plans once per connection: it is prepared there under its name. */
export interface Statement<Row> {
  readonly name: string;
  readonly text: string;
  /** Never set: it carries the type of the rows. */
  readonly row?: Row;
}

/** Runs statements: each on its own, or inside a transaction. */
export interface Queryable {
  query<Row>(statement: Statement<Row>, values?: readonly unknown[]): Promise<Row[]>;
  /** Runs several statements as one unit: all of them take effect, or none. `work` runs again after a deadlock. */
  transaction<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result>;
}

/** Runs statements that only read. */
export type Reader = Pick<Queryable, "query">;

export interface Db extends Queryable {
  /** Prisma's client, on the same connections: for what is neither hot nor part of a transaction. */
  readonly prisma: Prisma;
  /**
   * Runs reads one after another on one connection. They are not a transaction: each sees what was committed when it
   * began.
   */
  readOnOneConnection<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result>;
  /** How many connections are open and idle, and how many requests wait for one. */
  countConnections(): { open: number; idle: number; waiting: number };
  close(): Promise<void>;
}

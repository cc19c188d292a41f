import type { Write } from "./keyed-write";
import type { Prisma } from "./prisma";
import type { Statement } from "./statement";

export type { Statement };

/** Runs statements, each on its own or in a transaction. */
export interface Queryable {
  query<Row>(statement: Statement<Row>, values?: readonly unknown[]): Promise<Row[]>;
  /** Runs a write. With an idempotency key, it takes effect once and then returns the rows of the first run. */
  write<Row>(statement: Write<Row>, values: readonly unknown[]): Promise<Row[]>;
  /** Runs statements in a transaction. `work` runs again after a deadlock. */
  transaction<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result>;
}

/** Runs read-only statements. */
export type Reader = Pick<Queryable, "query">;

export interface Db extends Queryable {
  /** Prisma's client, on the same connections: for queries that are not hot and need no transaction. */
  readonly prisma: Prisma;
  /**
   * Runs reads one after another on one connection, without a transaction: each sees what was committed when it began.
   */
  readOnOneConnection<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result>;
  /** How many connections are open and idle, and how many requests wait for one. */
  countConnections(): { open: number; idle: number; waiting: number };
  close(): Promise<void>;
}

import type { Write } from "./keyed-write";
import type { Prisma } from "./prisma";
import type { Statement } from "./statement";

export type { Statement };

/** Runs statements: each on its own, or inside a transaction. */
export interface Queryable {
  query<Row>(statement: Statement<Row>, values?: readonly unknown[]): Promise<Row[]>;
  /** Runs a write. Bound to an idempotency key, it takes effect once, and returns the rows of the first time. */
  write<Row>(statement: Write<Row>, values: readonly unknown[]): Promise<Row[]>;
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

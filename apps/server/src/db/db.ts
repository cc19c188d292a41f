import type { Claim } from "./claim";
import type { Write } from "./keyed-write";
import type { Prisma } from "./prisma";
import type { Statement } from "./statement";

export type { Statement };

/** Runs statements, each on its own or in a transaction. */
export interface Queryable {
  query<Row>(statement: Statement<Row>, values?: readonly unknown[]): Promise<Row[]>;
  /** Runs a write. With a claim of an idempotency key, it takes effect once and then returns the rows of the first run. */
  write<Row>(statement: Write<Row>, values: readonly unknown[], claim?: Claim): Promise<Row[]>;
  /** Runs statements in a transaction. `work` runs again after a deadlock. */
  transaction<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result>;
  /** The part of the database that holds a channel with its members, managers and messages. */
  channel(channelId: string): Queryable;
  /** Every part that holds channels. Only a distributed database has more than one. */
  shards(): readonly Queryable[];
  /** Whether channels are on several nodes. A statement then reaches only the tables of its part. */
  readonly isDistributed: boolean;
}

/** Runs read-only statements. */
export type Reader = Pick<Queryable, "query" | "channel" | "shards" | "isDistributed">;

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

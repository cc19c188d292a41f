import type { Prisma } from "./prisma";
import type { Statement, UnionStatement } from "./statement";

export type { Statement, UnionStatement };

/** Runs statements, each on its own or in a transaction. */
export interface Queryable {
  query<Row>(statement: Statement<Row>, values?: readonly unknown[]): Promise<Row[]>;
  /** Runs statements in a transaction. `work` runs again after a deadlock. */
  transaction<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result>;
  /** The shard that holds a channel with its members, managers and messages. */
  channel(channelId: string): Queryable;
  /** Every shard. A database that is not distributed is its only one. */
  shards(): readonly Queryable[];
  /** Whether channels are on several nodes. A statement on a shard then reaches only the tables of the shard. */
  readonly isDistributed: boolean;
  /** How the coordinator reaches this shard. Absent on the coordinator, and if the database is not distributed. */
  readonly shard?: ShardAccess;
}

export interface ShardAccess {
  /** Has the tables that belong to no channel. In a transaction, it is part of the same one. */
  readonly coordinator: Queryable;
  /** The parameters of the database function `madang_run` that run a statement on the shard. */
  prepareCall(statement: Statement<unknown>, values: readonly unknown[]): readonly unknown[];
}

/** Runs read-only statements. */
export type Reader = Pick<Queryable, "query" | "channel" | "shards" | "isDistributed">;

export interface Db extends Queryable {
  /** Runs a statement once per node, on all shards of the node. Returns the rows of all nodes. */
  readShards<Row>(statement: UnionStatement<Row>, values?: readonly unknown[]): Promise<Row[]>;
  /** Prisma's client, on the same connections: for queries that are not hot and need no transaction. */
  readonly prisma: Prisma;
  /**
   * Runs reads one after another on one connection, without a transaction: each sees what was committed when it began.
   */
  readOnOneConnection<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result>;
  /** How many connections may be open to each node. */
  readonly maxConnections: number;
  /** How many connections are open and idle, and how many requests wait for one. */
  countConnections(): { open: number; idle: number; waiting: number };
  close(): Promise<void>;
}

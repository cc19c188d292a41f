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
}

/** Runs read-only statements. */
export interface Reader extends Pick<Queryable, "query" | "isDistributed"> {
  channel(channelId: string): Reader;
  shards(): readonly Reader[];
}

/** Where rows of a table of channels can be that also has rows without a channel: on the coordinator and on every shard. */
export const everyPlace = (db: Queryable): readonly Queryable[] =>
  db.isDistributed ? [db, ...db.shards()] : [db];

export interface Db extends Queryable {
  /** Runs a statement once per node, on all shards of the node. Returns the rows of all nodes. */
  readShards<Row>(statement: UnionStatement<Row>, values?: readonly unknown[]): Promise<Row[]>;
  /** Prisma's client, on the same connections: for queries that are not hot and need no transaction. */
  readonly prisma: Prisma;
  /** How many connections may be open to each node. */
  readonly maxConnections: number;
  /** How many connections are open and idle, and how many requests wait for one. */
  countConnections(): { open: number; idle: number; waiting: number };
  close(): Promise<void>;
}

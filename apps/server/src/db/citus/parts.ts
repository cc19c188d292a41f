import type { Claim } from "../claim";
import type { Queryable, Statement } from "../db";
import { type Shard, type ShardMap, shardKeyOf } from "./shard-map";

/** A connection, the pool, or a transaction. */
export interface Session extends Queryable {
  /** Runs a statement on the node of a shard. */
  queryAt<Row>(...call: ShardCall<Row>): Promise<Row[]>;
  transaction<Result>(work: (tx: Session) => Promise<Result>): Promise<Result>;
}

/** A statement on a shard. With a claim of an idempotency key, it takes effect once. */
export type ShardCall<Row> = readonly [
  target: ShardTarget,
  statement: Statement<Row>,
  values: readonly unknown[],
  claim?: Claim | undefined,
];

/** Where a channel is. */
export interface ShardTarget {
  readonly shard: Shard;
  readonly shardKey: number;
}

/** The parts of a distributed database: its shards. Every statement on a part runs on the node of the shard. */
export function partsOf(
  map: ShardMap,
  whole: Session,
): Pick<Queryable, "channel" | "shards" | "isDistributed"> {
  return {
    channel: (channelId) => {
      const shardKey = shardKeyOf(channelId);
      return partAt({ shard: map.find(shardKey), shardKey }, whole);
    },
    shards: () => map.shards.map((shard) => partAt({ shard, shardKey: shard.key }, whole)),
    isDistributed: true,
  };
}

function partAt(target: ShardTarget, whole: Session): Queryable {
  const part: Queryable = {
    query: (statement, values = []) => whole.queryAt(target, statement, values),
    write: (statement, values, claim) => whole.queryAt(target, statement, values, claim),
    transaction: (work) => whole.transaction((tx) => work(partAt(target, tx))),
    channel: () => part,
    shards: () => [part],
    isDistributed: true,
  };
  return part;
}

import type { Queryable } from "../db";
import type { ShardCall, ShardTarget } from "./call-shard";
import type { CurrentMap } from "./current-map";
import { shardKeyOf } from "./shard-map";

/** A connection, the pool, or a transaction. */
export interface Session extends Queryable {
  /** Runs a statement on the node of a shard. */
  queryAt<Row>(...call: ShardCall<Row>): Promise<Row[]>;
  transaction<Result>(work: (tx: Session) => Promise<Result>): Promise<Result>;
}

/** A session with the shards of a distributed database. Every statement on a shard runs on its node. */
export function openSession(
  map: Pick<CurrentMap, "read">,
  runs: Pick<Session, "query" | "queryAt" | "transaction">,
): Session {
  const session: Session = {
    ...runs,
    channel: (channelId) => {
      const shardKey = shardKeyOf(channelId);
      return openShard({ shard: map.read().find(shardKey), shardKey }, session);
    },
    shards: () => map.read().shards.map((shard) => openShard({ shard, shardKey: shard.key }, session)),
    isDistributed: true,
  };
  return session;
}

function openShard(target: ShardTarget, coordinator: Session): Queryable {
  const shard: Queryable = {
    query: (statement, values = []) => coordinator.queryAt(target, statement, values),
    transaction: (work) => coordinator.transaction((tx) => work(openShard(target, tx))),
    channel: () => shard,
    shards: () => [shard],
    isDistributed: true,
  };
  return shard;
}

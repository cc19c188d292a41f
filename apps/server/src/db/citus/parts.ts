import { type Claim, replay } from "../claim";
import type { Queryable, Statement } from "../db";
import { type Shard, type ShardMap, shardKeyOf } from "./shard-map";

/** A connection, the pool, or a transaction. */
export interface Session extends Queryable {
  /** Runs a statement on the node of a shard. */
  queryAt<Row>(place: Place, statement: Statement<Row>, values: readonly unknown[]): Promise<Row[]>;
  transaction<Result>(work: (tx: Session) => Promise<Result>): Promise<Result>;
}

/** Where a channel is. */
export interface Place {
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

function partAt(place: Place, whole: Session): Queryable {
  const part: Queryable = {
    query: (statement, values = []) => whole.queryAt(place, statement, values),
    write: (statement, values, claim) =>
      claim === undefined
        ? whole.queryAt(place, statement, values)
        : whole.transaction((tx) => onceFor(claim, tx, () => tx.queryAt(place, statement, values))),
    transaction: (work) => whole.transaction((tx) => work(partAt(place, tx))),
    channel: () => part,
    shards: () => [part],
    isDistributed: true,
  };
  return part;
}

/**
 * Runs the effect unless the idempotency key was used before, and stores its rows. The keys of all requests are on the
 * coordinator, and are written in the transaction of the effect. Of two concurrent requests with one key, the second
 * fails on the primary key of `idempotency_keys` and changes nothing.
 */
async function onceFor<Row>(claim: Claim, tx: Session, effect: () => Promise<Row[]>): Promise<Row[]> {
  const { caller, key, fingerprint, now, expiredBefore } = claim;
  const [earlier] = await tx.query(findResult, [caller, key, expiredBefore]);
  // The rows of the same write.
  if (earlier !== undefined) return replay(claim, earlier.fingerprint, earlier.result as Row[]);
  const rows = await effect();
  if (rows.length > 0) await tx.query(storeResult, [caller, key, fingerprint, now, JSON.stringify(rows)]);
  return rows;
}

const findResult: Statement<{ fingerprint: Buffer; result: unknown[] }> = {
  name: "citus.find-result",
  text: `SELECT fingerprint, result FROM idempotency_keys
    WHERE caller = $1 AND key = $2 AND created_at >= $3`,
};

const storeResult: Statement<unknown> = {
  name: "citus.store-result",
  text: `INSERT INTO idempotency_keys (caller, key, fingerprint, created_at, result) VALUES ($1, $2, $3, $4, $5)`,
};

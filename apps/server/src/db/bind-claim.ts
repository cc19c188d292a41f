import { type Claim, replay } from "./claim";
import type { Queryable } from "./db";
import type { Write } from "./keyed-write";

/** The database for one request with an idempotency key: its write takes effect once for the key. */
export function bindClaim(db: Queryable, claim: Claim): Queryable {
  return {
    query: db.query,
    write: (statement, values) => db.write(statement, values, claim),
    transaction: (work) => db.transaction((tx) => work(bindClaim(tx, claim))),
    channel: (channelId) => bindClaim(db.channel(channelId), claim),
    shards: () => db.shards().map((shard) => bindClaim(shard, claim)),
    isDistributed: db.isDistributed,
  };
}

/** Runs a write once for its idempotency key, in one statement. */
export async function writeKeyed<Row>(
  query: Queryable["query"],
  { keyed }: Write<Row>,
  values: readonly unknown[],
  claim: Claim,
): Promise<Row[]> {
  const { caller, key, fingerprint, now, expiredBefore } = claim;
  const rows = await query(keyed, [...values, caller, key, fingerprint, now, expiredBefore]);
  const [first] = rows;
  if (first === undefined || first.earlierFingerprint === null)
    // Without an earlier result, all rows come from the effect.
    return rows as Exclude<(typeof rows)[number], { earlierFingerprint: Buffer }>[];
  return replay(claim, first.earlierFingerprint, first.earlierResult);
}

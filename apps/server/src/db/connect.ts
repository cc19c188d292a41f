import { connectCitus } from "./citus/connect";
import type { Db, Queryable } from "./db";
import { type DbSettings, managePools, openPool } from "./pool";
import { createStatementRunner } from "./run-statement";
import { inTransaction, retryIfRolledBack } from "./transaction";

export function connect(settings: DbSettings): Db {
  const { shardMap } = settings;
  return shardMap === undefined ? connectPlain(settings) : connectCitus({ ...settings, shardMap });
}

function connectPlain(settings: DbSettings): Db {
  const pool = openPool(settings);
  const run = createStatementRunner(settings);
  const transaction: Queryable["transaction"] = (work) =>
    inTransaction(pool, (client) => {
      const tx = openSession({
        query: (statement, values) => run(client, statement, values),
        transaction: (inner) => inner(tx),
      });
      return work(tx);
    });
  const session = openSession({
    query: (statement, values) => retryIfRolledBack(() => run(pool, statement, values)),
    transaction,
  });
  return {
    ...session,
    readShards: ({ name, before, ofShard, after }, values) =>
      session.query({ name, text: before + ofShard + after }, values),
    ...managePools(pool, settings),
  };
}

/** A session that is its own and only shard. */
function openSession(runs: Pick<Queryable, "query" | "transaction">): Queryable {
  const session: Queryable = {
    ...runs,
    channel: () => session,
    shards: () => [session],
    isDistributed: false,
  };
  return session;
}

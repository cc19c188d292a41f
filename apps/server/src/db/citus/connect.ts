import type pg from "pg";
import type { Db } from "../db";
import { type DbSettings, managePools, openPool } from "../pool";
import { createStatementRunner } from "../run-statement";
import type { Statement } from "../statement";
import { timeStatement } from "../time-statement";
import { inTransaction, retryIfRolledBack } from "../transaction";
import { type Connection, withClient } from "../with-client";
import { callNode, callShard, forceTwoPhase, type ShardCall, type Shards } from "./call-shard";
import { keepCurrent } from "./current-map";
import { connectToNodes } from "./nodes";
import { readShardMap, type ShardMap } from "./shard-map";
import { openSession, type Session } from "./shards";

/** Connects to the coordinator and, if set, to the nodes of the channels. */
export function connectCitus(settings: DbSettings & { readonly shardMap: ShardMap }): Db {
  const { onStatement, shardMap, url, connectsToNodes } = settings;
  const pool = openPool(settings);
  const map = keepCurrent(shardMap, () => withClient(pool, readShardMap));
  const openNode = (nodeUrl: string) => openPool({ ...settings, url: nodeUrl });
  const nodes = connectToNodes(map, url, pool, connectsToNodes === true ? openNode : undefined);
  const run = createStatementRunner(settings);
  const query = <Row>(connection: Connection, statement: Statement<Row>, values?: readonly unknown[]) =>
    map.watch(() => run(connection, statement, values));
  const time = <Row>(connection: Connection, name: string, work: (client: pg.PoolClient) => Promise<Row[]>) =>
    map.watch(() => timeStatement(name, onStatement, () => withClient(connection, work)));
  const queryAt = <Row>(connection: Connection, ...call: ShardCall<Row>) =>
    time(connection, call[1].name, (client) => callShard(client, ...call));

  const openTransaction = (client: pg.PoolClient): Session => {
    let isTwoPhase = false;
    const tx = openSession(map, {
      query: (statement, values) => query(client, statement, values),
      async queryAt(...call) {
        if (!isTwoPhase) await query(client, forceTwoPhase);
        isTwoPhase = true;
        return queryAt(client, ...call);
      },
      transaction: (work) => work(tx),
    });
    return tx;
  };
  const session = openSession(map, {
    query: (statement, values) => retryIfRolledBack(() => query(pool, statement, values)),
    queryAt: (...call) =>
      retryIfRolledBack(() => {
        if (connectsToNodes !== true) return queryAt(pool, ...call);
        return nodes.use(call[0].shard, (node) => queryAt(node, ...call));
      }),
    transaction: (work) => inTransaction(pool, (client) => work(openTransaction(client))),
  });
  const { close, ...others } = managePools(pool, settings, nodes.listPools);
  return {
    ...session,
    readShards(statement, values = []) {
      const readNode = (shards: Shards) =>
        nodes.use(shards[0], (node) =>
          time(node, statement.name, (client) => callNode(client, shards, statement, values)),
        );
      // Retries the grouping too: a move changes which shards share a node.
      return retryIfRolledBack(async () => (await Promise.all((await nodes.group()).map(readNode))).flat());
    },
    ...others,
    async close() {
      await nodes.close();
      await close();
    },
  };
}

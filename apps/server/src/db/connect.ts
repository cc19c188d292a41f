import pg from "pg";
import { callNode, callShard, forceTwoPhase, type ShardCall, type Shards } from "./citus/call-shard";
import { type CurrentMap, keepCurrent } from "./citus/current-map";
import { connectToNodes } from "./citus/nodes";
import { readShardMap, type ShardMap } from "./citus/shard-map";
import { type Session, shardsOf } from "./citus/shards";
import { clientClassFor } from "./client";
import type { Db, Statement } from "./db";
import { createPrisma } from "./prisma";
import { createStatementRunner } from "./run-statement";
import { type SessionSettings, sessionConfig } from "./session";
import { statementSettings } from "./tables";
import { type OnStatement, timeStatement } from "./time-statement";
import { inTransaction, retryIfRolledBack } from "./transaction";
import { type Connection, withClient } from "./with-client";

/** Parses column values as `pg` does, except that 64-bit integers become numbers: times and counts stay far below 2^53. */
const columnTypes = new pg.TypeOverrides();
columnTypes.setTypeParser(pg.types.builtins.INT8, Number);

export interface DbSettings extends SessionSettings {
  readonly maxConnections: number;
  /** How long to wait for a connection before the database counts as unavailable. */
  readonly connectTimeoutMs: number;
  readonly onIdleError: (error: Error) => void;
  /** Called with the name and the duration of each statement, including the wait for a connection. */
  readonly onStatement?: OnStatement;
  /** `MADANG_RETENTION_DAYS`. */
  readonly retentionDays?: number | undefined;
  /** Where the channels are, if the database is distributed. */
  readonly shardMap?: ShardMap | undefined;
  /** Whether statements on a channel go directly to its node, instead of through the coordinator. */
  readonly connectsToNodes?: boolean | undefined;
}

/** One connection pool, shared by the stores' statements and by Prisma. */
export function connect(settings: DbSettings): Db {
  const pool = openPool(settings);
  const prisma = createPrisma(pool, settings.onStatement);
  const { onStatement } = settings;
  const constants = statementSettings(settings.retentionDays);
  const run = createStatementRunner(constants);
  const map =
    settings.shardMap === undefined
      ? undefined
      : keepCurrent(settings.shardMap, () => withClient(pool, (client) => readShardMap(client, constants)));
  const openNode =
    settings.connectsToNodes === true ? (url: string) => openPool({ ...settings, url }) : undefined;
  const nodes = map === undefined ? undefined : connectToNodes(map, settings.url, pool, openNode);
  const listPools = () => [pool, ...(nodes?.listPools() ?? [])];
  const watch: CurrentMap["watch"] = map?.watch ?? ((work) => work());
  const query = <Row>(connection: Connection, statement: Statement<Row>, values: readonly unknown[] = []) =>
    watch(() =>
      timeStatement(statement.name, onStatement, () =>
        withClient(connection, (client) => run(client, statement, values)),
      ),
    );
  const queryAt = <Row>(connection: Connection, ...call: ShardCall<Row>) =>
    watch(() =>
      timeStatement(call[1].name, onStatement, () =>
        withClient(connection, (client) => callShard(client, ...call)),
      ),
    );

  /** The part of the interface that is the same with and without a transaction. */
  const open = (runs: Runs, transaction: Session["transaction"]): Session => {
    const session: Session = {
      ...runs,
      transaction,
      channel: () => session,
      shards: () => [session],
      isDistributed: false,
    };
    return map === undefined ? session : { ...session, ...shardsOf(map, session) };
  };
  const openTransaction = (client: pg.PoolClient): Session => {
    let isTwoPhase = false;
    const runs: Runs = {
      query: (statement, values) => query(client, statement, values),
      async queryAt(...call) {
        if (!isTwoPhase) await query(client, forceTwoPhase);
        isTwoPhase = true;
        return queryAt(client, ...call);
      },
    };
    const tx = open(runs, (inner) => inner(tx));
    return tx;
  };
  const transaction: Session["transaction"] = (work) =>
    inTransaction(pool, (client) => work(openTransaction(client)));
  const openConnection = (connection: Connection) =>
    open(
      {
        query: (statement, values) => retryIfRolledBack(() => query(connection, statement, values)),
        queryAt: (...call) =>
          retryIfRolledBack(() => {
            if (nodes === undefined || openNode === undefined) return queryAt(connection, ...call);
            return nodes.use(call[0].shard, (nodePool) => queryAt(nodePool, ...call));
          }),
      },
      transaction,
    );

  const readShards: Db["readShards"] = async (statement, values = []) => {
    const { name, before, ofShard, after } = statement;
    if (nodes === undefined)
      return retryIfRolledBack(() => query(pool, { name, text: before + ofShard + after }, values));
    const readNode = (shards: Shards) =>
      watch(() =>
        timeStatement(name, onStatement, () =>
          nodes.use(shards[0], (node) =>
            withClient(node, (client) => callNode(client, shards, statement, values)),
          ),
        ),
      );
    // Retries the grouping too: a move changes which shards share a node.
    return retryIfRolledBack(async () => (await Promise.all((await nodes.group()).map(readNode))).flat());
  };

  return {
    ...openConnection(pool),
    readShards,
    prisma,
    maxConnections: settings.maxConnections,
    countConnections() {
      const sum = (count: (each: pg.Pool) => number) =>
        listPools().reduce((total, each) => total + count(each), 0);
      return {
        open: sum(({ totalCount }) => totalCount),
        idle: sum(({ idleCount }) => idleCount),
        waiting: sum(({ waitingCount }) => waitingCount),
      };
    },
    readOnOneConnection: (work) => withClient(pool, (client) => work(openConnection(client))),
    async close() {
      await prisma.$disconnect();
      await nodes?.close();
      await pool.end();
    },
  };
}

type Runs = Pick<Session, "query" | "queryAt">;

function openPool(settings: DbSettings): pg.Pool {
  const pool = new pg.Pool({
    ...sessionConfig({ ...settings, isDistributed: settings.shardMap !== undefined }),
    Client: clientClassFor(settings.url),
    max: settings.maxConnections,
    connectionTimeoutMillis: settings.connectTimeoutMs,
    types: columnTypes,
  });
  // Without a listener, an idle connection that the database closes would crash the process.
  pool.on("error", settings.onIdleError);
  // So would one that closes between checkout and first use. The first use then fails.
  pool.on("connect", (client) => void client.on("error", () => undefined));
  return pool;
}

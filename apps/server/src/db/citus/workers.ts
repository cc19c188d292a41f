import type pg from "pg";
import { runAsService } from "../../turns/client";
import { borrow } from "../connection/borrow";
import { urlOfNode } from "../connection/connection-string";
import type { SharedPool } from "../connection/pool";
import { isDatabaseUnavailable, isOnOtherNode, isTimedOut, otherNode } from "../faults";

/** The nodes that have the schemas of the channels, and a connection pool for each. */
export interface Workers {
  /** The pool of the node that has the schema. */
  find(schema: string): Promise<pg.Pool>;
  /** Runs work on a node. If it fails because the schema is elsewhere now, or the node does not respond, looks up the nodes again. */
  watch<Result>(work: () => Promise<Result>): Promise<Result>;
  listPools(): readonly SharedPool[];
  close(): Promise<void>;
}

/** Between two lookups, however many statements fail. */
const minAgeMs = 100;

/** Opens a pool for each node when it is first needed. `url` is that of the coordinator, `openPool` gets that of the node. */
export function connectToWorkers(
  url: string,
  coordinator: pg.Pool,
  openPool: (url: string) => SharedPool,
): Workers {
  const pools = new Map<string, SharedPool>();
  /** The URL of the node of each schema. */
  let urls: ReadonlyMap<string, string> | undefined;
  /** The schemas whose node has views. */
  const ready = new Map<string, Promise<void>>();
  let lookup: Promise<ReadonlyMap<string, string>> | undefined;
  let lookedUpAt = Number.NEGATIVE_INFINITY;
  let isDoubtful = true;
  let isClosed = false;

  const lookUp = async () => {
    lookedUpAt = performance.now();
    isDoubtful = false;
    const { rows } = await coordinator.query<Placement>(listPlacements);
    ready.clear();
    urls = new Map(rows.map(({ schema, name, port }) => [schema, urlOfNode(url, name, port)]));
    return urls;
  };
  const findUrls = async () => {
    const isDue = isDoubtful && performance.now() - lookedUpAt > minAgeMs;
    if (urls !== undefined && !isDue) return urls;
    lookup ??= runAsService(lookUp).finally(() => {
      lookup = undefined;
    });
    // The workers respond also while the coordinator does not.
    return lookup.catch((error: unknown) => {
      if (urls === undefined) throw error;
      return urls;
    });
  };
  const poolOf = (nodeUrl: string) => {
    const pool = pools.get(nodeUrl) ?? openPool(nodeUrl);
    pools.set(nodeUrl, pool);
    return pool;
  };

  return {
    async find(schema) {
      const nodeUrl = (await findUrls()).get(schema);
      if (nodeUrl === undefined || isClosed) throw new Error(`Citus has no node for the schema ${schema}.`);
      const pool = poolOf(nodeUrl);
      const isReady = ready.get(schema) ?? runAsService(() => makeViewsIfMissing(pool, schema));
      ready.set(schema, isReady);
      await isReady.catch((error: unknown) => {
        ready.delete(schema);
        throw error;
      });
      return pool;
    },
    async watch(work) {
      try {
        return await work();
      } catch (error) {
        if (isDatabaseUnavailable(error) && !isTimedOut(error)) isDoubtful = true;
        if (!isOnOtherNode(error)) throw error;
        isDoubtful = true;
        // As a serialization failure, so that the statement or its transaction is retried.
        throw Object.assign(new Error(otherNode, { cause: error }), { code: "40001" });
      }
    },
    listPools: () => [...pools.values()],
    async close() {
      isClosed = true;
      await Promise.all([...pools.values()].map((pool) => pool.end()));
    },
  };
}

/** A node gets the views of a schema when a server first uses the schema there. */
const makeViewsIfMissing = (pool: pg.Pool, schema: string): Promise<void> =>
  borrow(pool, async (client) => {
    const { rows } = await client.query("SELECT to_regclass($1) IS NULL AS missing", [
      `local_${schema}.channels`,
    ]);
    if (rows[0]?.missing === true) await client.query("SELECT madang_make_views($1)", [schema]);
  });

interface Placement {
  readonly schema: string;
  readonly name: string;
  readonly port: number;
}

/** The tables of a schema are always on one node. */
const listPlacements = `SELECT DISTINCT nspname AS schema, nodename AS name, nodeport AS port
  FROM pg_dist_schema s JOIN pg_namespace n ON n.oid = s.schemaid
  JOIN pg_dist_partition p ON p.colocationid = s.colocationid
  JOIN pg_dist_shard sh ON sh.logicalrelid = p.logicalrelid
  JOIN pg_dist_placement pl ON pl.shardid = sh.shardid
  JOIN pg_dist_node node ON node.groupid = pl.groupid AND noderole = 'primary'`;

/** The URLs of the nodes that have schemas. */
export async function listWorkers(client: Pick<pg.ClientBase, "query">, url: string): Promise<string[]> {
  const { rows } = await client.query<Placement>(listPlacements);
  return [...new Set(rows.map(({ name, port }) => urlOfNode(url, name, port)))];
}

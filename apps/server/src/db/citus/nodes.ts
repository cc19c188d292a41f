import type pg from "pg";
import { urlOfNode } from "../connection-string";
import { isDatabaseUnavailable, isTimedOut } from "../faults";
import type { Shards } from "./call-shard";
import type { CurrentMap } from "./current-map";
import type { Shard } from "./shard-map";

/** The nodes of Citus that have the shards, and a connection pool for each worker. */
export interface Nodes {
  /** All shards, those of each node together. */
  group(): Promise<readonly Shards[]>;
  /**
   * Runs work on the node that has the shard. If the shard has just moved, Citus forwards a statement from there; so does the
   * coordinator with a shard that was not found.
   */
  use<Result>(shard: Shard, work: (pool: pg.Pool) => Promise<Result>): Promise<Result>;
  listPools(): readonly pg.Pool[];
  close(): Promise<void>;
}

const maxAgeMs = 5_000;
/** Between two lookups, however many statements fail. */
const minAgeMs = 100;

/**
 * Opens a pool for each worker when it is first needed. `url` is that of the coordinator, `openPool` gets that of the worker.
 * Without `openPool`, everything goes through the coordinator.
 */
export function connectToNodes(
  map: Pick<CurrentMap, "read">,
  url: string,
  coordinator: pg.Pool,
  openPool: ((url: string) => pg.Pool) | undefined,
): Nodes {
  const pools = new Map<string, pg.Pool>();
  /** By shard. Undefined for a shard on the coordinator. */
  let urls: ReadonlyMap<number, string | undefined> | undefined;
  let lookup: Promise<typeof urls> | undefined;
  let lookedUpAt = Number.NEGATIVE_INFINITY;
  let isDoubtful = false;
  let isClosed = false;

  const lookUp = async () => {
    lookedUpAt = performance.now();
    isDoubtful = false;
    const { rows } = await coordinator.query<Placement>(listPlacements, [
      map.read().shards.map(({ id }) => id),
    ]);
    urls = new Map(
      rows.map(({ id, name, port, isWorker }) => [
        Number(id),
        isWorker ? urlOfNode(url, name, port) : undefined,
      ]),
    );
    return urls;
  };
  const find = async () => {
    const age = performance.now() - lookedUpAt;
    const isOld = age > (isDoubtful ? minAgeMs : maxAgeMs);
    if (urls !== undefined && !isOld) return urls;
    lookup ??= lookUp().finally(() => {
      lookup = undefined;
    });
    // The workers respond also while the coordinator does not.
    return lookup.catch((error: unknown) => {
      if (urls === undefined) throw error;
      return urls;
    });
  };
  const poolOf = async (shard: Shard) => {
    if (openPool === undefined || isClosed) return coordinator;
    const nodeUrl = (await find())?.get(shard.id);
    if (nodeUrl === undefined) return coordinator;
    const pool = pools.get(nodeUrl) ?? openPool(nodeUrl);
    pools.set(nodeUrl, pool);
    return pool;
  };

  return {
    async group() {
      const found = await find();
      const groups = new Map<string | undefined, [Shard, ...Shard[]]>();
      for (const shard of map.read().shards) {
        const url = found?.get(shard.id);
        const group = groups.get(url);
        if (group === undefined) groups.set(url, [shard]);
        else group.push(shard);
      }
      return [...groups.values()];
    },
    async use(shard, work) {
      try {
        return await work(await poolOf(shard));
      } catch (error) {
        // The node may have another address now, or have been removed.
        if (isDatabaseUnavailable(error) && !isTimedOut(error)) isDoubtful = true;
        throw error;
      }
    },
    listPools: () => [...pools.values()],
    async close() {
      isClosed = true;
      await Promise.all([...pools.values()].map((pool) => pool.end()));
    },
  };
}

interface Placement {
  readonly id: string;
  readonly name: string;
  readonly port: number;
  readonly isWorker: boolean;
}

const listPlacements = `SELECT shardid AS id, nodename AS name, nodeport AS port, groupid <> 0 AS "isWorker"
  FROM pg_dist_placement JOIN pg_dist_node USING (groupid)
  WHERE shardid = ANY ($1::bigint[]) AND noderole = 'primary'`;

/** The URLs of the workers that can have shards. */
export async function listWorkers(client: Pick<pg.ClientBase, "query">, url: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string; port: number }>(
    `SELECT nodename AS name, nodeport AS port FROM pg_dist_node
     WHERE noderole = 'primary' AND isactive AND shouldhaveshards AND groupid <> 0`,
  );
  return rows.map(({ name, port }) => urlOfNode(url, name, port));
}

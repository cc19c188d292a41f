import type pg from "pg";
import { isDatabaseUnavailable } from "../faults";
import type { Shard, ShardMap } from "./shard-map";

/** The nodes of Citus that have the shards, and a connection pool for each. */
export interface Nodes {
  /** Runs work on the node that has the shard. If the shard has just moved, Citus passes a statement on from there. */
  use<Result>(shard: Shard, work: (pool: pg.Pool) => Promise<Result>): Promise<Result>;
  listPools(): readonly pg.Pool[];
}

const maxAgeMs = 5_000;

/** Opens a pool for each node when it is first needed. `url` is that of the coordinator, `openPool` gets that of the node. */
export function connectToNodes(
  { shards }: ShardMap,
  url: string,
  coordinator: pg.Pool,
  openPool: (url: string) => pg.Pool,
): Nodes {
  const pools = new Map<string, pg.Pool>();
  let urls: Promise<ReadonlyMap<number, string>> | undefined;
  let lookedUpAt = 0;

  const lookUp = async () => {
    const { rows } = await coordinator.query<Placement>(listPlacements, [shards.map(({ id }) => id)]);
    return new Map(rows.map(({ id, name, port }) => [Number(id), urlOfNode(url, name, port)]));
  };
  const forget = () => {
    urls = undefined;
  };
  const find = () => {
    if (urls !== undefined && performance.now() - lookedUpAt < maxAgeMs) return urls;
    lookedUpAt = performance.now();
    urls = lookUp();
    urls.catch(forget);
    return urls;
  };

  const poolOf = async (shard: Shard) => {
    const nodeUrl = (await find()).get(shard.id);
    if (nodeUrl === undefined) throw new Error(`Citus has no node for the shard ${shard.id}.`);
    const pool = pools.get(nodeUrl) ?? openPool(nodeUrl);
    pools.set(nodeUrl, pool);
    return pool;
  };

  return {
    async use(shard, work) {
      try {
        return await work(await poolOf(shard));
      } catch (error) {
        // The node may have another address now, or have been removed.
        if (isDatabaseUnavailable(error)) forget();
        throw error;
      }
    },
    listPools: () => [...pools.values()],
  };
}

interface Placement {
  readonly id: string;
  readonly name: string;
  readonly port: number;
}

const listPlacements = `SELECT shardid AS id, nodename AS name, nodeport AS port FROM pg_dist_shard_placement
  WHERE shardid = ANY ($1::bigint[])`;

/** The same database on another node, with the same user, password and TLS mode. */
export function urlOfNode(coordinatorUrl: string, name: string, port: number): string {
  const url = new URL(coordinatorUrl);
  url.hostname = name.includes(":") ? `[${name}]` : name;
  url.port = String(port);
  // These would replace the address.
  for (const parameter of ["host", "port"]) url.searchParams.delete(parameter);
  return url.href;
}

import { isShardGone } from "../faults";
import type { ShardMap } from "./shard-map";

/** The distribution as the server knows it. */
export interface CurrentMap {
  read(): ShardMap;
  /** If the work fails because its shard is gone, looks up the distribution for later calls, and rethrows. */
  watch<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Shards get other numbers when one of them is split. The server learns it from the first statement on a shard that is gone. */
export function keepCurrent(initial: ShardMap, readAgain: () => Promise<ShardMap | undefined>): CurrentMap {
  let map = initial;
  let isLookingUp = false;

  const lookUp = async () => {
    isLookingUp = true;
    // If it fails, so does the next statement on the shard, which looks it up again.
    map = (await readAgain().catch(() => undefined)) ?? map;
    isLookingUp = false;
  };
  return {
    read: () => map,
    async watch(work) {
      try {
        return await work();
      } catch (error) {
        // Not awaited: the caller may have the last free connection.
        if (isShardGone(error) && !isLookingUp) void lookUp();
        throw error;
      }
    },
  };
}

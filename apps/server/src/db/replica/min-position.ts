import type { Reader } from "../db";
import { findLogPosition, type LogPosition } from "./store";

/** The max lag of a page from a replica: it shows everything that was written earlier than this. */
export const maxLagMs = 5_000;

/**
 * The log position that a replica must have reached, whatever the cursor contains: the primary's position at most a few
 * seconds ago. It is cached for that long, so that a replica with a small lag can be used.
 */
export function cacheMinPosition(primary: Reader, now: () => number): () => Promise<LogPosition> {
  let cached: { readonly position: Promise<LogPosition>; readonly readAt: number } | undefined;
  return async () => {
    if (cached === undefined || now() - cached.readAt >= maxLagMs)
      cached = { position: findLogPosition(primary), readAt: now() };
    const current = cached;
    try {
      return await current.position;
    } catch (error) {
      if (cached === current) cached = undefined;
      throw error;
    }
  };
}

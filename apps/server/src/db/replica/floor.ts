import type { Reader } from "../db";
import { findLogPlace, type LogPlace } from "./store";

/** How much older than the database a page may be: what was written longer ago, it shows. */
export const longestLagMs = 5_000;

/**
 * The place that a replica must have reached to answer at all, whatever the cursor asks for: where the primary was at
 * most a few seconds ago. It is kept for that long, so that a replica that is a little behind need not be passed over.
 */
export function keepFloor(primary: Reader, now: () => number): () => Promise<LogPlace> {
  let kept: { readonly place: Promise<LogPlace>; readonly askedAt: number } | undefined;
  return async () => {
    if (kept === undefined || now() - kept.askedAt >= longestLagMs)
      kept = { place: findLogPlace(primary), askedAt: now() };
    const floor = kept;
    try {
      return await floor.place;
    } catch (error) {
      if (kept === floor) kept = undefined;
      throw error;
    }
  };
}

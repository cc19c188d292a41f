import { contract, limits } from "@madang/contract";
import { initServer } from "@ts-rest/express";
import { invalidCursor } from "../../paging/cursor";
import type { Deps } from "../deps";
import { presentEvent } from "./present";
import {
  type EventFilters,
  type FeedPosition,
  findLatest,
  findOldest,
  isSameFeed,
  readEvents,
} from "./store";

const scope = "events";

/** How long a client may take to read the response, after the wait. */
const graceMs = 15_000;

export const eventHandlers = ({ db, cursors, feed }: Deps) => {
  /** The position at which a client begins. */
  const open = async (after: string | undefined): Promise<number> => {
    if (after === undefined) return findOldest(db);
    if (after === "latest") return (await findLatest(db)).position;
    // Signed by this module.
    const place = cursors.open(scope, after) as FeedPosition;
    if (!(await isSameFeed(db, place))) throw invalidCursor("after");
    return place.position;
  };

  /** Reads on while the filters leave nothing, up to the end of the feed, and then waits for it to grow. */
  const readOrWait = async (
    start: number,
    count: number,
    filters: EventFilters,
    waitMs: number,
    signal: AbortSignal,
  ) => {
    const until = performance.now() + waitMs;
    for (let after = start; ; ) {
      const found = await readEvents(db, { after, count, ...filters });
      const { position } = found.end;
      const remainingMs = until - performance.now();
      const isEnd = position === after;
      if (found.events.length > 0 || (isEnd && remainingMs <= 0) || signal.aborted) return found;
      if (isEnd) await feed.waitBeyond(position, remainingMs, signal);
      if (feed.isReleased) return found;
      after = position;
    }
  };

  return initServer().router(contract.events, {
    list: async ({ query, res }) => {
      const { after, limit = limits.eventPage.default, types, channel_id: channelId, wait = 0 } = query;
      // What was changed before the request must be seen, also what no process has numbered yet.
      await feed.catchUp();
      const start = await open(after);
      const gone = new AbortController();
      if (wait > 0) {
        const waitMs = wait * 1_000;
        res.once("close", () => gone.abort());
        res.setTimeout(waitMs + graceMs);
      }
      const found = await readOrWait(start, limit, { types, channelId }, wait * 1_000, gone.signal);
      return {
        status: 200,
        body: { events: found.events.map(presentEvent), next: cursors.seal(scope, found.end) },
      };
    },
  });
};

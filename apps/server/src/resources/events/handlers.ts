import { contract, eventStream, limits } from "@madang/contract";
import { initServer } from "@ts-rest/express";
import { ServiceError } from "../../errors";
import { requireCaller } from "../../http/authenticate";
import { EventStream } from "../../http/event-stream";
import type { Deps } from "../deps";
import { openFeedCursor } from "./cursor";
import { presentEvent } from "./present";
import { type EventFilters, type FeedPosition, findLatest, findOldest, readEvents } from "./store";
import { formatHeartbeat, scope } from "./tail";

/** How long a client may take to read the response, after the wait. */
const graceMs = 15_000;

/** The position at which a client begins. Changes before the request come before `latest`. */
async function open({ db, cursors, feed }: Deps, after: string | undefined): Promise<FeedPosition> {
  await feed.catchUp();
  if (after === undefined) return findOldest(db);
  if (after === "latest") return findLatest(db);
  return openFeedCursor(cursors, db, after);
}

export const eventHandlers = (deps: Deps) => {
  const { db, cursors, feed } = deps;

  /** Reads until an event matches the filters or the feed ends, and then waits for new events. */
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
      const { position } = await open(deps, after);
      const disconnect = new AbortController();
      if (wait > 0) {
        const waitMs = wait * 1_000;
        res.once("close", () => disconnect.abort());
        res.setTimeout(waitMs + graceMs);
      }
      const found = await readOrWait(position, limit, { types, channelId }, wait * 1_000, disconnect.signal);
      return {
        status: 200,
        body: { events: found.events.map(presentEvent), next: cursors.seal(scope, found.end) },
      };
    },
  });
};

/** How often the key of a stream is checked again. */
const checkMs = 1_000;

export const streamHandlers = (deps: Deps & Parameters<typeof requireCaller>[0]) => {
  const { cursors, tail } = deps;
  return initServer().router(eventStream, {
    stream: async ({ query, headers, req }) => {
      const { after, types, channel_id: channelId } = query;
      // An empty header counts as absent.
      const cursorPosition = await open(deps, headers["last-event-id"]?.toString() || after);
      if (tail.size >= limits.eventStreams)
        throw new ServiceError(
          "unavailable",
          `This server has its ${limits.eventStreams} streams. Try again shortly; another server may have room.`,
        );
      const stream = new EventStream((response) => {
        const closed = new Promise<void>((resolve) => {
          response.once("close", resolve);
        });
        // From now on the client has a cursor; without `after`, it begins at the oldest event each time.
        response.write(after === undefined ? ":\n\n" : formatHeartbeat(cursors, cursorPosition));
        const end = () => void response.end();
        tail.follow(
          cursorPosition.position,
          { types, channelId },
          {
            write: (chunk) => void response.write(chunk),
            drain: async () => {
              if (!response.writableNeedDrain) return;
              const drained = new Promise((resolve) => response.once("drain", resolve));
              await Promise.race([drained, closed]);
            },
            get bufferedBytes() {
              return response.writableLength;
            },
            get isOpen() {
              return !response.destroyed && !response.writableEnded;
            },
            closed,
            end,
            drop: () => void response.destroy(),
          },
        );
        const check = setInterval(() => {
          requireCaller(deps, req).catch((error: unknown) => error instanceof ServiceError && end());
        }, checkMs);
        void closed.then(() => clearInterval(check));
      });
      // ts-rest pipes a stream into the response, but does not say so in its types.
      return { status: 200, body: stream as never };
    },
  });
};

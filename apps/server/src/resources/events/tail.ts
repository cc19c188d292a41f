import type { Logger } from "pino";
import type { Reader } from "../../db/db";
import type { Cursors } from "../../paging/cursor";
import type { Feed } from "./feed";
import { createListeners, type Entry, type Listener, type Sink } from "./listeners";
import { presentEvent } from "./present";
import { type EventFilters, type EventRow, type FeedPosition, findLatest, readEvents } from "./store";

export const scope = "events";

/** Moves the cursor of a client without an event. */
export const formatHeartbeat = (cursors: Cursors, cursorPosition: FeedPosition): string =>
  `id: ${cursors.seal(scope, cursorPosition)}\n\n`;

/** The end of the feed, read once for all streams of the process. */
export interface Tail {
  readonly size: number;
  /** Writes the events after a position, and then every later one. */
  follow(position: number, filters: EventFilters, sink: Sink): void;
}

export interface TailDeps {
  readonly db: Reader;
  readonly feed: Feed;
  readonly cursors: Cursors;
  readonly logger: Pick<Logger, "warn">;
  readonly onDropped?: (() => void) | undefined;
}

const eventsPerRead = 100;
/** Listeners that are at most this many events behind need no separate read. */
const maxKept = 1_000;
/** Less than the time after which a silent connection is closed. */
const heartbeatMs = 10_000;
const retryMs = 1_000;
/** With many listeners, events are collected a little longer, so that each write has more of them. */
const pauseMsPerListener = 0.05;

export function createTail({ db, feed, cursors, logger, onDropped }: TailDeps): Tail {
  const listeners = createListeners(onDropped);
  let kept: Entry[] = [];
  let keptAfter = 0;
  let end: FeedPosition = { position: 0, nonce: 0 };
  let isRunning = false;
  let isReading = false;

  const toEntry = (row: EventRow): Entry => {
    const cursor = cursors.seal(scope, { position: row.position, nonce: row.nonce });
    const text = `id: ${cursor}\nevent: ${row.type}\ndata: ${JSON.stringify(presentEvent(row))}\n\n`;
    return { position: row.position, type: row.type, channelId: row.channelId, text };
  };
  const heartbeat = (at: FeedPosition) => formatHeartbeat(cursors, at);

  const run = async () => {
    end = await findLatest(db);
    kept = [];
    keptAfter = end.position;
    isReading = true;
    const beat = setInterval(() => listeners.sendHeartbeat(end.position, heartbeat(end)), heartbeatMs);
    try {
      while (listeners.size > 0 && !feed.isReleased) await step();
    } finally {
      isReading = false;
      clearInterval(beat);
    }
  };
  const step = async () => {
    const found = await readEvents(db, { after: end.position, count: eventsPerRead }).catch(async (error) => {
      logger.warn({ err: error }, "the end of the feed could not be read");
      await sleep(retryMs);
      return undefined;
    });
    if (found === undefined) return;
    end = found.end;
    if (found.events.length === 0) return feed.waitBeyond(end.position, heartbeatMs);
    const entries = found.events.map(toEntry);
    kept.push(...entries);
    if (kept.length > maxKept)
      keptAfter = kept.splice(0, kept.length - maxKept).at(-1)?.position ?? keptAfter;
    listeners.publish(entries);
    await sleep(listeners.size * pauseMsPerListener);
  };
  const start = () => {
    if (isRunning) return;
    isRunning = true;
    run()
      .catch((error: unknown) => logger.warn({ err: error }, "streams were interrupted"))
      .finally(() => {
        isRunning = false;
        // The process stops, or the database was unavailable: the remaining clients reconnect.
        listeners.endAll();
      });
  };

  /** Reads for one listener until it has reached the kept events. */
  const catchUp = async (listener: Listener) => {
    const { sink, filters } = listener;
    while (sink.isOpen && listeners.has(listener)) {
      if (isReading && listener.position >= keptAfter) return listeners.goLive(listener, kept);
      const found = await readEvents(db, { after: listener.position, count: eventsPerRead, ...filters });
      listener.position = found.end.position;
      const text = found.events.map((row) => toEntry(row).text).join("");
      listeners.write(listener, text || heartbeat(found.end));
      await sink.drain();
    }
  };

  return {
    get size() {
      return listeners.size;
    },
    follow(position, filters, sink) {
      const listener = listeners.add(position, filters, sink);
      start();
      catchUp(listener).catch((error: unknown) => {
        logger.warn({ err: error }, "a stream was interrupted");
        listeners.remove(listener);
        sink.end();
      });
    },
  };
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

import type { Logger } from "pino";
import type { Reader } from "../../db/db";
import type { Cursors } from "../../paging/cursor";
import type { Feed } from "./feed";
import { presentEvent } from "./present";
import { type EventFilters, type EventRow, type FeedPosition, findLatest, readEvents } from "./store";

export const scope = "events";

/** The response to which the events of a stream are written. */
export interface Sink {
  write(chunk: string | Buffer): void;
  /** Resolves when the client has read everything or has disconnected. */
  drain(): Promise<void>;
  /** The number of bytes that the client has not read. */
  readonly bufferedBytes: number;
  readonly isOpen: boolean;
  readonly closed: Promise<void>;
  end(): void;
  /** Disconnects a client that does not read. */
  drop(): void;
}

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

interface Listener {
  /** It has everything up to here. It may be ahead of the tail when it becomes live. */
  position: number;
  readonly filters: EventFilters;
  /** Equal for equal filters. */
  readonly filterKey: string;
  readonly sink: Sink;
}

/** A serialized event. */
interface Entry extends Pick<EventRow, "position" | "type" | "channelId"> {
  readonly text: string;
}

const eventsPerRead = 100;
/** Listeners that are at most this many events behind need no separate read. */
const maxKept = 1_000;
/** A client with more unread bytes is disconnected, and resumes from its cursor. */
const maxBufferedBytes = 512 * 1_024;
/** Less than the time after which a silent connection is closed. */
const heartbeatMs = 10_000;
const retryMs = 1_000;
/** With many listeners, events are collected a little longer, so that each write has more of them. */
const pauseMsPerListener = 0.05;

export function createTail({ db, feed, cursors, logger, onDropped }: TailDeps): Tail {
  const listeners = new Set<Listener>();
  /** Those that get every entry of the tail after their position. */
  const live = new Set<Listener>();
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

  const write = (listener: Listener, chunk: string | Buffer) => {
    const { sink } = listener;
    // One write may be larger: what counts is what the client has left unread of the earlier ones.
    if (sink.bufferedBytes <= maxBufferedBytes) {
      if (chunk.length > 0) sink.write(chunk);
      return;
    }
    onDropped?.();
    leave(listener);
    sink.drop();
  };
  const leave = (listener: Listener) => {
    listeners.delete(listener);
    live.delete(listener);
  };
  const publish = (entries: readonly Entry[]) => {
    const first = entries[0]?.position ?? 0;
    // Encoded once for all listeners with the same filters.
    const chunks = new Map<string, Buffer>();
    for (const listener of live) {
      const isAhead = listener.position >= first;
      const chunk = (!isAhead && chunks.get(listener.filterKey)) || Buffer.from(select(listener, entries));
      if (!isAhead) chunks.set(listener.filterKey, chunk);
      write(listener, chunk);
    }
  };

  const run = async () => {
    end = await findLatest(db);
    kept = [];
    keptAfter = end.position;
    isReading = true;
    const beat = setInterval(() => {
      const text = heartbeat(end);
      for (const listener of live) if (listener.position <= end.position) write(listener, text);
    }, heartbeatMs);
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
    publish(entries);
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
        for (const { sink } of listeners) sink.end();
        listeners.clear();
        live.clear();
      });
  };

  /** Reads for one listener until it has reached the kept events. */
  const catchUp = async (listener: Listener) => {
    const { sink, filters } = listener;
    while (sink.isOpen && listeners.has(listener)) {
      if (isReading && listener.position >= keptAfter) {
        live.add(listener);
        return write(listener, select(listener, kept));
      }
      const found = await readEvents(db, { after: listener.position, count: eventsPerRead, ...filters });
      listener.position = found.end.position;
      write(listener, found.events.map((row) => toEntry(row).text).join("") || heartbeat(found.end));
      await sink.drain();
    }
  };

  return {
    get size() {
      return listeners.size;
    },
    follow(position, filters, sink) {
      const listener: Listener = { position, filters, filterKey: JSON.stringify(filters), sink };
      listeners.add(listener);
      void sink.closed.then(() => leave(listener));
      start();
      catchUp(listener).catch((error: unknown) => {
        logger.warn({ err: error }, "a stream was interrupted");
        leave(listener);
        sink.end();
      });
    },
  };
}

function select({ position, filters }: Listener, entries: readonly Entry[]): string {
  const { types, channelId } = filters;
  return entries
    .filter((entry) => entry.position > position)
    .filter(
      (entry) => (types?.includes(entry.type) ?? true) && (channelId ?? entry.channelId) === entry.channelId,
    )
    .map(({ text }) => text)
    .join("");
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

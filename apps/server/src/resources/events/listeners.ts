import type { EventFilters, EventRow } from "./store";

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

export interface Listener {
  /** It has everything up to here. It may be ahead of the tail when it becomes live. */
  position: number;
  readonly filters: EventFilters;
  /** Equal for equal filters. */
  readonly filterKey: string;
  readonly sink: Sink;
}

/** A serialized event. */
export interface Entry extends Pick<EventRow, "position" | "type" | "channelId"> {
  readonly text: string;
}

/** The open streams of the process. */
export interface Listeners {
  readonly size: number;
  add(position: number, filters: EventFilters, sink: Sink): Listener;
  has(listener: Listener): boolean;
  remove(listener: Listener): void;
  /** From now on the listener gets every published entry after its position. `kept` are those published before. */
  goLive(listener: Listener, kept: readonly Entry[]): void;
  /** Writes entries to all live listeners. */
  publish(entries: readonly Entry[]): void;
  /** Writes to the live listeners that are not ahead of a position. */
  sendHeartbeat(position: number, text: string): void;
  write(listener: Listener, chunk: string | Buffer): void;
  endAll(): void;
}

/** A client with more unread bytes is disconnected, and resumes from its cursor. */
const maxBufferedBytes = 512 * 1_024;

export function createListeners(onDropped: (() => void) | undefined): Listeners {
  const all = new Set<Listener>();
  const live = new Set<Listener>();

  const remove = (listener: Listener) => {
    all.delete(listener);
    live.delete(listener);
  };
  const write = (listener: Listener, chunk: string | Buffer) => {
    const { sink } = listener;
    // One write may be larger: what counts is what the client has left unread of the earlier ones.
    if (sink.bufferedBytes <= maxBufferedBytes) {
      if (chunk.length > 0) sink.write(chunk);
      return;
    }
    onDropped?.();
    remove(listener);
    sink.drop();
  };

  return {
    get size() {
      return all.size;
    },
    add(position, filters, sink) {
      const listener: Listener = { position, filters, filterKey: JSON.stringify(filters), sink };
      all.add(listener);
      void sink.closed.then(() => remove(listener));
      return listener;
    },
    has: (listener) => all.has(listener),
    remove,
    goLive(listener, kept) {
      live.add(listener);
      write(listener, select(listener, kept));
    },
    publish(entries) {
      const first = entries[0]?.position ?? 0;
      // Encoded once for all listeners with the same filters.
      const chunks = new Map<string, Buffer>();
      for (const listener of live) {
        const isAhead = listener.position >= first;
        const chunk = (!isAhead && chunks.get(listener.filterKey)) || Buffer.from(select(listener, entries));
        if (!isAhead) chunks.set(listener.filterKey, chunk);
        write(listener, chunk);
      }
    },
    sendHeartbeat(position, text) {
      for (const listener of live) if (listener.position <= position) write(listener, text);
    },
    write,
    endAll() {
      for (const { sink } of all) sink.end();
      all.clear();
      live.clear();
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

import type { ChatEvent } from "@madang/contract";
import type { Cursors } from "../../paging/cursor";
import { presentEvent } from "./present";
import type { EventFilters, EventRow, FeedPosition, FoundEvents } from "./store";

export const scope = "events";

/** An event as clients get it. */
interface Entry extends FeedPosition, Pick<EventRow, "type" | "channelId"> {
  readonly event: ChatEvent;
}

/** Events in the order of the feed, and the position that a client has reached with them. */
export class Batch {
  readonly #cursors: Cursors;
  #text: Buffer | undefined;

  constructor(
    cursors: Cursors,
    readonly entries: readonly Entry[],
    readonly end: FeedPosition,
  ) {
    this.#cursors = cursors;
  }

  static of(cursors: Cursors, { events, end }: FoundEvents): Batch {
    const entries = events.map((row) => ({
      position: row.position,
      nonce: row.nonce,
      type: row.type,
      channelId: row.channelId,
      event: presentEvent(row),
    }));
    return new Batch(cursors, entries, end);
  }

  get events(): ChatEvent[] {
    return this.entries.map(({ event }) => event);
  }

  /** The cursor of `end`. */
  get next(): string {
    return this.#cursors.sign(scope, { position: this.end.position, nonce: this.end.nonce });
  }

  /** The server-sent events: without entries, the cursor alone. Encoded once for all streams that get the batch. */
  get text(): Buffer {
    this.#text ??= Buffer.from(
      this.entries.length === 0
        ? `id: ${this.next}\n\n`
        : this.entries.map((entry) => this.#format(entry)).join(""),
    );
    return this.#text;
  }

  /** Those after a position that match the filters. */
  select(after: FeedPosition, { types, channelId }: EventFilters): Batch {
    const selected = this.entries.filter(
      (entry) =>
        entry.position > after.position &&
        (types?.includes(entry.type) ?? true) &&
        (channelId ?? entry.channelId) === entry.channelId,
    );
    return new Batch(this.#cursors, selected, this.end);
  }

  /** The first entries. */
  take(count: number): Batch {
    const last = this.entries[count - 1];
    if (last === undefined || this.entries.length === count) return this;
    return new Batch(this.#cursors, this.entries.slice(0, count), last);
  }

  #format({ position, nonce, event }: Entry): string {
    const cursor = this.#cursors.sign(scope, { position, nonce });
    return `id: ${cursor}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
  }
}

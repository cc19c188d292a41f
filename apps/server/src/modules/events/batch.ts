import type { ChatEvent } from "@madang/contract";
import type { UrlOf } from "../../chat/attachments";
import type { Viewer } from "../../chat/users/present";
import type { Cursors } from "../../paging/cursor";
import { presentEvent } from "./present";
import type { EventRow, FeedPosition, FoundEvents } from "./store";

export const scope = "events";

/** An event of the feed. It is presented and formatted when it is first needed, once for all clients that get it. */
export class Entry {
  readonly row: EventRow;
  readonly #urlOf: UrlOf;
  readonly #viewer: Viewer | undefined;
  #event: ChatEvent | undefined;
  #text: string | undefined;
  #forUsers: Entry | undefined;

  /** `urlOf` makes the addresses of files, for all clients. Without a viewer, as the application sees it. */
  constructor(row: EventRow, urlOf: UrlOf, viewer?: Viewer) {
    this.row = row;
    this.#urlOf = urlOf;
    this.#viewer = viewer;
  }

  get event(): ChatEvent {
    this.#event ??= presentEvent(this.row, this.#urlOf, this.#viewer);
    return this.#event;
  }

  /** The same as every user sees it. */
  forUsers(publicMeta: ReadonlySet<string>): Entry {
    // Nobody has this id: all users get the same text.
    this.#forUsers ??= new Entry(this.row, this.#urlOf, { userId: "", publicMeta });
    return this.#forUsers;
  }

  format(cursors: Cursors): string {
    if (this.#text === undefined) {
      const { position, nonce } = this.row;
      const cursor = cursors.sign(scope, { position, nonce });
      this.#text = `id: ${cursor}\nevent: ${this.event.type}\ndata: ${JSON.stringify(this.event)}\n\n`;
    }
    return this.#text;
  }
}

/** Which of the events that a client may see it asks for. */
export interface Selection {
  readonly types?: readonly string[] | undefined;
  readonly channelId?: string | undefined;
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

  static of(cursors: Cursors, { events, end }: FoundEvents, urlOf: UrlOf): Batch {
    return new Batch(
      cursors,
      events.map((row) => new Entry(row, urlOf)),
      end,
    );
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
        : this.entries.map((entry) => entry.format(this.#cursors)).join(""),
    );
    return this.#text;
  }

  /** Those after a position that match the filters. */
  select(after: FeedPosition, { types, channelId }: Selection): Batch {
    const selected = this.entries.filter(
      ({ row }) =>
        row.position > after.position &&
        (types?.includes(row.type) ?? true) &&
        (channelId ?? row.channelId) === row.channelId,
    );
    return this.with(selected);
  }

  /** Other entries up to the same position. */
  with(entries: readonly Entry[]): Batch {
    return new Batch(this.#cursors, entries, this.end);
  }

  take(count: number): Batch {
    const last = this.entries[count - 1];
    if (last === undefined || this.entries.length === count) return this;
    return new Batch(this.#cursors, this.entries.slice(0, count), last.row);
  }
}

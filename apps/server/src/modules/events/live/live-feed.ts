import { setTimeout as sleep } from "node:timers/promises";
import type { LiveEvent } from "@madang/contract";
import type { Logger } from "pino";
import type { Attachments } from "../../../chat/attachments";
import type { Db } from "../../../db/db";
import { ServiceError } from "../../../errors/service-error";
import type { Cursors } from "../../../paging/cursor";
import { runAsService } from "../../../turns/client";
import { Audience } from "../as-user/audience";
import type { UserChannels } from "../as-user/user-channels";
import { listRoles } from "../as-user/user-channels-store";
import { Batch } from "../batch";
import type { Numbering } from "../numbering/numbering";
import { type EventFilters, readBatch } from "../read-batch";
import { type FeedPosition, findLatest, readEvents } from "../store";

/** A client that gets the events after a position as they happen: a stream, or a list request that waits. */
export interface FeedClient {
  /** Runs a read of earlier events. */
  takeTurn<Result>(read: () => Promise<Result>): Promise<Result>;
  /** Passes events to the client. A batch without entries has only the position that the client has reached. */
  receive(batch: Batch): void;
  /** Passes on events that are not in the feed. Absent: the client does not want them. */
  readonly receiveLive?: ((text: string) => void) | undefined;
  /** Resolves when the client can take more. */
  drained(): Promise<void>;
  /** Called when no more events follow: the process stops, or the database failed or was restored. */
  end(error?: unknown): void;
}

interface LiveFeedDeps {
  readonly db: Db;
  readonly numbering: Pick<Numbering, "follow" | "waitBeyond" | "catchUp">;
  readonly cursors: Cursors;
  readonly attachments: Pick<Attachments, "addressesFor">;
  readonly logger: Pick<Logger, "warn">;
}

/** An event of a channel that is not in the feed. */
export interface LiveEntry {
  readonly event: Extract<LiveEvent, { channel_id: string }>;
  readonly channelPk: number;
  /** The users who do not get it: they have blocked its sender. */
  readonly blockerPks?: readonly number[];
}

interface Follower {
  readonly client: FeedClient;
  readonly filters: EventFilters;
  /** Equal for equal filters. */
  readonly filterKey: string;
  /** The channels of the user, if the client acts as one. */
  readonly channels: UserChannels | undefined;
  /**
   * While catching up, a follower reads events itself, up to `position`: events that were read earlier could show what has been
   * deleted since. When live, it gets the events that are read once for all followers. At the switch, its position can be ahead of
   * theirs.
   */
  state: "catching up" | "live";
  position: FeedPosition;
}

/**
 * - `stopped`: there are no followers, and no position is known.
 * - `starting`: the end of the feed is looked up.
 * - `reading`: new events are read and passed to the followers.
 * - `closed`: the process stops.
 */
type State = "stopped" | "starting" | "reading" | "closed";

const eventsPerRead = 100;
/** Of one follower that catches up: until its client has read them, they stay in memory. */
const maxBytesPerRead = 2 ** 17;
/** Less than the time after which a silent connection is closed. */
const heartbeatMs = 10_000;
const retryMs = 1_000;
/** With many followers, events are collected longer, so that each write contains more of them. */
const pauseMsPerFollower = 0.05;

/** The end of the feed, read once for all clients of the process that wait for events. */
export class LiveFeed {
  readonly #deps: LiveFeedDeps;
  readonly #followers = new Set<Follower>();
  readonly #audience = new Audience();
  /** The loads of the channels of users. */
  readonly #loads = new WeakMap<UserChannels, Promise<void>>();
  readonly #closed = new AbortController();
  #state: State = "stopped";
  #started = Promise.resolve();
  #end: FeedPosition = { position: 0, nonce: 0 };

  constructor(deps: LiveFeedDeps) {
    this.#deps = deps;
  }

  /** Passes the events after a position to a client, until the returned function is called. That returns the last position. */
  follow(position: FeedPosition, filters: EventFilters, client: FeedClient): () => FeedPosition {
    const { types, channelId, acting } = filters;
    const channels = acting && this.#audience.join(acting.userPk);
    const follower: Follower = {
      client,
      filters,
      filterKey: JSON.stringify([types, channelId, acting?.userPk]),
      channels,
      state: "catching up",
      position,
    };
    this.#followers.add(follower);
    this.#catchUp(follower).catch((error: unknown) => {
      this.#deps.logger.warn({ err: error }, "a client of the feed was interrupted");
      if (this.#remove(follower)) client.end(error);
    });
    return () => {
      this.#remove(follower);
      return this.#positionOf(follower);
    };
  }

  /** Whether a client gets live events of a type. */
  hasLive(type: LiveEvent["type"]): boolean {
    for (const { client, filters } of this.#followers)
      if (client.receiveLive !== undefined && (filters.types?.includes(type) ?? true)) return true;
    return false;
  }

  /** Passes on events that are not in the feed, which interrupted streams do not get again. */
  publishLive(entries: readonly LiveEntry[]): void {
    const texts = entries.map(({ event }) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    for (const { client, filters, channels } of this.#followers) {
      if (client.receiveLive === undefined) continue;
      const text = texts.filter((_, index) => isSeen(entries[index], filters, channels)).join("");
      if (text !== "") client.receiveLive(text);
    }
  }

  #remove(follower: Follower): boolean {
    const isFollowing = this.#followers.delete(follower);
    if (isFollowing && follower.channels !== undefined) this.#audience.leave(follower.channels);
    return isFollowing;
  }

  /** Loads the channels of a user once for all its followers: from then on, they follow from the events. */
  #load(channels: UserChannels): Promise<void> {
    const { db, numbering } = this.#deps;
    const known = this.#loads.get(channels);
    if (known !== undefined) return known;
    const loading = listRoles(db, channels.userPk, () => numbering.catchUp()).then((roles) =>
      channels.load(roles),
    );
    this.#loads.set(channels, loading);
    loading.catch(() => this.#loads.delete(channels));
    return loading;
  }

  /** The first events after a position. Empty when the time is over, the signal is aborted, or the process stops. */
  next(
    after: FeedPosition,
    filters: EventFilters,
    {
      count,
      timeoutMs,
      signal,
      takeTurn,
    }: { count: number; timeoutMs: number; signal: AbortSignal } & Pick<FeedClient, "takeTurn">,
  ): Promise<Batch> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", stop);
        return unfollow();
      };
      const stop = () => resolve(new Batch(this.#deps.cursors, [], leave()));
      const timer = setTimeout(stop, timeoutMs);
      const unfollow = this.follow(after, filters, {
        takeTurn,
        receive(batch) {
          if (batch.entries.length === 0) return;
          leave();
          resolve(batch.take(count));
        },
        drained: async () => undefined,
        end(error) {
          if (error === undefined) return stop();
          leave();
          reject(error);
        },
      });
      if (signal.aborted) stop();
      else signal.addEventListener("abort", stop);
    });
  }

  /** Whether a position is the end, so that a client can follow from there without a read. */
  isEnd({ position, nonce }: FeedPosition): boolean {
    return this.#state === "reading" && position === this.#end.position && nonce === this.#end.nonce;
  }

  /** Ends all clients, and later ones at once. */
  close(): void {
    this.#state = "closed";
    this.#closed.abort();
    this.#endClients();
  }

  /** Reads events for one follower until it has reached the end. */
  async #catchUp(follower: Follower): Promise<void> {
    const { db, cursors, attachments } = this.#deps;
    await this.#start();
    if (this.#state === "closed" && this.#remove(follower)) return follower.client.end();
    if (follower.channels !== undefined) await this.#load(follower.channels);
    while (this.#followers.has(follower)) {
      const { client, filters, channels, position } = follower;
      if (position.position >= this.#end.position) {
        follower.state = "live";
        return;
      }
      const query = { after: position.position, count: eventsPerRead, maxBytes: maxBytesPerRead };
      const batch = await client.takeTurn(() =>
        readBatch(db, cursors, attachments.addressesFor(), query, filters, channels),
      );
      follower.position = batch.end;
      if (this.#followers.has(follower)) client.receive(batch);
      await client.drained();
    }
  }

  #positionOf({ state, position }: Follower): FeedPosition {
    return state === "live" && this.#end.position > position.position ? this.#end : position;
  }

  #start(): Promise<void> {
    if (this.#state === "stopped") {
      this.#state = "starting";
      this.#started = runAsService(() => this.#open());
    }
    return this.#started;
  }

  async #open(): Promise<void> {
    try {
      this.#end = await findLatest(this.#deps.db);
    } catch (error) {
      if (this.#state === "starting") this.#state = "stopped";
      throw error;
    }
    if (this.#state !== "starting") return;
    this.#state = "reading";
    void this.#read();
  }

  async #read(): Promise<void> {
    const unfollow = this.#deps.numbering.follow({ isAnnounced: true });
    const beat = setInterval(() => this.#sendHeartbeat(), heartbeatMs);
    while (this.#state === "reading" && this.#followers.size > 0) {
      try {
        await this.#readOn();
      } catch (error) {
        this.#deps.logger.warn({ err: error }, "the end of the feed could not be read");
        // A rejection would be the same on retry.
        if (error instanceof ServiceError) this.#stop(error);
        else await sleep(retryMs);
      }
    }
    clearInterval(beat);
    unfollow();
    if (this.#state === "reading") this.#state = "stopped";
  }

  async #readOn(): Promise<void> {
    const { db, numbering, cursors, attachments, logger } = this.#deps;
    const found = await readEvents(db, { after: this.#end.position, count: eventsPerRead });
    if (this.#state !== "reading") return;
    if (found.end.position < this.#end.position || found.afterNonce !== this.#end.nonce) {
      logger.warn(
        "the database was restored to an earlier position of the feed; clients that wait are ended",
      );
      return this.#stop();
    }
    this.#end = found.end;
    if (found.events.length === 0)
      return numbering.waitBeyond(this.#end.position, heartbeatMs, this.#closed.signal);
    this.#publish(Batch.of(cursors, found, attachments.addressesFor()));
    await sleep(this.#followers.size * pauseMsPerFollower);
  }

  /** Ends all clients; their cursors are checked when they reconnect. The next client starts reading at the end of the feed. */
  #stop(error?: ServiceError): void {
    if (this.#state !== "reading") return;
    this.#state = "stopped";
    this.#endClients(error);
  }

  #endClients(error?: ServiceError): void {
    for (const follower of this.#followers) {
      this.#remove(follower);
      follower.client.end(error);
    }
  }

  #publish(batch: Batch): void {
    const [first] = batch.entries;
    if (first === undefined) return;
    // Selected and encoded once for all followers with the same filters.
    const selected = new Map<string, Batch>();
    const ofUsers = this.#audience.share(batch.entries);
    for (const { client, state, filters, filterKey, channels, position } of this.#followers) {
      const seen = channels === undefined ? batch.entries : ofUsers.get(channels);
      if (state !== "live" || seen === undefined) continue;
      const { acting } = filters;
      const select = () => {
        const own = acting && batch.with(seen.map((entry) => entry.forUsers(acting.publicMeta)));
        return (own ?? batch).select(position, filters);
      };
      const isAhead = position.position >= first.row.position;
      const own = (!isAhead && selected.get(filterKey)) || select();
      if (!isAhead) selected.set(filterKey, own);
      if (own.entries.length > 0) client.receive(own);
    }
  }

  #sendHeartbeat(): void {
    const batch = new Batch(this.#deps.cursors, [], this.#end);
    for (const { client, state, position } of this.#followers)
      if (state === "live" && position.position <= this.#end.position) client.receive(batch);
  }
}

function isSeen(
  entry: LiveEntry | undefined,
  { types, channelId }: EventFilters,
  channels: UserChannels | undefined,
): boolean {
  if (entry === undefined) return false;
  const { event, channelPk, blockerPks = [] } = entry;
  return (
    (types?.includes(event.type) ?? true) &&
    (channelId ?? event.channel_id) === event.channel_id &&
    (channels === undefined || (channels.has(channelPk) && !blockerPks.includes(channels.userPk)))
  );
}

import { contract, eventStream, limits } from "@madang/contract";
import { defineHandlers } from "../../call/handlers";
import { requireChannelPk } from "../../chat/channels/store";
import type { ChatDeps } from "../../chat/deps";
import { recheckCaller, requireCaller } from "../../http/auth/authenticate";
import type { Call } from "../../http/handler";
import { clientOf, localsOf } from "../../http/locals";
import { reserveResponse } from "../../http/response/reserve-response";
import { maxPageBytes } from "../../paging/page-bytes";
import type { ActingUser } from "../../security/acting-user";
import { runAs } from "../../turns/client";
import { smallBytes } from "../../turns/resources";
import { UserChannels } from "./as-user/user-channels";
import { listRoles } from "./as-user/user-channels-store";
import { Batch } from "./batch";
import { openFeedCursor } from "./cursor";
import { EventStream, StreamClient, watchEnd } from "./live/event-stream";
import type { ListenerLimit } from "./live/listener-limit";
import { type ListenerPresence, requirePresence } from "./live/listener-presence";
import type { FeedClient, LiveFeed } from "./live/live-feed";
import { measureQueue } from "./numbering/number-store";
import type { Numbering } from "./numbering/numbering";
import { type EventFilters, readBatch } from "./read-batch";
import { type FeedPosition, findLatest, findOldest } from "./store";

export interface EventDeps extends ChatDeps {
  readonly numbering: Numbering;
  /** The end of the feed, for streams and lists that wait. */
  readonly liveFeed: LiveFeed;
  readonly listeners: ListenerLimit;
  /** Undefined where it is turned off. */
  readonly presence: ListenerPresence | undefined;
  /** Called when a stream was cut because its client did not read. */
  readonly onStreamDropped: (() => void) | undefined;
}

/** How long a request reads events to find matches of its filters. The next request continues there. */
const maxScanMs = 500;

/** The position at which a client begins. `latest` is after all changes that were committed before the request. */
async function open(deps: EventDeps, after: string | undefined): Promise<FeedPosition> {
  await deps.numbering.catchUp();
  if (after === undefined) return findOldest(deps.db);
  if (after === "latest") return findLatest(deps.db);
  return openFeedCursor(deps, after);
}

/** Reads until an event matches the filters, the feed or the time ends, or the signal is aborted. */
async function findEvents(
  { db, cursors, numbering, attachments }: EventDeps,
  start: FeedPosition,
  { count, filters, signal }: { count: number; filters: EventFilters; signal: AbortSignal },
): Promise<{ readonly batch: Batch; readonly isEnd: boolean }> {
  const urlOf = attachments.addressesFor();
  const until = performance.now() + maxScanMs;
  const channels = filters.acting && new UserChannels(filters.acting.userPk);
  channels?.load(await listRoles(db, channels.userPk, () => numbering.catchUp()));
  for (let after = start; ; ) {
    const batch = await readBatch(db, cursors, urlOf, { after: after.position, count }, filters, channels);
    const isEnd = batch.end.position === after.position;
    const isOver = batch.entries.length > 0 || isEnd || signal.aborted || performance.now() > until;
    if (isOver) return { batch, isEnd };
    after = batch.end;
  }
}

/** The filters of a request. As a user, the channel must be one of the user. */
async function requireFilters(
  { db }: EventDeps,
  { types, channel_id: channelId }: { types?: string[] | undefined; channel_id?: string | undefined },
  acting: ActingUser | undefined,
): Promise<EventFilters> {
  if (acting !== undefined && channelId !== undefined)
    await requireChannelPk(db.channel(channelId), channelId, acting);
  return { types, channelId, acting };
}

/**
 * Admits a client that waits, until its response or its key ends. With a token, its user is online until then, unless the client is invisible.
 * Returns a function that checks the key again.
 */
async function admit(
  deps: EventDeps,
  request: Call["req"],
  ended: AbortController,
  { isInvisible }: { isInvisible: boolean },
): Promise<() => Promise<unknown>> {
  const caller = await requireCaller(deps, request);
  const checkKey = () => recheckCaller(deps, request, caller);
  const leave = deps.listeners.admit({ caller, checkKey, end: () => ended.abort() });
  onceAborted(ended.signal, leave);
  const isPerson = caller.kind === "user" && caller.token !== undefined;
  if (isPerson && !isInvisible && deps.presence) onceAborted(ended.signal, deps.presence.enter(caller));
  return checkKey;
}

function onceAborted(signal: AbortSignal, leave: () => void): void {
  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave);
}

const isInvisible = ({ presence }: { presence?: "invisible" | undefined }) => presence === "invisible";

const turnsOf =
  ({ resources }: EventDeps, response: Call["res"]): FeedClient["takeTurn"] =>
  (read) =>
    runAs(clientOf(response), () => resources.pages.run(read));

export const eventHandlers = (deps: EventDeps) => {
  const { liveFeed } = deps;
  return defineHandlers(contract.events, {
    list: async ({ query, acting, res }) => {
      const { after, limit: count = limits.eventPage.default, wait = 0 } = query;
      const filters = await requireFilters(deps, query, acting);
      const timeoutMs = wait * 1_000;
      const ended = watchEnd(res);
      const { signal } = ended;
      const takeTurn = turnsOf(deps, res);
      const checkKey =
        wait > 0 ? await admit(deps, res.req, ended, { isInvisible: isInvisible(query) }) : undefined;
      // After the wait, it has the time of every response.
      if (wait > 0) res.setTimeout(timeoutMs + (res.req.socket.timeout ?? 0));
      const find = async (start: FeedPosition): Promise<Batch> => {
        if (wait > 0 && liveFeed.isEnd(start))
          return liveFeed.next(start, filters, { count, timeoutMs, signal, takeTurn });
        await reserveResponse(res, deps.resources.responses, maxPageBytes);
        const { batch, isEnd } = await takeTurn(() => findEvents(deps, start, { count, filters, signal }));
        if (wait === 0 || batch.entries.length > 0 || !isEnd) return batch;
        // It has no page: while it waits, others may have those bytes.
        localsOf(res).reserved?.resize(smallBytes);
        return liveFeed.next(batch.end, filters, { count, timeoutMs, signal, takeTurn });
      };
      const { events, next } = await find(await open(deps, after));
      // The key may have been deleted, or have expired, during the wait.
      await checkKey?.();
      return { status: 200, body: { events, next } };
    },
    queue: async () => {
      const { queue, lagSeconds } = await measureQueue(deps.db);
      return { status: 200, body: { event_count: queue, lag_ms: Math.round(lagSeconds * 1_000) } };
    },
  });
};

export const streamHandlers = (deps: EventDeps) => {
  const { cursors, liveFeed, onStreamDropped } = deps;
  const { responses } = deps.resources;
  return defineHandlers(eventStream, {
    stream: async ({ query, headers, acting, res }) => {
      const { after } = query;
      const filters = await requireFilters(deps, query, acting);
      const takeTurn = turnsOf(deps, res);
      const ended = watchEnd(res);
      const watched = query.presence_of && { userIds: query.presence_of, in: requirePresence(deps.presence) };
      await admit(deps, res.req, ended, { isInvisible: isInvisible(query) });
      // An empty header counts as absent.
      const start = await open(deps, headers["last-event-id"]?.toString() || after);
      const stream = new EventStream((response) => {
        const client = new StreamClient(response, takeTurn, query.live === true, {
          responses,
          client: clientOf(res),
          onDropped: onStreamDropped,
        });
        // With `after`, the client gets a cursor at once. Without, it begins at the oldest event until it has received one.
        client.write(after === undefined ? ":\n\n" : new Batch(cursors, [], start).text);
        const unfollow = liveFeed.follow(start, filters, client);
        if (watched && (query.types?.includes("presence") ?? true)) {
          const receive = (text: string) => client.write(text);
          onceAborted(ended.signal, watched.in.watch({ userIds: watched.userIds, viewer: acting, receive }));
        }
        onceAborted(ended.signal, () => {
          unfollow();
          client.end();
        });
      });
      // ts-rest pipes a stream into the response, but does not say so in its types.
      return { status: 200, body: stream as never };
    },
  });
};

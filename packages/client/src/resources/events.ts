import type {
  EventType,
  ListenOptions,
  LiveListenOptions,
  ReceivedEvent,
  ReceivedLiveEvent,
} from "../events/listen-options";
import { BaseEvents, type EventsListQuery } from "../generated/resources";
import type { EventPage } from "../generated/types";
import { requirePageSize } from "../limits";
import type { CallOptions } from "../options";
import type { Api } from "./api";

/** Which events to get, and how many. */
export interface EventQuery extends Omit<EventsListQuery, "types"> {
  /** Only events of these types. */
  types?: readonly EventType[] | string | undefined;
}

/** `chat.events` */
export class Events extends BaseEvents {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    super(api);
    this.#api = api;
  }

  /**
   * Gets the next events, oldest first, and the cursor to continue with as `after`.
   *
   * Throws `BadRequestError` for an invalid cursor, `ApiError` with the code `events_expired` for one that is too old.
   *
   * @param query Where to continue, which events, how long to wait for the first, and how many: 1 to 500, default 100.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const { events, next } = await chat.events.list({ wait: 20 });
   */
  async list(query: EventQuery = {}, options?: CallOptions): Promise<EventPage> {
    const { pageSize, types, ...filters } = query;
    requirePageSize("events.list", pageSize);
    const sent = { limit: pageSize, types: types?.toString(), ...filters };
    return this.#api.call("events.list", { query: sent }, options);
  }

  /**
   * Receives events as they happen, until the loop ends. It reconnects by itself, and neither skips nor repeats an event.
   * To continue later, store `event.cursor` once an event is handled, and pass it as `after`.
   *
   * Throws `BadRequestError` for an invalid cursor, `ApiError` with the code `events_expired` for one that is too old.
   *
   * @param options Where to begin, which events, and a signal that ends the loop.
   * @example for await (const event of chat.events.listen({ types: ["message.created"] })) console.log(event.cursor);
   */
  listen(options?: ListenOptions): AsyncGenerator<ReceivedEvent, void, undefined>;
  /**
   * Also receives what is not stored and has no cursor: signals, text as it is appended to messages, and who is online. An event of such text
   * has all `content` of the message so far: those who have read the message take what is longer, and miss and double nothing.
   * After a gap, the message is read: a key with scopes needs `messages.get` for that, or `types` without `message.appended`.
   *
   * @param options The same with `live: true`; `types` may have `message.appended`, `signal` and `presence`, too, and `presenceOf` has
   * the users whose presence to receive.
   * @example for await (const event of chat.events.listen({ after: "latest", live: true })) console.log(event.type);
   */
  listen(options: LiveListenOptions): AsyncGenerator<ReceivedEvent | ReceivedLiveEvent, void, undefined>;
  listen(
    options: ListenOptions | LiveListenOptions = {},
  ): AsyncGenerator<ReceivedEvent | ReceivedLiveEvent, void, undefined> {
    return this.#api.listen(options);
  }
}

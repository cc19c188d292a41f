import type { Api } from "./call";
import type { EventPage, EventsListQuery } from "./generated/types";
import type { EventType, ListenOptions, ReceivedEvent } from "./listen-options";
import type { CallOptions } from "./options";

/** Which events to get, and how many. */
export interface EventQuery extends Omit<EventsListQuery, "types"> {
  /** Only events of these types. */
  types?: readonly EventType[] | string | undefined;
  /** The max number of events: 1 to 500, default 100. */
  pageSize?: number | undefined;
}

/** `chat.events` */
export class Events {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Gets the next events, oldest first, and the cursor to continue with as `after`.
   *
   * Throws `BadRequestError` for an invalid cursor, `ApiError` with the code `events_expired` for one that is too old.
   *
   * @example const { events, next } = await chat.events.list({ after: cursor, wait: 20 });
   */
  list(query: EventQuery = {}, options?: CallOptions): Promise<EventPage> {
    const { after, types, channel_id, wait, pageSize } = query;
    return this.#api.call(
      "events.list",
      { query: { after, types: types?.toString(), channel_id, wait, limit: pageSize } },
      options,
    );
  }

  /**
   * Receives events as they happen, until the loop ends. It reconnects by itself, and neither skips nor repeats an event.
   * To continue later, store `event.cursor` once an event is handled, and pass it as `after`.
   *
   * Throws `BadRequestError` for an invalid cursor, `ApiError` with the code `events_expired` for one that is too old.
   *
   * @example for await (const event of chat.events.listen({ after: cursor, types: ["message.created"] })) handle(event);
   */
  listen(options: ListenOptions = {}): AsyncGenerator<ReceivedEvent, void, undefined> {
    return this.#api.listen(options);
  }
}

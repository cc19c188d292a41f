import * as z from "zod";
import { commonErrors, memberErrors, problems } from "../../errors/errors";
import { feedCursor, kim, sentEvent } from "../../examples/data";
import { example, metadata } from "../../operation-metadata";
import { event, eventTypes } from "../../resources/event";
import { c, nothing } from "../../router";
import { channelId, pageSize } from "../../rules/fields";
import { limits } from "../../rules/limits";

const eventPage = z
  .object({
    events: z.array(event).meta({ description: "The events, oldest first." }),
    next: z.string().meta({
      description:
        "The cursor after these events. Send it as `after` to continue, also when there are no events.",
    }),
  })
  .meta({ id: "EventPage", description: "Events in the order in which they are numbered." });

const eventQueue = z
  .object({
    event_count: z.int().meta({ description: "The number of events that are not in the feed yet." }),
    lag_ms: z
      .int()
      .meta({ description: "The age of the oldest of them, in milliseconds. 0 if there are none." }),
  })
  .meta({ id: "EventQueue", description: "The changes that were made and are not in the feed yet." });

/** Names of types in a query. */
export const typeList = <Type extends string>(known: readonly Type[]) =>
  z
    .string()
    .transform((list) => list.split(","))
    .refine(
      (names) => names.every((name) => (known as readonly string[]).includes(name)),
      `Must be event types, separated by commas: ${known.join(", ")}.`,
    );

const types = typeList(eventTypes).meta({
  description: "Only events of these types: names, separated by commas.",
  type: "string",
  examples: ["message.created,message.updated"],
});

const { eventWaitSeconds } = limits;
const waitRule = `Must be a whole number of seconds from 0 to ${eventWaitSeconds}.`;
const wait = z
  .string()
  .regex(/^[0-9]{1,2}$/, waitRule)
  .transform(Number)
  .refine((seconds) => seconds <= eventWaitSeconds, waitRule)
  .meta({
    description: `If there are no events, the maximum number of seconds to wait for one: 0 to ${eventWaitSeconds}. Waiting requests count toward the limit of streams.`,
    type: "integer",
    minimum: 0,
    maximum: eventWaitSeconds,
    default: 0,
  });

export const eventFilters = {
  after: z.string().optional().meta({
    description:
      "A cursor: only events after it. `latest`: only events from now on. Absent: from the oldest event that is stored.",
  }),
  types: types.optional(),
  presence: z.literal("invisible").optional().meta({
    description:
      "`invisible`: this request does not make its user online. By default, a user is online while one of its tokens waits for events.",
  }),
  channel_id: channelId.optional().meta({ description: "Only events of this channel." }),
};

export const events = c.router({
  list: {
    method: "GET",
    path: "/events",
    summary: "List events",
    description:
      "The changes of users, channels, participants, managers and messages, oldest first. A client that follows `next` gets every event exactly once, and those of one channel in the order of their effects. Events are stored for some days, 7 by default; an older cursor gets `events_expired`. A page may have no events although later ones match: follow `next`. As a user, it has the events of the user and of its channels, from joining to leaving, and none of reports, bans and mutes of others.",
    query: z.strictObject({
      ...eventFilters,
      limit: pageSize(limits.eventPage, "The maximum number of events").optional(),
      wait: wait.optional(),
    }),
    responses: {
      200: eventPage,
      ...problems([...memberErrors, "channel_not_found", "invalid_cursor", "events_expired"]),
    },
    metadata: metadata({
      access: "any_key",
      user: "member",
      examples: {
        query: { limit: "100" },
        responses: example("Two events", {
          events: [
            {
              event_id: "evt_1700000000000_6",
              type: "user.created",
              created_at: kim.created_at,
              user_id: kim.user_id,
              data: { user_id: kim.user_id, user: kim },
            },
            sentEvent,
          ],
          next: feedCursor,
        }),
      },
    }),
  },
  queue: {
    method: "GET",
    path: "/events/queue",
    summary: "Measure the queue of events",
    description:
      "How far the feed is behind the changes. Streams, webhooks and `events.list` put changes into the feed at once; without any of them, that happens every few seconds. A lag that grows means that the database is overloaded or that a transaction stays open.",
    query: nothing,
    responses: { 200: eventQueue, ...problems(commonErrors) },
    metadata: metadata({
      access: "any_key",
      user: "no",
      examples: { responses: example("One event is waiting", { event_count: 1, lag_ms: 120 }) },
    }),
  },
});

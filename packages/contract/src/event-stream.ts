import * as z from "zod";
import { commonErrors, problems } from "./errors";
import { eventFilters } from "./events";
import { metadata } from "./metadata";
import { c } from "./router";

/**
 * The stream of events. It is no operation of the contract, whose responses all end: its response is server-sent events,
 * which a client reads as they arrive.
 */
export const eventStream = c.router(
  {
    stream: {
      method: "GET",
      path: "/events/stream",
      summary: "Receive events as they happen",
      description:
        "Server-sent events, in the order of `events.list`. `id` is the cursor after the event, `event` its type, `data` the event. The header `Last-Event-ID` resumes an interrupted stream.",
      query: z.strictObject(eventFilters),
      responses: {
        200: c.otherResponse({ contentType: "text/event-stream", body: z.string() }),
        ...problems([...commonErrors, "invalid_cursor", "events_expired"]),
      },
      metadata: metadata({ extension: true }),
    },
  },
  { pathPrefix: "/v1", strictStatusCodes: true },
);

/** What the server must know about the stream, as it does of every operation. */
export const eventStreamOperation = {
  ...metadata({ extension: true }),
  id: "events.stream",
  route: eventStream.stream,
} as const;

import type { AppRoute } from "@ts-rest/core";
import * as z from "zod";
import { memberErrors, problems } from "../../errors/errors";
import { feedCursor, sentCursor, sentEvent } from "../../examples/data";
import type { OperationId } from "../../operation-list";
import { example, metadata, type OperationMetadata } from "../../operation-metadata";
import { eventTypes } from "../../resources/event";
import { isLiveEventType, liveEventTypes } from "../../resources/live-event";
import { c } from "../../router";
import { flag, idList, userId } from "../../rules/fields";
import { limits } from "../../rules/limits";
import { eventFilters, typeList } from "./events";

/**
 * The stream of events. It is no operation of the contract, whose responses all end: its response is server-sent events,
 * which a client reads as they arrive. The OpenAPI document describes both.
 */
export const eventStream = c.router(
  {
    stream: {
      method: "GET",
      path: "/events/stream",
      summary: "Receive events as they happen",
      description: `Server-sent events, in the order of \`events.list\`. \`id\` is the cursor after the event, \`event\` its type, \`data\` the event as JSON, without line breaks. An \`id\` without data, at least every 15 seconds, moves the cursor only. A client whose connection ends sends the last \`id\` to continue without a gap. A process has at most ${(limits.eventListeners.perProcess - limits.eventListeners.keptForMasterKey).toLocaleString("en-US")} streams and lists that wait, ${limits.eventListeners.perSubKey} of each sub key and ${limits.eventListeners.perUser} of each user, and ${limits.eventListeners.keptForMasterKey} more of the master key; ${limits.eventListeners.keptForSubKeys} of them are kept for sub keys. As a user, it has the events of the user and of its channels, from joining to leaving, and none of reports, bans and mutes of others. With \`live=true\`, it also has events without \`id\`, each a LiveEvent: what is appended to messages, signals, and who of \`presence_of\` is online. A stream ends after some minutes, and when its key is no longer valid.`,
      headers: {
        "last-event-id": z.string().optional().meta({
          description: "The last `id` of an interrupted stream. It replaces `after`.",
        }),
      },
      query: z
        .strictObject({
          ...eventFilters,
          types: typeList([...eventTypes, ...liveEventTypes])
            .meta({
              description:
                "Only events of these types: names, separated by commas. `message.appended`, `signal` and `presence` need `live=true`.",
              type: "string",
              examples: ["message.created,message.updated"],
            })
            .optional(),
          live: flag(
            "Whether to receive what is not in the feed, too: `message.appended`, at most 25 a second for each message, `signal`, and `presence` of the users in `presence_of`. They have no `id`, and may be lost.",
          ).optional(),
          presence_of: idList(userId, "users", "with `live=true`", limits.presenceIds)
            .meta({
              description: `The users whose presence to receive: 1 to ${limits.presenceIds.max} ids, separated by commas, with \`live=true\`. \`presence\` comes at once for those who are online, then with each change. As a user, only of the user itself and of users who share a channel with it.`,
            })
            .optional(),
        })
        .refine(({ types, live }) => live === true || types?.some(isLiveEventType) !== true, {
          path: ["types"],
          message: "message.appended, signal and presence need live=true.",
        })
        .refine(({ presence_of: watched, live }) => live === true || watched === undefined, {
          path: ["presence_of"],
          message: "presence_of needs live=true.",
        }),
      responses: {
        200: c.otherResponse({
          contentType: "text/event-stream",
          body: z.string().meta({
            description: "Blocks of `id`, `event` and `data`, each with a ChatEvent or a LiveEvent.",
            contentSchema: {
              oneOf: ["ChatEvent", "LiveEvent"].map((name) => ({ $ref: `#/components/schemas/${name}` })),
            },
          }),
        }),
        ...problems([
          ...memberErrors,
          "channel_not_found",
          "invalid_cursor",
          "presence_disabled",
          "events_expired",
        ]),
      },
      metadata: metadata({
        access: "any_key",
        user: "member",
        // The loop connects again when a stream ends.
        sdk: {
          example: 'for await (const event of chat.events.listen({ after: "latest" })) console.log(event);',
        },
        examples: {
          query: { after: "latest" },
          responses: example(
            "The cursor at the start, and an event",
            `id: ${feedCursor}\n\nid: ${sentCursor}\nevent: ${sentEvent.type}\ndata: ${JSON.stringify(sentEvent)}\n\n`,
          ),
        },
      }),
    },
  },
  { pathPrefix: "/v1", strictStatusCodes: true },
);

/** What the server must know about the stream, as it does of every operation. */
export const eventStreamOperation = {
  ...metadata(eventStream.stream.metadata),
  id: "events.stream",
  route: eventStream.stream,
} as const;

/** An operation of the contract, or the stream of events. */
export interface DescribedOperation extends OperationMetadata {
  readonly id: OperationId | typeof eventStreamOperation.id;
  readonly route: AppRoute;
}

import * as z from "zod";
import { bodyErrors, commonErrors, problems } from "../../errors/errors";
import { text as textExample } from "../../examples/data";
import { example, metadata } from "../../operation-metadata";
import { message } from "../../resources/message";
import { c, nothing } from "../../router";
import { asUser, channelPathParams, cursor, messagePathParams, nextCursor } from "../../rules/fields";
import { changeHeaders } from "../../rules/idempotency";
import { limits } from "../../rules/limits";

const path = "/group/channels/:channel_id/messages/:message_id/pin";

/** The operations on the pin of a message. */
export const pins = c.router({
  pin: {
    method: "PUT",
    path,
    summary: "Pin a message",
    description: `A channel has at most ${limits.pinsPerChannel} pinned messages. Pinning a pinned message changes nothing. A frozen channel allows it too. A pin does not change \`updated_at\`.`,
    pathParams: messagePathParams,
    headers: changeHeaders,
    query: nothing,
    body: nothing.optional(),
    responses: {
      200: c.noBody(),
      ...problems([...bodyErrors, "channel_not_found", "message_not_found", "pin_limit_exceeded"]),
    },
    metadata: metadata({ access: "any_key", user: "manager" }),
  },
  unpin: {
    method: "DELETE",
    path,
    summary: "Unpin a message",
    description: "Unpinning a message that is not pinned changes nothing.",
    pathParams: messagePathParams,
    headers: changeHeaders,
    query: nothing,
    body: nothing.optional(),
    responses: {
      200: c.noBody(),
      ...problems([...bodyErrors, "channel_not_found", "message_not_found"]),
    },
    metadata: metadata({ access: "any_key", user: "manager" }),
  },
});

/** The operation of `channels` that lists them. */
export const pinList = c.router({
  pins: {
    method: "GET",
    path: "/group/channels/:channel_id/pins",
    summary: "List the pinned messages of a channel",
    description: `All of them, at most ${limits.pinsPerChannel}, the newest pin first. A page ends after about a megabyte.`,
    pathParams: channelPathParams,
    query: z.strictObject({ ...asUser, next: cursor.optional() }),
    responses: {
      200: z
        .object({
          messages: z.array(message).meta({ description: "The messages, the newest pin first." }),
          next: nextCursor,
        })
        .meta({ id: "PinList", description: "The pinned messages of a channel." }),
      ...problems([...commonErrors, "invalid_cursor", "channel_not_found", "user_not_found"]),
    },
    metadata: metadata({
      sdk: { query: "PinRange", example: 'const messages = await chat.channels.pins("room_1").toArray();' },
      access: "any_key",
      user: "member",
      examples: {
        responses: example("One pinned message", {
          messages: [{ ...textExample, pinned_at: textExample.created_at }],
        }),
      },
    }),
  },
});

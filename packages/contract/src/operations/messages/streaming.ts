import * as z from "zod";
import { bodyErrors, problems } from "../../errors/errors";
import { unsentCodes, unwrittenCodes } from "../../errors/unsent-codes";
import { streaming as streamingExample, text as textExample } from "../../examples/data";
import { example, metadata } from "../../operation-metadata";
import { message } from "../../resources/message";
import { newParts } from "../../resources/parts";
import { rejection } from "../../resources/rejection";
import { c, nothing } from "../../router";
import { messageId, messagePathParams } from "../../rules/fields";
import { changeHeaders } from "../../rules/idempotency";
import { limits } from "../../rules/limits";
import { metaInput } from "../../rules/meta-fields";
import { text } from "../../rules/text";

const path = "/group/channels/:channel_id/messages/:message_id";

const pathParams = messagePathParams.extend({
  message_id: messageId.meta({ ...messageId.meta(), examples: [streamingExample.message_id] }),
});

const appendCount = z.int().meta({ description: "How many appends the message has.", examples: [1] });

const appendProblems = problems([
  ...bodyErrors,
  ...unsentCodes,
  "message_not_found",
  "message_not_streaming",
  "append_out_of_order",
  "content_limit_exceeded",
  "message_rejected",
]);

const finishProblems = problems([
  ...bodyErrors,
  ...unwrittenCodes,
  "channel_not_found",
  "message_not_found",
  "message_not_streaming",
  "message_rejected",
  "check_unavailable",
]);

const maxAppended = limits.append.maxLength.toLocaleString("en-US");

/** The operations that write a message while people read. */
export const appends = c.router({
  append: {
    method: "POST",
    path: `${path}/append`,
    summary: "Append to a message",
    description: `Continues a message that was sent with \`streaming\`. What was appended is stored when the response arrives. The last append may be sent again. More than ${limits.append.perSecond} appends a second get 429: write what has come since in one. A sender who may no longer send gets the code of a send. What a filter rejects is not stored, also if it began with an earlier append; the message goes on.`,
    pathParams,
    headers: changeHeaders,
    query: nothing,
    body: z
      .strictObject({
        index: z
          .int("Must be a whole number.")
          .min(0, "Must not be negative.")
          .meta({ description: "How many appends the message has so far: 0 for the first.", examples: [0] }),
        content: text(limits.append).meta({
          description: `The text to append, 1 to ${maxAppended} characters.`,
          examples: ["See you "],
        }),
      })
      .meta({ id: "NewAppend", description: "Text to append to a message." }),
    responses: {
      200: z
        .object({ append_count: appendCount })
        .meta({ id: "Appended", description: "The result of an append." }),
      ...appendProblems,
      422: appendProblems[422].extend(rejection),
      409: appendProblems[409].extend({
        append_count: appendCount
          .meta({ description: "Of `append_out_of_order`: how many appends the message has." })
          .optional(),
      }),
    },
    metadata: metadata({
      access: "any_key",
      user: "author",
      isRepeatable: true,
      examples: {
        requests: example("The first append", { index: 0, content: "See you at noon." }),
        responses: example("It was stored", { append_count: 1 }),
      },
    }),
  },
  finish: {
    method: "PUT",
    path: `${path}/finish`,
    summary: "Finish a message",
    description:
      "Ends a message that was sent with `streaming`. Its content is what was appended, unless `content` replaces it. Emits `message.updated`. Repeating the request changes nothing. Also allowed for a sender who may no longer send, but as a user without `content`, `parts` and `meta`. To stop a writer, finish the message as `cancelled`: as a user, every participant may. Hooks check the whole message now. A text that a check rejects is removed: the message ends as `cancelled`, and the response is 422.",
    pathParams,
    headers: changeHeaders,
    query: nothing,
    body: z
      .strictObject({
        state: z.enum(["done", "cancelled"]).meta({
          description:
            "`done`: the message is complete. `cancelled`: it is not, and shows so in its `state`.",
        }),
        content: text(limits.content)
          .meta({ description: "The whole text, which replaces what was appended. It may be empty." })
          .optional(),
        parts: newParts
          .meta({ description: "The parts. They replace those of the beginning; `[]` removes them." })
          .optional(),
        meta: metaInput
          .meta({ description: "The metadata. It replaces that of the beginning; `{}` removes it." })
          .optional(),
      })
      .meta({ id: "Finish", description: "How a message ends." }),
    responses: {
      200: message,
      ...finishProblems,
      422: finishProblems[422].extend(rejection),
    },
    metadata: metadata({
      access: "any_key",
      user: "author",
      examples: {
        requests: example("The message is complete", { state: "done" }),
        responses: example("The complete message", {
          ...textExample,
          message_id: streamingExample.message_id,
          updated_at: textExample.updated_at + 60_000,
        }),
      },
    }),
  },
});

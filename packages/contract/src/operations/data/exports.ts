import * as z from "zod";
import { commonErrors, problems } from "../../errors/errors";
import { file, text } from "../../examples/data";
import { example, metadata } from "../../operation-metadata";
import { message } from "../../resources/message";
import { c } from "../../router";
import { date, timeZone } from "../../rules/dates";
import { channelPathParams, cursor, nextCursor, pageSize } from "../../rules/fields";
import { limits } from "../../rules/limits";

const messagePage = z
  .object({
    messages: z.array(message).meta({ description: "The messages, newest first." }),
    timezone: z
      .string()
      .meta({ description: "The time zone applied to the dates.", examples: ["Asia/Seoul"] }),
    next: nextCursor,
  })
  .meta({
    id: "MessagePage",
    description: "A page of messages, newest first. `next` is present when there is another page.",
  });

export const exports = c.router({
  messages: {
    method: "GET",
    path: "/exports/group/channels/:channel_id/messages",
    summary: "Export the messages of a channel",
    description:
      "Pages of messages, newest first. Both dates are inclusive whole days in `timezone`; either may be omitted. Timestamps in the response are always UTC.",
    pathParams: channelPathParams,
    query: z
      .strictObject({
        limit: pageSize(limits.exportPage).optional(),
        start_date: date.meta({ description: "The first day of the range, inclusive." }).optional(),
        end_date: date.meta({ description: "The last day of the range, inclusive." }).optional(),
        timezone: timeZone.optional(),
        next: cursor.optional(),
      })
      .refine(
        ({ start_date, end_date }) =>
          start_date === undefined || end_date === undefined || start_date <= end_date,
        { path: ["start_date"], message: "Must not be after end_date." },
      ),
    responses: { 200: messagePage, ...problems([...commonErrors, "invalid_cursor", "channel_not_found"]) },
    metadata: metadata({
      access: "any_key",
      user: "no",
      extension: false,
      examples: {
        query: { limit: "1000", start_date: "2024-01-01", end_date: "2024-01-31", timezone: "Asia/Seoul" },
        responses: example("The last page", { messages: [file, text], timezone: "Asia/Seoul" }),
      },
    }),
  },
});

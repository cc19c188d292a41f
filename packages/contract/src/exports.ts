import * as z from "zod";
import { anyKey } from "./access";
import { channelPathParams } from "./channels";
import { date, timeZone } from "./dates";
import { anyOperation, refusals } from "./errors";
import { cursor, nextCursor, pageSize, timestamp } from "./fields";
import { limits } from "./limits";
import { metaOutput } from "./meta";
import { c } from "./router";
import { user } from "./users";

const envelope = {
  message_id: z.string().meta({ examples: ["1042"] }),
  channel_id: z.string().meta({ examples: ["room_1"] }),
  user: user.meta({ description: "The sender; of a deleted user, as it last was." }),
};
const ending = { meta: metaOutput, created_at: timestamp, updated_at: timestamp };

export const fileReference = z
  .object({
    type: z.string().meta({ description: "The MIME type.", examples: ["image/png"] }),
    name: z.string().meta({ examples: ["menu.png"] }),
    url: z.string().meta({ examples: ["https://example.com/menu.png"] }),
    size: z.int().meta({ description: "The size in bytes." }),
  })
  .meta({
    id: "FileReference",
    description: "Where a file lies; the service stores the reference, never the file.",
  });

export const textMessage = z
  .object({
    ...envelope,
    type: z.literal("text"),
    content: z.string().meta({ examples: ["See you at noon."] }),
    ...ending,
  })
  .meta({ id: "TextMessage", description: "A message of text." });

export const fileMessage = z
  .object({ ...envelope, type: z.literal("file"), file: fileReference, ...ending })
  .meta({ id: "FileMessage", description: "A message that is a file." });

export const message = z
  .discriminatedUnion("type", [textMessage, fileMessage])
  .meta({ id: "Message", description: "A message of a group channel." });

export const messagePage = z
  .object({
    messages: z.array(message),
    timezone: z.string().meta({ description: "The zone applied to the dates.", examples: ["Asia/Seoul"] }),
    next: nextCursor,
  })
  .meta({
    id: "MessagePage",
    description: "A page of messages, newest first. `next` is there when a further page exists.",
  });

export const exports = c.router({
  messages: {
    method: "GET",
    path: "/exports/group/channels/:channel_id/messages",
    summary: "Export the messages of a channel",
    description:
      "Messages in pages, newest first. Both dates are inclusive whole days of `timezone`; either may be left out. Timestamps in the answer are UTC whatever the zone.",
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
    responses: { 200: messagePage, ...refusals([...anyOperation, "invalid_cursor", "channel_not_found"]) },
    metadata: anyKey,
  },
});

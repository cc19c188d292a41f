import * as z from "zod";
import { memberErrors, problems } from "../../errors/errors";
import { entry, park, text } from "../../examples/data";
import { example, metadata } from "../../operation-metadata";
import { participant } from "../../resources/member";
import { c, nothing } from "../../router";
import { messagePathParams } from "../../rules/fields";

/** The operation of `messages` that needs the participants. */
export const receipts = c.router({
  readers: {
    method: "GET",
    path: "/group/channels/:channel_id/messages/:message_id/readers",
    summary: "List who has read a message",
    description:
      "The participants other than the sender whose read mark is at this message or later, in the order of the list of participants.",
    pathParams: messagePathParams,
    query: nothing,
    responses: {
      200: z
        .object({
          readers: z.array(participant).meta({
            description: "The participants who have read the message, by `joined_at`, oldest first.",
          }),
          reader_count: z.int().meta({ description: "The number of readers." }),
          member_count: z.int().meta({
            description: "The number of participants of the channel. The sender counts if it is one.",
          }),
        })
        .meta({ id: "MessageReaders", description: "Who has read a message." }),
      ...problems([...memberErrors, "channel_not_found", "message_not_found"]),
    },
    metadata: metadata({
      access: "any_key",
      user: "member",
      examples: {
        responses: example("One of two participants has read it, the other one has sent it", {
          readers: [{ ...entry(park), read_message_id: text.message_id }],
          reader_count: 1,
          member_count: 2,
        }),
      },
    }),
  },
});

import * as z from "zod";
import { bodyErrors, commonErrors, problems } from "./errors";
import { entry, kim, park, text } from "./example-data";
import { channelPathParams, messageId, timestamp, userId } from "./fields";
import { changeHeaders } from "./idempotency";
import { example, metadata } from "./metadata";
import { c, nothing } from "./router";
import { user } from "./user";

export const memberEntry = user
  .extend({
    joined_at: timestamp.meta({
      description: "When the user joined, or became a manager, in milliseconds since the Unix epoch, UTC.",
    }),
  })
  .meta({ id: "MemberEntry", description: "A participant or manager, with the time it became one." });

export const readState = z
  .object({
    unread_count: z.int().meta({
      description: "The number of messages from other users after the mark. 100 means 100 or more.",
    }),
    read_message_id: z
      .string()
      .optional()
      .meta({
        description: "The newest message that is marked as read. Absent when there is no mark yet.",
        examples: ["1700000000000-1042"],
      }),
  })
  .meta({ id: "ReadState", description: "What a participant has read of a channel." });

const body = z.strictObject({ member: userId }).meta({ id: "MemberChange", description: "The participant." });

export const members = c.router({
  list: {
    method: "GET",
    path: "/group/channels/:channel_id/members",
    summary: "List the participants of a channel",
    description: "All participants by `joined_at`, oldest first.",
    pathParams: channelPathParams,
    query: nothing,
    responses: { 200: z.array(memberEntry), ...problems([...commonErrors, "channel_not_found"]) },
    metadata: metadata({ examples: { responses: example("Two participants", [entry(kim), entry(park)]) } }),
  },
  join: {
    method: "PUT",
    path: "/group/channels/:channel_id/join",
    summary: "Add a user to a channel",
    description: "A channel has at most 100 participants. Joining twice changes nothing.",
    pathParams: channelPathParams,
    headers: changeHeaders,
    query: nothing,
    body,
    responses: {
      200: c.noBody(),
      ...problems([...bodyErrors, "channel_not_found", "user_not_found", "member_limit_exceeded"]),
    },
    metadata: metadata({ examples: { requests: example("The user who joins", { member: "park_03" }) } }),
  },
  leave: {
    method: "PUT",
    path: "/group/channels/:channel_id/leave",
    summary: "Remove a user from a channel",
    description:
      "Removing a user who is not a participant changes nothing. Leaving does not end a manager role.",
    pathParams: channelPathParams,
    headers: changeHeaders,
    query: nothing,
    body,
    responses: { 200: c.noBody(), ...problems([...bodyErrors, "channel_not_found", "user_not_found"]) },
    metadata: metadata({ examples: { requests: example("The user who leaves", { member: "park_03" }) } }),
  },
  markRead: {
    method: "PUT",
    path: "/group/channels/:channel_id/members/:user_id/read",
    summary: "Mark messages as read",
    description:
      "Marks everything up to and including `message_id` as read by the participant, or everything so far if it is omitted. The mark only moves forward. Sending a message does not move it; leaving the channel removes it.",
    pathParams: channelPathParams.extend({ user_id: userId }),
    headers: changeHeaders,
    query: nothing,
    body: z
      .strictObject({
        message_id: messageId.meta({ description: "The newest message that was read." }).optional(),
      })
      .meta({ id: "ReadMark", description: "Up to which message the user has read." })
      .optional(),
    responses: {
      200: readState,
      ...problems([
        ...bodyErrors,
        "channel_not_found",
        "user_not_found",
        "message_not_found",
        "not_a_participant",
      ]),
    },
    metadata: metadata({
      extension: true,
      examples: {
        requests: example("Up to one message", { message_id: text.message_id }),
        responses: example("One newer message is unread", {
          unread_count: 1,
          read_message_id: text.message_id,
        }),
      },
    }),
  },
});

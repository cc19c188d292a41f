import * as z from "zod";
import { bodyErrors, commonErrors, problems } from "./errors";
import { entry, kim, park } from "./example-data";
import { channelPathParams, timestamp, userId } from "./fields";
import { changeHeaders } from "./idempotency";
import { example, metadata } from "./metadata";
import { c, nothing } from "./router";
import { user } from "./users";

export const memberEntry = user
  .extend({
    joined_at: timestamp.meta({
      description: "When the user joined, or became a manager, in milliseconds since the Unix epoch, UTC.",
    }),
  })
  .meta({ id: "MemberEntry", description: "A participant or manager, with the time it became one." });

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
});

import * as z from "zod";
import { anyKey } from "./access";
import { channelPathParams } from "./channels";
import { anyBody, anyOperation, refusals } from "./errors";
import { timestamp, userId } from "./fields";
import { changeHeaders } from "./idempotency";
import { c, nothing } from "./router";
import { user } from "./users";

export const memberEntry = user
  .extend({
    joined_at: timestamp.meta({ description: "When the user joined, or became a manager, in milliseconds." }),
  })
  .meta({ id: "MemberEntry", description: "A user, and since when it takes part or is a manager." });

const body = z.strictObject({ member: userId });

export const members = c.router({
  list: {
    method: "GET",
    path: "/group/channels/:channel_id/members",
    summary: "List the participants of a channel",
    description: "All of them, by the time of joining, oldest first.",
    pathParams: channelPathParams,
    query: nothing,
    responses: { 200: z.array(memberEntry), ...refusals([...anyOperation, "channel_not_found"]) },
    metadata: anyKey,
  },
  join: {
    method: "PUT",
    path: "/group/channels/:channel_id/join",
    summary: "Add a user to a channel",
    description: "At most 100 users take part in a channel. Joining twice changes nothing.",
    pathParams: channelPathParams,
    headers: changeHeaders,
    query: nothing,
    body,
    responses: {
      200: c.noBody(),
      ...refusals([...anyBody, "channel_not_found", "user_not_found", "member_limit_exceeded"]),
    },
    metadata: anyKey,
  },
  leave: {
    method: "PUT",
    path: "/group/channels/:channel_id/leave",
    summary: "Remove a user from a channel",
    description: "Removing one who does not take part changes nothing. A manager role stays.",
    pathParams: channelPathParams,
    headers: changeHeaders,
    query: nothing,
    body,
    responses: { 200: c.noBody(), ...refusals([...anyBody, "channel_not_found", "user_not_found"]) },
    metadata: anyKey,
  },
});

import * as z from "zod";
import { bodyErrors, commonErrors, problems } from "../../errors/errors";
import { ban as banExample, kim, lunch } from "../../examples/data";
import { example, metadata } from "../../operation-metadata";
import { channel } from "../../resources/channel";
import { user } from "../../resources/user";
import { c, nothing } from "../../router";
import {
  channelPathParams,
  cursor,
  futureTimeRule,
  memberPathParams,
  nextCursor,
  pageSize,
  reason,
  timestamp,
  userPathParams,
} from "../../rules/fields";
import { changeHeaders } from "../../rules/idempotency";
import { limits } from "../../rules/limits";

const until = z
  .int(futureTimeRule)
  .min(1, futureTimeRule)
  .optional()
  .meta({
    description: "When it ends, in milliseconds since the Unix epoch, UTC. Absent: without end.",
    format: "unix-ms",
    examples: [4_102_444_800_000],
  });

const restriction = z.strictObject({ until, reason: reason.optional() });

const mutePath = "/group/channels/:channel_id/members/:user_id/mute";

/** The operations on the mute of a participant. */
export const mutes = c.router({
  mute: {
    method: "PUT",
    path: mutePath,
    summary: "Mute a participant",
    description:
      "Rejects sends and reactions of the participant with `member_muted`, also if it is a manager. Leaving the channel does not end a mute. A later mute replaces the earlier one.",
    pathParams: memberPathParams,
    headers: changeHeaders,
    query: nothing,
    body: z.strictObject({ until }).meta({ id: "Mute", description: "Until when to mute." }).optional(),
    responses: {
      200: c.noBody(),
      ...problems([...bodyErrors, "channel_not_found", "user_not_found", "member_not_found"]),
    },
    metadata: metadata({
      sdk: { example: 'await chat.channels.members.mute("room_1", "kim_01", Date.now() + 3_600_000);' },
      access: "any_key",
      user: "manager",
      auditedFrom: "changes",
      examples: { requests: example("Until a time", { until: 4_102_444_800_000 }) },
    }),
  },
  unmute: {
    method: "DELETE",
    path: mutePath,
    summary: "Unmute a user",
    description: "Ends a mute, also of a user who has left the channel. Without a mute, nothing changes.",
    pathParams: memberPathParams,
    headers: changeHeaders,
    query: nothing,
    body: nothing.optional(),
    responses: { 200: c.noBody(), ...problems([...bodyErrors, "channel_not_found", "user_not_found"]) },
    metadata: metadata({ access: "any_key", user: "manager", auditedFrom: "changes" }),
  },
});

const ban = z
  .object({
    user,
    until: timestamp.optional().meta({ description: "When the ban ends. Absent: without end." }),
    reason: z
      .string()
      .optional()
      .meta({ description: "Why the user is banned. Absent if no reason was given." }),
    created_at: timestamp,
  })
  .meta({ id: "Ban", description: "A user who is banned from a channel." });

const banPath = "/group/channels/:channel_id/bans/:user_id";

export const bans = c.router({
  list: {
    method: "GET",
    path: "/group/channels/:channel_id/bans",
    summary: "List the bans of a channel",
    description:
      "The bans that are in force, newest first. A user sees only those of users who are known in the channel.",
    pathParams: channelPathParams,
    query: z.strictObject({ limit: pageSize(limits.banPage).optional(), next: cursor.optional() }),
    responses: {
      200: z
        .object({ bans: z.array(ban).meta({ description: "The bans, newest first." }), next: nextCursor })
        .meta({
          id: "BanPage",
          description: "A page of bans. `next` is present when there is another page.",
        }),
      ...problems([...commonErrors, "invalid_cursor", "channel_not_found"]),
    },
    metadata: metadata({
      sdk: {
        query: "BanListOptions",
        example:
          'for await (const { user, reason } of chat.channels.bans.list("room_1")) console.log(user.name, reason);',
      },
      access: "any_key",
      user: "manager",
      examples: { query: { limit: "30" }, responses: example("The last page", { bans: [banExample] }) },
    }),
  },
  add: {
    method: "PUT",
    path: banPath,
    summary: "Ban a user from a channel",
    description:
      "Ends the membership and the manager role of the user. Until the ban ends, joining, being added, becoming a manager and sending are rejected with `user_banned`. The user need not be a participant. With a token or a key of a user, it must be known in the channel: a participant or manager, one who is muted or was banned, or the sender of one of its messages. A ban with other values replaces the earlier one.",
    pathParams: memberPathParams,
    headers: changeHeaders,
    query: nothing,
    body: restriction.meta({ id: "NewBan", description: "Until when to ban, and why." }).optional(),
    responses: { 200: c.noBody(), ...problems([...bodyErrors, "channel_not_found", "user_not_found"]) },
    metadata: metadata({
      access: "any_key",
      user: "manager",
      auditedFrom: "changes",
      examples: { requests: example("Without end", { reason: "Advertising" }) },
    }),
  },
  remove: {
    method: "DELETE",
    path: banPath,
    summary: "Remove a ban",
    description: "The user can join again. Without a ban, nothing changes.",
    pathParams: memberPathParams,
    headers: changeHeaders,
    query: nothing,
    body: nothing.optional(),
    responses: { 200: c.noBody(), ...problems([...bodyErrors, "channel_not_found", "user_not_found"]) },
    metadata: metadata({ access: "any_key", user: "manager", auditedFrom: "changes" }),
  },
});

const channelBan = z
  .object({
    channel,
    until: ban.shape.until,
    reason: ban.shape.reason,
    created_at: timestamp,
  })
  .meta({ id: "ChannelBan", description: "A channel from which a user is banned." });

/** The operation on the bans of a user. */
export const bansOfUsers = c.router({
  bans: {
    method: "GET",
    path: "/users/:user_id/bans",
    summary: "List the bans of a user",
    description: "The channels from which the user is banned now, the newest ban first.",
    pathParams: userPathParams,
    query: z.strictObject({ limit: pageSize(limits.banPage).optional(), next: cursor.optional() }),
    responses: {
      200: z
        .object({
          bans: z.array(channelBan).meta({ description: "The bans, newest first." }),
          next: nextCursor,
        })
        .meta({
          id: "ChannelBanPage",
          description: "A page of the bans of a user. `next` is present when there is another page.",
        }),
      ...problems([...commonErrors, "invalid_cursor", "user_not_found"]),
    },
    metadata: metadata({
      sdk: {
        query: "UserBanRange",
        example:
          'for await (const { channel, reason } of chat.users.bans("park_03")) console.log(channel.name, reason);',
      },
      access: "any_key",
      user: "no",
      examples: {
        query: { limit: "30" },
        responses: example("The last page", {
          bans: [{ channel: lunch, reason: banExample.reason, created_at: banExample.created_at }],
        }),
      },
    }),
  },
});

const suspensionPath = "/users/:user_id/suspension";

/** The operations on the suspension of a user. */
export const suspensions = c.router({
  suspend: {
    method: "PUT",
    path: suspensionPath,
    summary: "Suspend a user",
    description:
      "Sends, joins and reactions of the user in every channel are rejected with `user_suspended`. Memberships and manager roles stay. A suspension with other values replaces the earlier one.",
    pathParams: userPathParams,
    headers: changeHeaders,
    query: nothing,
    body: restriction.meta({ id: "Suspension", description: "Until when to suspend, and why." }).optional(),
    responses: { 200: user, ...problems([...bodyErrors, "user_not_found"]) },
    metadata: metadata({
      access: "any_key",
      user: "no",
      examples: {
        requests: example("Without end", { reason: "Advertising" }),
        responses: example("The user", { ...kim, suspended_until: 0 }),
      },
    }),
  },
  unsuspend: {
    method: "DELETE",
    path: suspensionPath,
    summary: "End the suspension of a user",
    description: "Without a suspension, nothing changes.",
    pathParams: userPathParams,
    headers: changeHeaders,
    query: nothing,
    body: nothing.optional(),
    responses: { 200: user, ...problems([...bodyErrors, "user_not_found"]) },
    metadata: metadata({
      access: "any_key",
      user: "no",
      examples: { responses: example("The user", kim) },
    }),
  },
});

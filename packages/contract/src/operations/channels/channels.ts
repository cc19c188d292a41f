import * as z from "zod";
import { bodyErrors, commonErrors, memberErrors, problems } from "../../errors/errors";
import { kim, lunch, park } from "../../examples/data";
import { example, metadata } from "../../operation-metadata";
import { channel, channelPage, channelWithMembers } from "../../resources/channel";
import { c, nothing } from "../../router";
import {
  channelId,
  channelName,
  channelPathParams,
  cursor,
  idList,
  nameQuery,
  pageSize,
  profileUrlInput,
  userId,
} from "../../rules/fields";
import { changeHeaders } from "../../rules/idempotency";
import { limits } from "../../rules/limits";
import { metaInput } from "../../rules/meta-fields";
import { pinList } from "../messages/pins";
import { channelMeta } from "../meta-routes";
import { bans } from "../moderation/restrictions";
import { managers } from "./managers";
import { members } from "./members";

const daysRule = `Must be a whole number from ${limits.retentionDays.min} to ${limits.retentionDays.max}, or null.`;

const slowModeRule = `Must be a whole number of seconds from ${limits.slowModeSeconds.min} to ${limits.slowModeSeconds.max}.`;

export const channels = c.router({
  list: {
    method: "GET",
    path: "/group/channels",
    summary: "List group channels",
    description:
      "Channels by creation time, newest first; with `q` or `name_prefix` by name, with `channel_ids` in their order. With `q`, a page may have fewer channels than `limit`, or none, and still a `next`.",
    query: z.strictObject({
      limit: pageSize(limits.channelPage).optional(),
      name_prefix: channelName
        .meta({
          description:
            "Only channels whose name begins with this text (case-sensitive), ordered by name (code points), then oldest first.",
        })
        .optional(),
      q: nameQuery("channels").optional(),
      channel_ids: idList(channelId, "channels").optional(),
      next: cursor.optional(),
    }),
    responses: { 200: channelPage, ...problems([...commonErrors, "invalid_cursor"]) },
    metadata: metadata({
      sdk: {
        query: "ChannelFilter",
        example: "for await (const channel of chat.channels.list()) console.log(channel.name);",
      },
      access: "any_key",
      user: "no",
      hasEmptyPages: true,
      examples: { query: { limit: "15" }, responses: example("The last page", { channels: [lunch] }) },
    }),
  },
  get: {
    method: "GET",
    path: "/group/channels/:channel_id",
    summary: "Get a group channel",
    description: "The channel, without its participants.",
    pathParams: channelPathParams,
    query: nothing,
    responses: { 200: channel, ...problems([...memberErrors, "channel_not_found"]) },
    metadata: metadata({
      access: "any_key",
      user: "member",
      examples: { responses: example("The channel", lunch) },
    }),
  },
  create: {
    method: "POST",
    path: "/group/channels",
    summary: "Create a group channel",
    description:
      "With `reuse` and exactly two distinct members, the response is the newest channel in which only these two have ever been participants and no manager has ever been registered, if one exists; the other fields are then ignored. The header `X-Channel-Created` says whether a channel was created.",
    headers: changeHeaders,
    query: nothing,
    body: z
      .strictObject({
        channel_id: channelId,
        name: channelName,
        profile_url: profileUrlInput.optional(),
        members: z
          .array(userId)
          .refine(
            (members) => new Set(members).size <= limits.membersPerCreate,
            `Must contain at most ${limits.membersPerCreate} users.`,
          )
          .meta({ description: "The ids of at most 100 users to add. Duplicates count once." }),
        reuse: z
          .boolean()
          .optional()
          .meta({ description: "Whether to return an existing one-to-one channel.", default: false }),
        meta: metaInput.optional(),
      })
      .meta({ id: "NewChannel", description: "A group channel to create." }),
    responses: {
      201: channelWithMembers,
      ...problems([...bodyErrors, "user_not_found", "user_suspended", "channel_exists"]),
    },
    metadata: metadata({
      access: "any_key",
      user: "no",
      extension: false,
      examples: {
        requests: {
          group: {
            summary: "A channel",
            value: { channel_id: "room_1", name: "Lunch", members: ["kim_01", "park_03"], reuse: false },
          },
          one_to_one: {
            summary: "A one-to-one channel, reused if these two users have one",
            value: {
              channel_id: "kim_park",
              name: "Kim and Park",
              members: ["kim_01", "park_03"],
              reuse: true,
            },
          },
        },
        responses: example("The channel with its participants", {
          ...lunch,
          total_message_count: 0,
          total_file_count: 0,
          members: [kim, park],
        }),
      },
    }),
  },
  update: {
    method: "PUT",
    path: "/group/channels/:channel_id",
    summary: "Update a group channel",
    description: "Sets the name. An omitted `profile_url` keeps its value; the empty string clears it.",
    pathParams: channelPathParams,
    headers: changeHeaders,
    query: nothing,
    body: z
      .strictObject({ name: channelName, profile_url: profileUrlInput.optional() })
      .meta({ id: "ChannelChange", description: "The new values of a channel." }),
    responses: { 200: channel, ...problems([...bodyErrors, "channel_not_found"]) },
    metadata: metadata({
      access: "any_key",
      user: "no",
      extension: false,
      examples: {
        requests: example("A new name; `profile_url` keeps its value", { name: "Lunch" }),
        responses: example("The updated channel", lunch),
      },
    }),
  },
  freeze: {
    method: "PUT",
    path: "/group/channels/:channel_id/freeze",
    summary: "Freeze or unfreeze a channel",
    description:
      "In a frozen channel, only managers may send messages. With a token or a key of a user, only managers may edit and delete them.",
    pathParams: channelPathParams,
    headers: changeHeaders,
    query: nothing,
    body: z
      .strictObject({ freeze: z.boolean().meta({ description: "`true` freezes, `false` unfreezes." }) })
      .meta({ id: "ChannelFreeze", description: "Whether a channel is frozen." }),
    responses: { 200: channel, ...problems([...bodyErrors, "channel_not_found"]) },
    metadata: metadata({
      access: "any_key",
      user: "no",
      auditedFrom: "changes",
      examples: {
        requests: example("Freeze the channel", { freeze: true }),
        responses: example("The updated channel", { ...lunch, freeze: true }),
      },
    }),
  },
  setSlowMode: {
    method: "PUT",
    path: "/group/channels/:channel_id/slow_mode",
    summary: "Set how long participants wait between messages",
    description:
      "A participant who sent a message less than `seconds` ago gets 429 `slow_mode` with `Retry-After`; managers are exempt, and system messages too. Edits, reactions, appends and imports do not count, nor what was sent before. Deleting the message or joining again does not shorten the time. 0 turns it off.",
    pathParams: channelPathParams,
    headers: changeHeaders,
    query: nothing,
    body: z
      .strictObject({
        seconds: z
          .int(slowModeRule)
          .min(limits.slowModeSeconds.min, slowModeRule)
          .max(limits.slowModeSeconds.max, slowModeRule)
          .meta({ description: "1 to 21,600 seconds (6 hours), or 0 to turn it off.", examples: [30] }),
      })
      .meta({ id: "ChannelSlowMode", description: "How long participants wait between messages." }),
    responses: { 200: channel, ...problems([...bodyErrors, "channel_not_found"]) },
    metadata: metadata({
      access: "any_key",
      user: "manager",
      auditedFrom: "changes",
      examples: {
        requests: example("A message every 30 seconds", { seconds: 30 }),
        responses: example("The updated channel", { ...lunch, slow_mode_seconds: 30 }),
      },
    }),
  },
  setRetention: {
    method: "PUT",
    path: "/group/channels/:channel_id/retention",
    summary: "Set how long messages are kept",
    description:
      "Messages older than `days` days are erased by a background job within five minutes of being due; until then they can still be read. With `null`, the setting of the server applies. While `hold` is `true`, neither retention nor the erasure of a user erases messages of the channel; when the hold ends, both continue. Requires the master key or a key with the scope `channels.setRetention`.",
    pathParams: channelPathParams,
    headers: changeHeaders,
    query: nothing,
    body: z
      .strictObject({
        days: z
          .int(daysRule)
          .min(limits.retentionDays.min, daysRule)
          .max(limits.retentionDays.max, daysRule)
          .nullable()
          .meta({ description: "1 to 36,500, or `null`.", examples: [365] }),
        hold: z.boolean().meta({ description: "`true` begins a hold, `false` ends it." }),
      })
      .meta({ id: "ChannelRetention", description: "How long the messages of a channel are kept." }),
    responses: { 200: channel, ...problems([...bodyErrors, "channel_not_found"]) },
    metadata: metadata({
      access: "named_scope",
      user: "no",
      auditedFrom: "changes",
      examples: {
        requests: example("Keep messages for a year", { days: 365, hold: false }),
        responses: example("The updated channel", { ...lunch, retention: { days: 365, hold: false } }),
      },
    }),
  },
  delete: {
    method: "DELETE",
    path: "/group/channels/:channel_id",
    summary: "Delete a group channel",
    description: "Deletes the channel, its members, managers and messages. The id may be created again.",
    pathParams: channelPathParams,
    headers: changeHeaders,
    query: nothing,
    body: nothing.optional(),
    responses: { 200: c.noBody(), ...problems([...bodyErrors, "channel_not_found"]) },
    metadata: metadata({ access: "any_key", user: "no", extension: false }),
  },
  members,
  managers,
  meta: channelMeta,
  bans,
  ...pinList,
});

import * as z from "zod";
import { anyKey, anyKeyOnce } from "./access";
import { anyBody, refusals } from "./errors";
import { channelId, channelName, profileUrlInput, timestamp, userId } from "./fields";
import { changeHeaders } from "./idempotency";
import { limits } from "./limits";
import { metaInput, metaOutput } from "./meta";
import { c, nothing } from "./router";
import { user } from "./users";

export const channel = z
  .object({
    channel_id: z.string().meta({ examples: ["room_1"] }),
    name: z.string().meta({ examples: ["Lunch"] }),
    profile_url: z.string().optional().meta({ description: "Left out when there is none." }),
    type: z.string().meta({ description: "Always `group`.", examples: ["group"] }),
    freeze: z.boolean().meta({ description: "Whether only managers may send." }),
    total_message_count: z.int().meta({ description: "How many messages were ever sent, files included." }),
    total_file_count: z.int().meta({ description: "How many of them were files." }),
    meta: metaOutput,
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Channel", description: "A group channel." });

export const channelWithMembers = channel
  .extend({ members: z.array(user).meta({ description: "Who takes part in the channel." }) })
  .meta({ id: "ChannelWithMembers", description: "A group channel with its participants." });

export const channelPathParams = z.object({ channel_id: channelId });

export const channels = c.router({
  create: {
    method: "POST",
    path: "/group/channels",
    summary: "Create a group channel",
    description:
      "With `reuse` and exactly two distinct members, answers the newest channel in which only these two ever took part and no manager was ever registered, if there is one; the other fields are then ignored. The header `X-Channel-Created` says whether a channel was created.",
    headers: changeHeaders,
    query: nothing,
    body: z.strictObject({
      channel_id: channelId,
      name: channelName,
      profile_url: profileUrlInput.optional(),
      members: z
        .array(userId)
        .refine(
          (members) => new Set(members).size <= limits.membersPerCreate,
          `May name at most ${limits.membersPerCreate} users.`,
        )
        .meta({ description: "The ids of at most 100 users to add; a repeated one counts once." }),
      reuse: z
        .boolean()
        .optional()
        .meta({ description: "Whether a one-to-one channel is reused.", default: false }),
      meta: metaInput.optional(),
    }),
    responses: { 201: channelWithMembers, ...refusals([...anyBody, "user_not_found", "channel_exists"]) },
    metadata: anyKeyOnce,
  },
  update: {
    method: "PUT",
    path: "/group/channels/:channel_id",
    summary: "Update a group channel",
    description: "Sets the name. `profile_url` is kept when left out and cleared by the empty string.",
    pathParams: channelPathParams,
    headers: changeHeaders,
    query: nothing,
    body: z.strictObject({ name: channelName, profile_url: profileUrlInput.optional() }),
    responses: { 200: channel, ...refusals([...anyBody, "channel_not_found"]) },
    metadata: anyKey,
  },
  delete: {
    method: "DELETE",
    path: "/group/channels/:channel_id",
    summary: "Delete a group channel",
    description: "Removes the channel, its members, managers and messages. The id may be created again.",
    pathParams: channelPathParams,
    headers: changeHeaders,
    query: nothing,
    body: nothing.optional(),
    responses: { 200: c.noBody(), ...refusals([...anyBody, "channel_not_found"]) },
    metadata: anyKey,
  },
});

import * as z from "zod";
import { bodyErrors, memberErrors, problems } from "../../errors/errors";
import { entry, kim, lunch, park, text } from "../../examples/data";
import { example, metadata } from "../../operation-metadata";
import { memberEntry, participant, readMark } from "../../resources/member";
import { preferencesChange } from "../../resources/preferences";
import { c, nothing } from "../../router";
import { channelPathParams, ids, memberPathParams, messageId, selfRule, userId } from "../../rules/fields";
import { changeHeaders } from "../../rules/idempotency";
import { limits } from "../../rules/limits";
import { mutes } from "../moderation/restrictions";
import { userChannel } from "../users/inbox";

const unreadCount = z.int().meta({
  description: "The number of messages from other users after the mark. 100 means 100 or more.",
});

const readState = z
  .object({ unread_count: unreadCount, ...readMark })
  .meta({ id: "ReadState", description: "What a participant has read of a channel." });

const memberState = memberEntry.extend({ unread_count: unreadCount.optional(), ...readMark }).meta({
  id: "MemberState",
  description: "A participant, with the time of joining and what it has read of the channel.",
});

const addedMembers = z
  .object({
    joined: z.array(z.string()).meta({ description: "The ids of the users who were added." }),
    already_joined: z
      .array(z.string())
      .meta({ description: "The ids of the users who were participants before." }),
  })
  .meta({
    id: "Additions",
    description: "Which users a request added, in the order of the request.",
  });

const body = z.strictObject({ member: userId }).meta({ id: "MemberChange", description: "The participant." });

const departure = z
  .strictObject({ member: userId.meta({ description: `The participant. ${selfRule}` }).optional() })
  .meta({ id: "Departure", description: "The participant who leaves." });

export const members = c.router({
  list: {
    method: "GET",
    path: "/group/channels/:channel_id/members",
    summary: "List the participants of a channel",
    description: "All participants by `joined_at`, oldest first.",
    pathParams: channelPathParams,
    query: nothing,
    responses: { 200: z.array(participant), ...problems([...memberErrors, "channel_not_found"]) },
    metadata: metadata({
      access: "any_key",
      user: "member",
      extension: false,
      examples: { responses: example("Two participants", [entry(kim), entry(park)]) },
    }),
  },
  get: {
    method: "GET",
    path: "/group/channels/:channel_id/members/:user_id",
    summary: "Get a participant of a channel",
    description: "The entry of the list, with the read mark and the number of unread messages.",
    pathParams: memberPathParams,
    query: nothing,
    responses: {
      200: memberState,
      ...problems([...memberErrors, "channel_not_found", "user_not_found", "member_not_found"]),
    },
    metadata: metadata({
      access: "any_key",
      user: "member",
      examples: {
        responses: example("A participant with one unread message", {
          ...entry(kim),
          unread_count: 1,
          read_message_id: text.message_id,
        }),
      },
    }),
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
      ...problems([
        ...bodyErrors,
        "channel_not_found",
        "user_not_found",
        "user_banned",
        "user_suspended",
        "member_limit_exceeded",
      ]),
    },
    metadata: metadata({
      access: "any_key",
      user: "no",
      extension: false,
      examples: { requests: example("The user who joins", { member: "park_03" }) },
    }),
  },
  addMany: {
    method: "POST",
    path: "/group/channels/:channel_id/members",
    summary: "Add users to a channel",
    description:
      "Adds all users or none: if one does not exist, is banned or suspended, or if the channel would have more than 100 participants, nothing changes. Users who are participants already do not count.",
    pathParams: channelPathParams,
    headers: changeHeaders,
    query: nothing,
    body: z
      .strictObject({ members: ids(userId, "users", limits.membersPerAddMany) })
      .meta({ id: "NewMembers", description: "The users to add." }),
    responses: {
      200: addedMembers,
      ...problems([
        ...bodyErrors,
        "channel_not_found",
        "user_not_found",
        "user_banned",
        "user_suspended",
        "member_limit_exceeded",
      ]),
    },
    metadata: metadata({
      access: "any_key",
      user: "no",
      examples: {
        requests: example("Two users", { members: ["kim_01", "park_03"] }),
        responses: example("One of them was a participant", {
          joined: ["park_03"],
          already_joined: ["kim_01"],
        }),
      },
    }),
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
    body: departure.optional(),
    responses: { 200: c.noBody(), ...problems([...bodyErrors, "channel_not_found", "user_not_found"]) },
    metadata: metadata({
      access: "any_key",
      user: "self",
      extension: false,
      selfField: "member",
      examples: { requests: example("The user who leaves", { member: "park_03" }) },
    }),
  },
  markRead: {
    method: "PUT",
    path: "/group/channels/:channel_id/members/:user_id/read",
    summary: "Mark messages as read",
    description:
      "Marks everything up to and including `message_id` as read by the participant, or everything so far if it is omitted. The mark only moves forward. Sending a message does not move it; leaving the channel removes it.",
    pathParams: memberPathParams,
    headers: changeHeaders,
    query: nothing,
    body: z
      .strictObject({
        message_id: messageId
          .meta({ description: "The newest message that was read. It may be deleted." })
          .optional(),
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
      access: "any_key",
      user: "self",
      examples: {
        requests: example("Up to one message", { message_id: text.message_id }),
        responses: example("One newer message is unread", {
          unread_count: 1,
          read_message_id: text.message_id,
        }),
      },
    }),
  },
  setPreferences: {
    method: "PUT",
    path: "/group/channels/:channel_id/members/:user_id/preferences",
    summary: "Set the preferences of a participant",
    description: `Fields that are absent keep their value. A hidden channel comes back with its next message; an archived one when \`archived\` is \`false\`. Pinned, hidden and archived exclude each other: the latest one ends the others. A user has at most ${limits.pinnedChannels} pinned channels. Leaving the channel ends its preferences.`,
    pathParams: memberPathParams,
    headers: changeHeaders,
    query: nothing,
    body: preferencesChange,
    responses: {
      200: userChannel,
      ...problems([
        ...bodyErrors,
        "channel_not_found",
        "user_not_found",
        "not_a_participant",
        "pin_limit_exceeded",
      ]),
    },
    metadata: metadata({
      access: "any_key",
      user: "self",
      examples: {
        requests: example("Only mentions are pushed, and the channel is pinned", {
          notify: "mentions",
          pinned: true,
        }),
        responses: example("The line of the inbox", {
          ...lunch,
          joined_at: lunch.created_at,
          unread_count: 0,
          mention_count: 0,
          member_count: 2,
          preferences: { notify: "mentions", pinned_at: lunch.updated_at },
        }),
      },
    }),
  },
  ...mutes,
});

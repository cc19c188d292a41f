import * as z from "zod";
import { commonErrors, problems } from "../../errors/errors";
import { lunch, text as textExample } from "../../examples/data";
import { example, metadata } from "../../operation-metadata";
import { channel } from "../../resources/channel";
import { memberEntry } from "../../resources/member";
import { message } from "../../resources/message";
import { preferences } from "../../resources/preferences";
import { c, nothing } from "../../router";
import {
  channelId,
  cursor,
  flag,
  idList,
  nextCursor,
  pageSize,
  timestamp,
  userPathParams,
} from "../../rules/fields";
import { limits } from "../../rules/limits";

export const userChannel = channel
  .extend({
    joined_at: timestamp.meta({
      description: "When the user joined, in milliseconds since the Unix epoch, UTC.",
    }),
    unread_count: z.int().meta({
      description:
        "The number of messages from other users after the read mark, or after the user joined, without those of users whom it has blocked. 100 means 100 or more.",
    }),
    mention_count: z.int().meta({
      description:
        "The number of messages that mention the user, from others and from the application, after the read mark, or after the user joined, without those of users whom it has blocked. 100 means 100 or more.",
    }),
    read_message_id: z
      .string()
      .optional()
      .meta({
        description: "The newest message that the user has marked as read. Absent when there is none.",
        examples: ["1700000000000-1041"],
      }),
    member_count: z.int().meta({ description: "The number of participants." }),
    members: z
      .array(memberEntry)
      .optional()
      .meta({
        description: `The first ${limits.inboxMembers} participants by \`joined_at\`, oldest first. Present with \`members=true\`.`,
      }),
    last_message: message.optional().meta({ description: "The newest message. Absent when there is none." }),
    preferences: preferences.optional().meta({
      description: "The preferences of the user for the channel. Absent if all have their default values.",
    }),
  })
  .meta({ id: "UserChannel", description: "A channel as one of its participants sees it." });

const userChannelPage = z
  .object({
    channels: z.array(userChannel).meta({ description: "The channels, by last activity, newest first." }),
    next: nextCursor,
  })
  .meta({
    id: "UserChannelPage",
    description: "A page of the channels of a user. `next` is present when there is another page.",
  });

const unread = z
  .object({
    unread_count: z.int().meta({
      description: "The sum of the unread counts of the channels that are not quiet; each counts up to 100.",
    }),
    channel_count: z
      .int()
      .meta({ description: "The number of channels with unread messages that are not quiet." }),
    quiet_unread_count: z
      .int()
      .meta({ description: "The sum of the unread counts of the quiet channels; each counts up to 100." }),
  })
  .meta({ id: "Unread", description: "The unread messages of a user in all channels." });

/** The operations of `users` that need channels and messages. */
export const inbox = c.router({
  channels: {
    method: "GET",
    path: "/users/:user_id/channels",
    summary: "List the channels of a user",
    description:
      "Every channel in which the user is a participant, by last activity: the time of the last message, otherwise the time the user joined. Newest first. A channel that becomes active while pages are read moves to the first page. Hidden and archived channels are left out: `hidden`, `archived` and `pinned` list just those. With `channel_ids`, the entries of those channels in which the user is a participant, hidden and archived ones too, and `next` only if they have more than about a megabyte.",
    pathParams: userPathParams,
    query: z
      .strictObject({
        limit: pageSize(limits.channelPage).optional(),
        unread: flag("Whether to list only channels with unread messages.").optional(),
        hidden: flag("Whether to list the hidden channels instead.").optional(),
        archived: flag("Whether to list the archived channels instead.").optional(),
        pinned: flag("Whether to list only the pinned channels.").optional(),
        members: flag(
          `Whether each channel shows its first ${limits.inboxMembers} participants, so that a list of direct messages needs no further call.`,
        ).optional(),
        channel_ids: idList(channelId, "channels", "without other parameters except `members`").optional(),
        next: cursor.optional(),
      })
      .superRefine(({ unread, hidden, archived, pinned }, context) => {
        const [one, other] = Object.entries({ unread, hidden, archived, pinned }).flatMap(
          ([name, isChosen]) => (isChosen ? [name] : []),
        );
        if (other !== undefined)
          context.addIssue({
            code: "custom",
            path: [other],
            message: `It cannot be sent together with ${one}.`,
          });
      }),
    responses: { 200: userChannelPage, ...problems([...commonErrors, "invalid_cursor", "user_not_found"]) },
    metadata: metadata({
      sdk: {
        query: "InboxFilter",
        example:
          'for await (const channel of chat.users.channels("kim_01")) console.log(channel.name, channel.unread_count);',
      },
      access: "any_key",
      user: "self",
      examples: {
        query: { limit: "15" },
        responses: example("The last page", {
          channels: [
            {
              ...lunch,
              joined_at: lunch.created_at,
              unread_count: 1,
              member_count: 2,
              mention_count: 0,
              last_message: textExample,
            },
          ],
        }),
      },
    }),
  },
  unread: {
    method: "GET",
    path: "/users/:user_id/unread",
    summary: "Count the unread messages of a user",
    description:
      "Over all channels in which the user is a participant. A channel is quiet while `notify` is `none`, until `quiet_until`, and while it is archived or hidden; see `channels.members.setPreferences`.",
    pathParams: userPathParams,
    query: nothing,
    responses: { 200: unread, ...problems([...commonErrors, "user_not_found"]) },
    metadata: metadata({
      access: "any_key",
      user: "self",
      examples: {
        responses: example("One channel with unread messages", {
          unread_count: 1,
          channel_count: 1,
          quiet_unread_count: 0,
        }),
      },
    }),
  },
});

import * as z from "zod";
import { bodyErrors, memberErrors, problems } from "../../errors/errors";
import { unsentCodes } from "../../errors/unsent-codes";
import { reactionCounts as countsExample, kim } from "../../examples/data";
import { example, metadata } from "../../operation-metadata";
import { reaction, reactionCounts, shownReaction } from "../../resources/reaction";
import { user } from "../../resources/user";
import { c, nothing } from "../../router";
import { cursor, messagePathParams, nextCursor, pageSize, timestamp, userId } from "../../rules/fields";
import { changeHeaders } from "../../rules/idempotency";
import { limits } from "../../rules/limits";

const messageReactions = z.object({ reactions: reactionCounts }).meta({
  id: "MessageReactions",
  description: "The reactions to a message after the request.",
});

const userReaction = z
  .object({
    reaction: shownReaction,
    user: user.meta({ description: "The user who reacts. A deleted user keeps its last state." }),
    created_at: timestamp,
  })
  .meta({ id: "Reaction", description: "The reaction of one user to a message." });

const path = "/group/channels/:channel_id/messages/:message_id/reactions";
const pathParams = messagePathParams.extend({ reaction, user_id: userId });

export const reactions = c.router({
  list: {
    method: "GET",
    path,
    summary: "List the reactions to a message",
    description: "Each reaction with its user, oldest first.",
    pathParams: messagePathParams,
    query: z.strictObject({ limit: pageSize(limits.reactionPage).optional(), next: cursor.optional() }),
    responses: {
      200: z
        .object({
          reactions: z.array(userReaction).meta({ description: "The reactions, oldest first." }),
          next: nextCursor,
        })
        .meta({
          id: "ReactionPage",
          description: "A page of reactions. `next` is present when there is another page.",
        }),
      ...problems([...memberErrors, "invalid_cursor", "channel_not_found", "message_not_found"]),
    },
    metadata: metadata({
      sdk: {
        query: "ReactionListOptions",
        example:
          'for await (const { reaction, user } of chat.messages.reactions.list("room_1", "1700000000000-1041")) console.log(reaction, user.name);',
      },
      access: "any_key",
      user: "member",
      examples: {
        query: { limit: "30" },
        responses: example("The last page", {
          reactions: [{ reaction: "👍", user: kim, created_at: kim.created_at }],
        }),
      },
    }),
  },
  add: {
    method: "PUT",
    path: `${path}/:reaction/:user_id`,
    summary: "Add a reaction to a message",
    description: `The user must be a participant or a manager; in a frozen channel, a manager. A message has at most ${limits.reactionsPerMessage} different reactions. Adding a reaction that the user has already changes nothing. A reaction changes neither \`updated_at\` nor unread counts nor the order of the channels of a user.`,
    pathParams,
    headers: changeHeaders,
    query: nothing,
    body: nothing.optional(),
    responses: {
      200: messageReactions,
      ...problems([...bodyErrors, ...unsentCodes, "message_not_found", "reaction_limit_exceeded"]),
    },
    metadata: metadata({
      access: "any_key",
      user: "self",
      examples: { responses: example("The reactions to the message", { reactions: countsExample }) },
    }),
  },
  remove: {
    method: "DELETE",
    path: `${path}/:reaction/:user_id`,
    summary: "Remove a reaction from a message",
    description:
      "Removes the reaction of one user, whatever this user may do now. Removing what is not there changes nothing.",
    pathParams,
    headers: changeHeaders,
    query: nothing,
    body: nothing.optional(),
    responses: {
      200: messageReactions,
      ...problems([...bodyErrors, "channel_not_found", "user_not_found", "message_not_found"]),
    },
    metadata: metadata({
      access: "any_key",
      user: "self",
      examples: { responses: example("No reaction is left", { reactions: [] }) },
    }),
  },
});

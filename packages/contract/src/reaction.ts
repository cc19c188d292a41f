import * as z from "zod";
import { bodyErrors, memberErrors, problems } from "./errors";
import { reactionCounts as countsExample, kim } from "./examples/data";
import { cursor, messagePathParams, nextCursor, pageSize, timestamp, userId } from "./fields";
import { changeHeaders } from "./idempotency";
import { limits } from "./limits";
import { example, metadata } from "./operation-metadata";
import { c, nothing } from "./router";
import { unsentCodes } from "./unsent-codes";
import { user } from "./user";

const { minLength, maxLength } = limits.reaction;

/** A URL drops the path segments `.` and `..`, however they are encoded. At least one character is visible. */
const pattern =
  /^(?!\.{1,2}$)(?=.*[^\p{Cf}\p{Default_Ignorable_Code_Point}])[^\p{White_Space}\p{Cc}\p{Cs}\p{Bidi_Control}]+$/u;

const rule = `Must have ${minLength} to ${maxLength} characters, one of them visible, no white space and no control characters, and not be "." or "..".`;

/** As a path segment. NFC makes a few characters several ones: the result must fit too, so that it can be sent back. */
export const reaction = z
  .string()
  .refine((text) => pattern.test(text) && isShort(text) && isShort(text.normalize("NFC")), rule)
  .meta({
    description: `A reaction, such as an emoji: ${minLength} to ${maxLength} characters without white space and control characters, not \`.\` or \`..\`. It is stored, and compared, in the normal form NFC.`,
    pattern: pattern.source,
    minLength,
    maxLength,
    examples: ["👍"],
  });

/** Counts code points. */
function isShort(text: string): boolean {
  return [...text].length <= maxLength;
}

const shown = z.string().meta({ description: "The reaction, in the normal form NFC.", examples: ["👍"] });

export const reactionCounts = z
  .array(
    z
      .object({
        reaction: shown,
        count: z.int().meta({ description: "The number of users.", examples: [2] }),
        own: z
          .boolean()
          .optional()
          .meta({ description: "Whether the user of `as_user` has it. Absent without `as_user`." }),
      })
      .meta({ id: "ReactionCount", description: "A reaction to a message, and how many users have it." }),
  )
  .meta({
    description: "The different reactions, in the order of their first use.",
    examples: [countsExample],
  });

const messageReactions = z.object({ reactions: reactionCounts }).meta({
  id: "MessageReactions",
  description: "The reactions to a message after the request.",
});

const userReaction = z
  .object({
    reaction: shown,
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

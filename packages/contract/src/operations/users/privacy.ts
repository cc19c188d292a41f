import * as z from "zod";
import { bodyErrors, commonErrors, problems } from "../../errors/errors";
import { erasure as erasureExample, kim, newErasure, startedErasure, text } from "../../examples/data";
import { example, metadata } from "../../operation-metadata";
import { fileFields } from "../../resources/attachment";
import { device } from "../../resources/device";
import { message } from "../../resources/message";
import { preferences } from "../../resources/preferences";
import { report } from "../../resources/report";
import { user } from "../../resources/user";
import { c, nothing } from "../../router";
import {
  assignedId,
  cursor,
  nextCursor,
  pageSize,
  timestamp,
  userId,
  userPathParams,
} from "../../rules/fields";
import { changeHeaders } from "../../rules/idempotency";
import { limits } from "../../rules/limits";
import { fileStatus } from "../data/files";

/** What happens to the messages of an erased user. */
export const erasedMessages = z.enum(["erase", "keep"]);

export const erasure = z
  .object({
    erasure_id: z
      .string()
      .meta({ description: "The id, assigned by the service.", examples: [erasureExample.erasure_id] }),
    user_id: z.string().meta({ description: "The id whose users are erased.", examples: ["kim_01"] }),
    messages: erasedMessages.meta({
      description:
        "`erase`: the messages of the users are erased. `keep`: they stay, with the sender `~deleted`.",
    }),
    status: z.enum(["running", "done"]).meta({
      description:
        "`done`: the name and the erased texts are in no row of the database. While something is left in a channel that is held, it is `running`.",
    }),
    erased: z
      .object({
        messages: z.int().meta({ description: "How many messages were erased so far." }),
        memberships: z.int().meta({ description: "How many memberships and manager roles were ended." }),
        channels: z.int().meta({ description: "In how many channels something was erased so far." }),
        held: z.int().optional().meta({
          description:
            "How many messages are left because their channels are held; 0 if only reactions, mentions or reports are. They are erased within five minutes after the holds end. Absent if nothing is left there.",
        }),
      })
      .meta({ id: "ErasedCounts", description: "What was erased so far." }),
    created_at: timestamp,
    completed_at: timestamp.optional().meta({
      description: "When the erasure was done. Absent while it is running.",
      examples: [erasureExample.completed_at],
    }),
  })
  .meta({ id: "Erasure", description: "The erasure of every user that ever had an id." });

const pathParams = z.object({ erasure_id: assignedId("The id of an erasure.", erasureExample.erasure_id) });

const personalMembership = z
  .object({
    channel_id: z.string().meta({ description: "The channel.", examples: ["room_1"] }),
    role: z.enum(["participant", "manager"]).meta({ description: "What the user is in the channel." }),
    joined_at: timestamp,
    read_message_id: z
      .string()
      .optional()
      .meta({ description: "Up to which message a participant has read. Absent if it has read none." }),
    preferences: preferences.optional().meta({
      description:
        "The preferences of the participant for the channel. Absent if all have their default values.",
    }),
  })
  .meta({ id: "PersonalMembership", description: "A membership or manager role of a user." });

const personalChannel = z.string().meta({ description: "The channel.", examples: ["room_1"] });
const personalMessage = z.string().meta({ description: "The message.", examples: ["1700000000000-1"] });

const personalReaction = z
  .object({
    channel_id: personalChannel,
    message_id: personalMessage,
    reaction: z.string().meta({ description: "The reaction.", examples: ["👍"] }),
    created_at: timestamp,
  })
  .meta({ id: "PersonalReaction", description: "A reaction of a user to a message." });

const personalMention = z
  .object({ channel_id: personalChannel, message_id: personalMessage })
  .meta({ id: "PersonalMention", description: "A message that mentions a user." });

const personalMute = z
  .object({
    channel_id: personalChannel,
    until: timestamp.optional().meta({ description: "When the mute ends. Absent: without end." }),
  })
  .meta({ id: "PersonalMute", description: "A mute of a user in a channel, also one that has ended." });

const personalBan = z
  .object({
    channel_id: personalChannel,
    until: timestamp.optional().meta({ description: "When the ban ends. Absent: without end." }),
    reason: z
      .string()
      .optional()
      .meta({ description: "Why the user is banned. Absent if no reason was given." }),
    created_at: timestamp,
  })
  .meta({ id: "PersonalBan", description: "A ban of a user from a channel, also one that has ended." });

const person = user
  .extend({
    deleted_at: timestamp
      .optional()
      .meta({ description: "When the user was deleted. Absent for one that exists." }),
    suspension_reason: z
      .string()
      .optional()
      .meta({ description: "Why the user is or was suspended. Absent if it was not said." }),
    last_seen_at: timestamp.optional().meta({
      description:
        "When the user was last online, rounded down to the minute. Absent where the service does not store it, and of a deleted user.",
    }),
  })
  .meta({ id: "Person", description: "A user that exists or was deleted." });

const personalBlock = z
  .object({
    user_id: z.string().meta({ description: "The user who is blocked.", examples: ["park_03"] }),
    created_at: timestamp,
  })
  .meta({ id: "PersonalBlock", description: "A user whom the user has blocked." });

const personalFile = z
  .object({ channel_id: personalChannel, ...fileFields, status: fileStatus, created_at: timestamp })
  .meta({ id: "PersonalFile", description: "A file of a user, which may be in a message." });

const personalDevice = device
  .pick({ device_id: true, provider: true, created_at: true, updated_at: true })
  .meta({ id: "PersonalDevice", description: "A device to which messages for a user are pushed." });

export const personalData = z
  .object({
    user: person.meta({
      description: "The user of this page. The pages of one user follow each other.",
    }),
    memberships: z
      .array(personalMembership)
      .meta({ description: "The next memberships and manager roles of the user, oldest first." }),
    messages: z.array(message).meta({
      description: "The next messages of the user in all channels, oldest first.",
    }),
    reactions: z
      .array(personalReaction)
      .meta({ description: "The next reactions of the user, oldest first." }),
    mentions: z
      .array(personalMention)
      .meta({ description: "The next messages that mention the user, by channel, oldest first." }),
    mutes: z.array(personalMute).meta({ description: "The next mutes of the user, by channel." }),
    bans: z.array(personalBan).meta({ description: "The next bans of the user, by channel." }),
    reports: z.array(report).meta({
      description:
        "The next reports about the user, about a message of the user, or by the user, oldest first.",
    }),
    files: z.array(personalFile).meta({ description: "The next files of the user, oldest first." }),
    devices: z.array(personalDevice).meta({ description: "The next devices of the user, oldest first." }),
    blocks: z
      .array(personalBlock)
      .meta({ description: "The next users whom the user has blocked, oldest first." }),
    next: nextCursor,
  })
  .meta({
    id: "PersonalData",
    description: "A page of what is stored about a user. `next` is present when there is another page.",
  });

export const privacy = c.router({
  erase: {
    method: "POST",
    path: "/privacy/erasures",
    summary: "Erase a user",
    description:
      "Erases every user that ever had this id, also those that were deleted earlier. A user that exists is deleted at once; a background job removes the rest: the name, `profile_url` and metadata, with `erase` all messages, its reactions and mentions, and what is stored of them elsewhere. What is in a channel that is held is left until the hold ends, and so long the erasure is running. Kept messages have the sender `~deleted`, an id that no user can have. While an erasure of the id runs that does as much, the response is that erasure. The id may be created again meanwhile; that user is not erased.",
    headers: changeHeaders,
    query: nothing,
    body: z
      .strictObject({
        user_id: userId.meta({ description: "The id of the user to erase." }),
        messages: erasedMessages.meta({
          description: "`erase`: erases the messages of the user too. `keep`: keeps them without the sender.",
          examples: [newErasure.messages],
        }),
      })
      .meta({ id: "NewErasure", description: "Whom to erase, and what happens to the messages." }),
    responses: { 202: erasure, ...problems([...bodyErrors, "user_not_found"]) },
    metadata: metadata({
      access: "named_scope",
      user: "no",
      examples: {
        requests: example("A user with all messages", newErasure),
        responses: example("The erasure has begun", startedErasure),
      },
    }),
  },
  list: {
    method: "GET",
    path: "/privacy/erasures",
    summary: "List erasures",
    description: "All erasures, newest first.",
    query: z.strictObject({
      limit: pageSize(limits.erasurePage).optional(),
      next: cursor.optional(),
    }),
    responses: {
      200: z
        .object({
          erasures: z.array(erasure).meta({ description: "The erasures, newest first." }),
          next: nextCursor,
        })
        .meta({
          id: "ErasurePage",
          description: "A page of erasures. `next` is present when there is another page.",
        }),
      ...problems([...commonErrors, "invalid_cursor"]),
    },
    metadata: metadata({
      sdk: {
        query: "ErasureListOptions",
        example: "for await (const { user_id, status } of chat.privacy.list()) console.log(user_id, status);",
      },
      access: "named_scope",
      user: "no",
      examples: { responses: example("The last page", { erasures: [erasureExample] }) },
    }),
  },
  get: {
    method: "GET",
    path: "/privacy/erasures/:erasure_id",
    summary: "Get an erasure",
    description: "The progress or the result of an erasure.",
    pathParams,
    query: nothing,
    responses: { 200: erasure, ...problems([...commonErrors, "erasure_not_found"]) },
    metadata: metadata({
      access: "named_scope",
      user: "no",
      examples: { responses: example("A finished erasure", erasureExample) },
    }),
  },
  export: {
    method: "GET",
    path: "/privacy/users/:user_id",
    summary: "Export what is stored about a user",
    description:
      "Everything stored about every user that had this id, also deleted ones, but not those whose erasure has begun. The users come oldest first, and each has its pages: a page has up to `limit` entries of one user in each of its lists. What is in deleted channels is not part of it.",
    pathParams: userPathParams,
    query: z.strictObject({
      limit: pageSize(limits.personalPage, "The maximum number of entries in each list of a page").optional(),
      next: cursor.optional(),
    }),
    responses: {
      200: personalData,
      ...problems([...commonErrors, "invalid_cursor", "user_not_found"]),
    },
    metadata: metadata({
      sdk: {
        query: "PersonalPageOptions",
        example:
          'for await (const { user, memberships, items } of chat.privacy.export("kim_01").pages()) console.log(user, memberships, items);',
        items: "messages",
        page: "PersonalPage",
      },
      access: "named_scope",
      user: "no",
      // A user may have more mentions or reactions than messages.
      hasEmptyPages: true,
      examples: {
        responses: example("The only page of a user", {
          messages: [text],
          memberships: [{ channel_id: text.channel_id, role: "participant", joined_at: text.created_at }],
          reactions: [
            {
              channel_id: text.channel_id,
              message_id: text.message_id,
              reaction: "👍",
              created_at: text.created_at,
            },
          ],
          mentions: [{ channel_id: text.channel_id, message_id: text.message_id }],
          mutes: [],
          bans: [],
          reports: [],
          files: [],
          devices: [],
          blocks: [],
          user: kim,
        }),
      },
    }),
  },
});

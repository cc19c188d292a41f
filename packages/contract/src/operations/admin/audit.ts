import * as z from "zod";
import { commonErrors, problems } from "../../errors/errors";
import { auditEntry as entryExample } from "../../examples/data";
import { example, metadata } from "../../operation-metadata";
import { c } from "../../router";
import { channelId, cursor, nextCursor, pageSize, queryTime, timestamp, userId } from "../../rules/fields";
import { limits } from "../../rules/limits";

export const auditEntry = z
  .object({
    entry_id: z.string().meta({
      description: "The number of the entry. Numbers increase, with gaps.",
      examples: [entryExample.entry_id],
    }),
    at: timestamp,
    operation: z.string().meta({
      description:
        "What was called. Signing in to the console is `console.signIn`, signing out `console.signOut`.",
      examples: [entryExample.operation],
    }),
    method: z.string().meta({ description: "The HTTP method.", examples: [entryExample.method] }),
    status: z.int().meta({ description: "The HTTP status of the response." }),
    code: z
      .string()
      .optional()
      .meta({ description: "Why the request was rejected. Absent if it was accepted." }),
    kind: z.enum(["master", "sub", "console", "user"]).meta({
      description:
        "Whether the master key, a sub key or the console called, or a request that acts as a user.",
    }),
    acting_user_id: z
      .string()
      .optional()
      .meta({ description: "The user as whom the request acts. Absent for other kinds." }),
    key_id: z.string().optional().meta({ description: "The id of the sub key. Absent for the master key." }),
    actor: z
      .string()
      .optional()
      .meta({
        description:
          "The header `X-Madang-Actor` of the request, or who signed in to the console. Absent if it was not sent, or with a token.",
        examples: [entryExample.actor],
      }),
    reason: z
      .string()
      .optional()
      .meta({
        description:
          "The header `X-Madang-Reason` of the request. Absent if it was not sent, or with a token.",
        examples: [entryExample.reason],
      }),
    address: z
      .string()
      .meta({ description: "The network address of the client.", examples: [entryExample.address] }),
    user_id: z.string().optional().meta({
      description:
        "The user that the request names, or the sender of the message that it changes. Absent if there is none.",
    }),
    channel_id: z
      .string()
      .optional()
      .meta({ description: "The channel that the request names. Absent if it names none." }),
    message_id: z
      .string()
      .optional()
      .meta({ description: "The message that the request names or sent. Absent if there is none." }),
    subject: z.string().optional().meta({
      description:
        "What else the request names or creates: the id of a key, a webhook, a file, a report or an erasure, or the number of channels of a message to several. Absent if there is none.",
    }),
  })
  .meta({
    id: "AuditEntry",
    description: "Who called an operation, when and why. It has no content, names, metadata or keys.",
  });

export const audit = c.router({
  list: {
    method: "GET",
    path: "/audit",
    summary: "List the audit log",
    description:
      "The entries that match all filters, newest first. What is recorded depends on the setting `MADANG_AUDIT` of the server: by default the accepted changes of users, keys, webhooks and retention, and moderation. A change has its entry as soon as its response was sent.",
    query: z.strictObject({
      key_id: z
        .string()
        .regex(/^[A-Za-z0-9_-]{1,100}$/, "Must be the id of a key.")
        .meta({ description: "Only calls with this sub key.", examples: [entryExample.key_id] })
        .optional(),
      user_id: userId
        .meta({
          description: "Only calls that name this user, change one of their messages, or act as this user.",
        })
        .optional(),
      channel_id: channelId.meta({ description: "Only calls that name this channel." }).optional(),
      operation: z
        .string()
        .regex(/^[A-Za-z.]{1,100}$/, "Must be an operation, such as `users.delete`.")
        .meta({ description: "Only calls of this operation.", examples: [entryExample.operation] })
        .optional(),
      from: queryTime("Only entries at or after this time, in milliseconds.").optional(),
      to: queryTime("Only entries before this time, in milliseconds.").optional(),
      limit: pageSize(limits.auditPage).optional(),
      next: cursor.optional(),
    }),
    responses: {
      200: z
        .object({
          entries: z.array(auditEntry).meta({ description: "The entries, newest first." }),
          next: nextCursor,
        })
        .meta({
          id: "AuditPage",
          description: "A page of the audit log. `next` is present when there is another page.",
        }),
      ...problems([...commonErrors, "invalid_cursor"]),
    },
    metadata: metadata({
      sdk: {
        query: "AuditListOptions",
        example:
          'for await (const { at, actor } of chat.audit.list({ user_id: "park_03" })) console.log(at, actor);',
      },
      access: "named_scope",
      user: "no",
      examples: {
        query: { operation: entryExample.operation },
        responses: example("One entry", { entries: [entryExample] }),
      },
    }),
  },
});

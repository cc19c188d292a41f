import * as z from "zod";
import { bodyErrors, commonErrors, problems } from "../../errors/errors";
import { unannouncedCodes, unsentCodes, unwrittenCodes } from "../../errors/unsent-codes";
import {
  attachment,
  file,
  image,
  reply as replyExample,
  streaming,
  system,
  text as textExample,
  withFile,
} from "../../examples/data";
import { example, metadata } from "../../operation-metadata";
import {
  content,
  externalId,
  fileAnnouncement,
  message,
  messageList,
  newFileMessage,
  newSystemMessage,
  newTextMessage,
  replyList,
  textAnnouncement,
} from "../../resources/message";
import { newParts } from "../../resources/parts";
import { rejection } from "../../resources/rejection";
import { c, nothing } from "../../router";
import {
  asUser,
  channelPathParams,
  cursor,
  idList,
  messageId,
  messagePathParams,
  pageSize,
  timestamp,
} from "../../rules/fields";
import { changeHeaders } from "../../rules/idempotency";
import { limits } from "../../rules/limits";
import { metaInput } from "../../rules/meta-fields";
import { pins } from "./pins";
import { reactions } from "./reactions";
import { receipts } from "./readers";
import { search } from "./search";
import { appends } from "./streaming";

const positions = ["before", "after", "around"] as const;

const listQuery = z
  .strictObject({
    limit: pageSize(limits.messagePage).optional(),
    before: messageId
      .meta({ description: "Only messages older than this one. The page holds the newest of them." })
      .optional(),
    after: messageId
      .meta({ description: "Only messages newer than this one. The page holds the oldest of them." })
      .optional(),
    around: messageId
      .meta({
        description: "The page holds this message in its middle. One half may be shorter.",
      })
      .optional(),
    message_ids: idList(messageId, "messages", "without other parameters except `as_user`").optional(),
    external_ids: idList(
      externalId,
      "messages with these ids of the application",
      "without other parameters except `as_user`",
    ).optional(),
    ...asUser,
    next: cursor
      .meta({
        description:
          "The `next` or `newer` of an earlier response, sent without other parameters: it contains the whole first query. It never expires.",
      })
      .optional(),
  })
  .superRefine((query, context) => {
    const [, ...others] = positions.filter((name) => query[name] !== undefined);
    for (const name of others)
      context.addIssue({
        code: "custom",
        path: [name],
        message: "Only one of before, after and around may be sent.",
      });
  });

const announced = z
  .object({
    results: z
      .array(
        z
          .object({
            channel_id: z.string().meta({ description: "The channel." }),
            message: message.optional().meta({ description: "The stored message." }),
            code: z.enum(unannouncedCodes).optional().meta({
              description: "Why there is no message: the code with which `messages.send` would be rejected.",
            }),
          })
          .meta({
            id: "AnnouncementResult",
            description: "The message that a channel got, or the code of the reason why it got none.",
          }),
      )
      .meta({ description: "One result for each channel, in the order of the request." }),
  })
  .meta({ id: "AnnouncementResults", description: "The results of a message to several channels." });

const sendProblems = problems([
  ...bodyErrors,
  ...unsentCodes,
  "message_not_found",
  "member_not_found",
  "external_id_exists",
  "stream_limit_exceeded",
  "file_not_found",
  "file_not_uploaded",
  "storage_unavailable",
  "file_in_use",
  "slow_mode",
  "message_rejected",
  "check_unavailable",
]);

const updateProblems = problems([
  ...bodyErrors,
  ...unwrittenCodes,
  "channel_not_found",
  "message_not_found",
  "message_changed",
  "message_streaming",
  "message_rejected",
  "check_unavailable",
]);

export const messages = c.router({
  // Before `get`, whose path it matches.
  search: search.inChannel,
  searchAll: search.all,
  send: {
    method: "POST",
    path: "/group/channels/:channel_id/messages",
    summary: "Send a message",
    description:
      "The sender must be a participant or a manager; in a frozen channel, a manager. A file message refers to a file: nothing is uploaded. A system message has no sender: a frozen channel accepts it, and it does not count as unread. `reply_to`, `mentions` and `attachments` are optional; a deleted message cannot be replied to, and the files of `attachments` have been uploaded. The message must pass the checks of the application: the slow mode of the channel, filters, and hooks, which may change it. With an `external_id`, a message is stored once: a second one with it gets 409. With `streaming`, the message is written by `messages.append`.",
    pathParams: channelPathParams,
    headers: changeHeaders,
    query: nothing,
    body: z
      .discriminatedUnion("type", [newTextMessage, newFileMessage, newSystemMessage], {
        error: 'Must be "text", "file" or "system".',
      })
      .meta({ id: "NewMessage", description: "A message to send." }),
    responses: {
      201: message,
      ...sendProblems,
      422: sendProblems[422].extend(rejection),
      409: sendProblems[409].extend({
        message_id: z
          .string()
          .optional()
          .meta({
            description: "Of `external_id_exists`: the message that has the id.",
            examples: ["1700000000000-1041"],
          }),
      }),
    },
    metadata: metadata({
      access: "any_key",
      user: "self",
      selfField: "user_id",
      examples: {
        requests: {
          text: {
            summary: "A text",
            value: { user_id: "kim_01", type: "text", content: "See you at noon." },
          },
          file: { summary: "A file", value: { user_id: "kim_01", type: "file", file: image } },
          reply: {
            summary: "A reply that mentions a user",
            value: {
              user_id: "park_03",
              type: "text",
              content: "Noon is fine, Kim.",
              reply_to: textExample.message_id,
              mentions: ["kim_01"],
            },
          },
          files: {
            summary: "A text with a file",
            value: {
              user_id: "kim_01",
              type: "text",
              content: "The menu.",
              attachments: [{ file_id: attachment.file_id }],
            },
          },
          system: { summary: "A system message", value: { type: "system", content: "Park joined." } },
          streaming: {
            summary: "The beginning of a message that is written by appends",
            value: { user_id: "kim_01", type: "text", streaming: true },
          },
        },
        responses: {
          text: { summary: "The stored text message", value: textExample },
          file: { summary: "The stored file message", value: file },
          reply: { summary: "The stored reply", value: replyExample },
          files: { summary: "The stored message with its file", value: withFile },
          system: { summary: "The stored system message", value: system },
          streaming: { summary: "The message that is being written", value: streaming },
        },
      },
    }),
  },
  sendMany: {
    method: "POST",
    path: "/messages",
    summary: "Send a message to several channels",
    description:
      "For announcements. Each channel is independent: it gets the message exactly if `messages.send` would accept it, otherwise its result has the code of the rejection. Filters and hooks check it for each channel. The response is 200 in both cases. One `Idempotency-Key` covers all channels.",
    headers: changeHeaders,
    query: nothing,
    body: z
      .discriminatedUnion("type", [textAnnouncement, fileAnnouncement], {
        error: 'Must be "text" or "file".',
      })
      .meta({ id: "Announcement", description: "A message to send to several channels." }),
    responses: { 200: announced, ...problems(bodyErrors) },
    metadata: metadata({
      access: "any_key",
      user: "no",
      examples: {
        requests: example("A text to two channels", {
          channel_ids: ["room_1", "room_2"],
          user_id: "kim_01",
          type: "text",
          content: "See you at noon.",
        }),
        responses: example("The second channel does not exist", {
          results: [
            { channel_id: "room_1", message: textExample },
            { channel_id: "room_2", code: "channel_not_found" },
          ],
        }),
      },
    }),
  },
  list: {
    method: "GET",
    path: "/group/channels/:channel_id/messages",
    summary: "List the messages of a channel",
    description:
      "Without `before`, `after` or `around`, the newest messages; with `message_ids` or `external_ids` those, without `newer`, and with `next` only if they have more than about a megabyte. Messages are ordered by `created_at`, and those of one millisecond by their arrival: by the number after the hyphen in `message_id`. A deleted message still marks its position. `next` continues with older messages. `newer` continues with messages stored since; each of its pages begins with the oldest unseen message, and the page is empty when there are none yet. Following `newer` misses no message, except imported ones with an older time.",
    pathParams: channelPathParams,
    query: listQuery,
    responses: {
      200: messageList,
      ...problems([
        ...commonErrors,
        "invalid_cursor",
        "channel_not_found",
        "message_not_found",
        "user_not_found",
      ]),
    },
    metadata: metadata({
      sdk: {
        query: "MessageRange",
        example: 'const { items, newer } = await chat.messages.list("room_1", { pageSize: 30 }).firstPage();',
        page: "MessageListPage",
      },
      access: "any_key",
      user: "member",
      examples: {
        query: { limit: "30", before: "1700000000000-1043" },
        responses: example("The oldest page", {
          messages: [file, textExample],
          newer: "eyJmaWx0ZXJzIjp7fX0.bm90IGEgc2lnbmF0dXJl",
        }),
      },
    }),
  },
  get: {
    method: "GET",
    path: "/group/channels/:channel_id/messages/:message_id",
    summary: "Get a message",
    description: "A deleted message no longer exists.",
    pathParams: messagePathParams,
    query: z.strictObject(asUser),
    responses: {
      200: message,
      ...problems([...commonErrors, "channel_not_found", "message_not_found", "user_not_found"]),
    },
    metadata: metadata({
      sdk: { query: "MessageView" },
      access: "any_key",
      user: "member",
      examples: { responses: example("The message", textExample) },
    }),
  },
  update: {
    method: "PUT",
    path: "/group/channels/:channel_id/messages/:message_id",
    summary: "Edit a message",
    description:
      "Replaces `content`, `parts` and `meta`, each if it is sent, and sets `updated_at`; new content also sets `edited_at`. A file message has no `content`. With a key of the application, a frozen channel allows it too; a user needs the right to send. A message that is being written cannot be edited; new content or parts of one that was interrupted complete it. With `if_updated_at`, an edit does not overwrite that of another caller.",
    pathParams: messagePathParams,
    headers: changeHeaders,
    query: nothing,
    body: z
      .strictObject({
        content: content
          .meta({ description: "The new text. It may be empty only if the message has parts then." })
          .optional(),
        parts: newParts
          .meta({ description: "The new parts. They replace the old ones; `[]` removes all of them." })
          .optional(),
        meta: metaInput
          .meta({ description: "The new metadata. It replaces the old metadata; `{}` removes all of it." })
          .optional(),
        if_updated_at: timestamp
          .meta({
            description:
              "The `updated_at` of the message that the caller has read. If the message has another one by now, it is not changed, and the response is 409 `message_changed`.",
          })
          .optional(),
      })
      .refine(
        ({ content, parts, meta }) => content !== undefined || parts !== undefined || meta !== undefined,
        "Must have content, parts or meta.",
      )
      .meta({ id: "Edit", description: "The new content, parts and metadata of a message." }),
    responses: {
      200: message,
      ...updateProblems,
      422: updateProblems[422].extend(rejection),
      409: updateProblems[409].extend({
        current: message.optional().meta({ description: "Of `message_changed`: the message as it is now." }),
      }),
    },
    metadata: metadata({
      access: "any_key",
      user: "author",
      examples: {
        requests: example("A new text", { content: "See you at one." }),
        responses: example("The edited message", {
          ...textExample,
          content: "See you at one.",
          updated_at: textExample.updated_at + 60_000,
          edited_at: textExample.updated_at + 60_000,
        }),
      },
    }),
  },
  replies: {
    method: "GET",
    path: "/group/channels/:channel_id/messages/:message_id/replies",
    summary: "List the replies to a message",
    description: "Oldest first. A deleted message has no list of replies.",
    pathParams: messagePathParams,
    query: z.strictObject({
      limit: pageSize(limits.replyPage).optional(),
      ...asUser,
      next: cursor.optional(),
    }),
    responses: {
      200: replyList,
      ...problems([
        ...commonErrors,
        "invalid_cursor",
        "channel_not_found",
        "message_not_found",
        "user_not_found",
      ]),
    },
    metadata: metadata({
      sdk: {
        query: "ReplyRange",
        example:
          'for await (const reply of chat.messages.replies("room_1", "1700000000000-1041")) console.log(reply.message_id);',
      },
      access: "any_key",
      user: "member",
      examples: {
        query: { limit: "30" },
        responses: example("One reply", { messages: [replyExample] }),
      },
    }),
  },
  delete: {
    method: "DELETE",
    path: "/group/channels/:channel_id/messages/:message_id",
    summary: "Delete a message",
    description:
      "Erases the message from the database immediately. Lists, exports, last messages and unread counts omit it; the two totals of the channel still count it. Its id still marks its position in `messages.list`. Replies to it stay, and their `reply_to` names it. In a frozen channel, only the application and managers delete.",
    pathParams: messagePathParams,
    headers: changeHeaders,
    query: nothing,
    body: nothing.optional(),
    responses: {
      200: c.noBody(),
      ...problems([...bodyErrors, "channel_frozen", "channel_not_found", "message_not_found"]),
    },
    metadata: metadata({ access: "any_key", user: "author_or_manager", auditedFrom: "changes" }),
  },
  ...appends,
  ...pins,
  ...receipts,
  reactions,
});

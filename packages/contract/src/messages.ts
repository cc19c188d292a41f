import * as z from "zod";
import { bodyErrors, commonErrors, problems } from "./errors";
import { file, image, text as textExample } from "./example-data";
import { channelPathParams, cursor, messageId, messagePathParams, pageSize } from "./fields";
import { changeHeaders } from "./idempotency";
import { limits } from "./limits";
import { content, message, messageList, newFileMessage, newTextMessage } from "./message";
import { metaInput } from "./meta";
import { example, metadata } from "./metadata";
import { c, nothing } from "./router";

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

export const messages = c.router({
  send: {
    method: "POST",
    path: "/group/channels/:channel_id/messages",
    summary: "Send a message",
    description:
      "The sender must be a participant or a manager; in a frozen channel, a manager. A file message refers to a file: nothing is uploaded.",
    pathParams: channelPathParams,
    headers: changeHeaders,
    query: nothing,
    body: z
      .discriminatedUnion("type", [newTextMessage, newFileMessage], { error: 'Must be "text" or "file".' })
      .meta({ id: "NewMessage", description: "A message to send." }),
    responses: {
      201: message,
      ...problems([
        ...bodyErrors,
        "channel_not_found",
        "user_not_found",
        "channel_frozen",
        "not_a_participant",
      ]),
    },
    metadata: metadata({
      idempotent: false,
      extension: true,
      examples: {
        requests: {
          text: {
            summary: "A text",
            value: { user_id: "kim_01", type: "text", content: "See you at noon." },
          },
          file: { summary: "A file", value: { user_id: "kim_01", type: "file", file: image } },
        },
        responses: {
          text: { summary: "The stored text message", value: textExample },
          file: { summary: "The stored file message", value: file },
        },
      },
    }),
  },
  list: {
    method: "GET",
    path: "/group/channels/:channel_id/messages",
    summary: "List the messages of a channel",
    description:
      "Without `before`, `after` or `around`, the newest messages. A deleted message still marks its position. `next` continues with older messages. `newer` continues with messages stored since; each of its pages begins with the oldest unseen message, and the page is empty when there are none yet. Following `newer` misses no message, except imported ones with an older time.",
    pathParams: channelPathParams,
    query: listQuery,
    responses: {
      200: messageList,
      ...problems([...commonErrors, "invalid_cursor", "channel_not_found", "message_not_found"]),
    },
    metadata: metadata({
      extension: true,
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
    query: nothing,
    responses: { 200: message, ...problems([...commonErrors, "channel_not_found", "message_not_found"]) },
    metadata: metadata({ extension: true, examples: { responses: example("The message", textExample) } }),
  },
  update: {
    method: "PUT",
    path: "/group/channels/:channel_id/messages/:message_id",
    summary: "Edit a message",
    description:
      "Replaces `content`, `meta` or both, and sets `updated_at`. Only a text message has `content`. A frozen channel allows it too.",
    pathParams: messagePathParams,
    headers: changeHeaders,
    query: nothing,
    body: z
      .strictObject({
        content: content.optional(),
        meta: metaInput
          .meta({ description: "The new metadata. It replaces the old metadata; `{}` removes all of it." })
          .optional(),
      })
      .refine(
        ({ content, meta }) => content !== undefined || meta !== undefined,
        "Must have content, meta or both.",
      )
      .meta({ id: "Edit", description: "The new content and metadata of a message." }),
    responses: { 200: message, ...problems([...bodyErrors, "channel_not_found", "message_not_found"]) },
    metadata: metadata({
      extension: true,
      examples: {
        requests: example("A new text", { content: "See you at one." }),
        responses: example("The edited message", { ...textExample, content: "See you at one." }),
      },
    }),
  },
  delete: {
    method: "DELETE",
    path: "/group/channels/:channel_id/messages/:message_id",
    summary: "Delete a message",
    description:
      "Erases the message from the database immediately. Lists, exports, last messages and unread counts omit it; the two totals of the channel still count it. Its id still marks its position in `messages.list`.",
    pathParams: messagePathParams,
    headers: changeHeaders,
    query: nothing,
    body: nothing.optional(),
    responses: {
      200: c.noBody(),
      ...problems([...bodyErrors, "channel_not_found", "message_not_found"]),
    },
    metadata: metadata({ extension: true }),
  },
});

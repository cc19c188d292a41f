import * as z from "zod";
import { bodyErrors, commonErrors, problems } from "./errors";
import { file, image, text as textExample } from "./example-data";
import {
  channelPathParams,
  cursor,
  messageId,
  messagePathParams,
  pageSize,
  timestamp,
  userId,
} from "./fields";
import { changeHeaders } from "./idempotency";
import { limits } from "./limits";
import { metaInput, metaOutput } from "./meta";
import { example, metadata } from "./metadata";
import { c, nothing } from "./router";
import { text } from "./text";
import { user } from "./users";

const commonFields = {
  message_id: z
    .string()
    .meta({ description: "The id, assigned by the service.", examples: ["1700000000000-1042"] }),
  channel_id: z.string().meta({ description: "The channel of the message.", examples: ["room_1"] }),
  external_id: z
    .string()
    .optional()
    .meta({ description: "The id that the message was imported with.", examples: ["m-1041"] }),
  user: user.meta({ description: "The sender. A deleted user keeps its last state." }),
};
const finalFields = { meta: metaOutput, created_at: timestamp, updated_at: timestamp };

export const fileReference = z
  .object({
    type: z.string().meta({ description: "The MIME type.", examples: ["image/png"] }),
    name: z.string().meta({ description: "The name of the file.", examples: ["menu.png"] }),
    url: z.string().meta({ description: "The URL of the file.", examples: ["https://example.com/menu.png"] }),
    size: z.int().meta({ description: "The size in bytes." }),
  })
  .meta({
    id: "FileReference",
    description: "Where a file is stored. The service keeps the reference, never the file.",
  });

export const textType = z.literal("text").meta({ description: "A text message." });
export const fileType = z.literal("file").meta({ description: "A file message." });

export const textMessage = z
  .object({
    ...commonFields,
    type: textType,
    content: z
      .string()
      .meta({ description: "The text, 1 to 8,192 characters.", examples: ["See you at noon."] }),
    ...finalFields,
  })
  .meta({ id: "TextMessage", description: "A text message." });

export const fileMessage = z
  .object({
    ...commonFields,
    type: fileType,
    file: fileReference.meta({ description: "The file." }),
    ...finalFields,
  })
  .meta({ id: "FileMessage", description: "A file message." });

export const message = z.discriminatedUnion("type", [textMessage, fileMessage]).meta({
  id: "Message",
  description: "A message of a group channel. A newer server may send further types.",
});

const sender = {
  user_id: userId.meta({ description: "The sender: a participant or a manager of the channel." }),
};

export const content = text(limits.content).meta({
  description: "1 to 8,192 characters (Unicode code points).",
  examples: ["See you at noon."],
});

const newTextMessage = z
  .strictObject({
    ...sender,
    type: textType,
    content,
    meta: metaInput.optional(),
  })
  .meta({ id: "NewTextMessage", description: "A text message to send." });

export const newFileReference = z
  .strictObject({
    type: text(limits.fileType).meta({
      description: "The MIME type, 1 to 255 characters.",
      examples: ["image/png"],
    }),
    name: text(limits.fileName).meta({ description: "1 to 255 characters.", examples: ["menu.png"] }),
    url: text(limits.fileUrl).meta({
      description: "1 to 2,048 characters.",
      examples: ["https://example.com/menu.png"],
    }),
    size: z
      .int("Must be a whole number of bytes.")
      .min(0, "Must not be negative.")
      .meta({ description: "The size in bytes.", examples: [48_213] }),
  })
  .meta({ id: "NewFileReference", description: "A reference to a file that is stored elsewhere." });

const newFileMessage = z
  .strictObject({
    ...sender,
    type: fileType,
    file: newFileReference,
    meta: metaInput.optional(),
  })
  .meta({ id: "NewFileMessage", description: "A file message to send." });

export const messageList = z
  .object({
    messages: z.array(message).meta({ description: "The messages, newest first." }),
    next: z.string().optional().meta({
      description: "The cursor of the page with the next older messages. Absent when there are none.",
    }),
    newer: z.string().meta({
      description:
        "The cursor of the messages that come after the newest one of this page, including those that do not exist yet. Sent as `next`.",
    }),
  })
  .meta({
    id: "MessageList",
    description: "Messages of a channel, newest first, with a cursor in each direction.",
  });

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
    metadata: metadata({ extension: true, errorWhenRepeated: "message_not_found" }),
  },
});

import * as z from "zod";
import { bodyErrors, problems } from "./errors";
import { file, image, text as textExample } from "./example-data";
import { channelPathParams, timestamp, userId } from "./fields";
import { changeHeaders } from "./idempotency";
import { limits } from "./limits";
import { metaInput, metaOutput } from "./meta";
import { metadata } from "./metadata";
import { c, nothing } from "./router";
import { text } from "./text";
import { user } from "./users";

const commonFields = {
  message_id: z.string().meta({ description: "The id, assigned by the service.", examples: ["1042"] }),
  channel_id: z.string().meta({ description: "The channel of the message.", examples: ["room_1"] }),
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

const textType = z.literal("text").meta({ description: "A text message." });
const fileType = z.literal("file").meta({ description: "A file message." });

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

const newTextMessage = z
  .strictObject({
    ...sender,
    type: textType,
    content: text(limits.content).meta({
      description: "1 to 8,192 characters (Unicode code points).",
      examples: ["See you at noon."],
    }),
    meta: metaInput.optional(),
  })
  .meta({ id: "NewTextMessage", description: "A text message to send." });

const newFileMessage = z
  .strictObject({
    ...sender,
    type: fileType,
    file: z
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
      .meta({ id: "NewFileReference", description: "A reference to a file that is stored elsewhere." }),
    meta: metaInput.optional(),
  })
  .meta({ id: "NewFileMessage", description: "A file message to send." });

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
});

import * as z from "zod";
import { timestamp, userId } from "./fields";
import { limits } from "./limits";
import { metaInput, metaOutput } from "./meta";
import { text } from "./text";
import { user } from "./user";

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

export const newTextMessage = z
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

export const newFileMessage = z
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

import * as z from "zod";
import { channelId, ids, messageId, nextCursor, timestamp, userId } from "./fields";
import { limits } from "./limits";
import { metaInput, metaOutput } from "./meta";
import { reactionCounts } from "./reaction";
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
};
const senderField = {
  user: user.meta({ description: "The sender. A deleted user keeps its last state." }),
};
const finalFields = {
  meta: metaOutput,
  created_at: timestamp,
  updated_at: timestamp.meta({
    description:
      "When the content or the metadata last changed, in milliseconds since the Unix epoch, UTC. At first the time of creation.",
  }),
  edited_at: timestamp
    .meta({ description: "When the content last changed. Absent if it never did." })
    .optional(),
  reply_to: z
    .string()
    .optional()
    .meta({
      description: "The id of the message that this one replies to. That message may be deleted.",
      examples: ["1700000000000-1041"],
    }),
  reply_count: z
    .int()
    .optional()
    .meta({ description: "The number of replies to this message. Absent if there are none.", examples: [2] }),
  mentions: z
    .array(z.string())
    .optional()
    .meta({
      description: "The ids of the users that the message mentions. Absent if there are none.",
      examples: [["kim_01"]],
    }),
  reactions: reactionCounts.optional().meta({
    description: "The different reactions, in the order of their first use. Absent when there are none.",
  }),
  pinned_at: timestamp.optional().meta({
    description:
      "When the message was pinned, in milliseconds since the Unix epoch, UTC. Absent if it is not pinned.",
  }),
};

const fileReference = z
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
export const systemType = z.literal("system").meta({ description: "A system message." });

const contentOutput = z
  .string()
  .meta({ description: "The text, 1 to 8,192 characters.", examples: ["See you at noon."] });

const textMessage = z
  .object({
    ...commonFields,
    ...senderField,
    type: textType,
    content: contentOutput,
    ...finalFields,
  })
  .meta({ id: "TextMessage", description: "A text message." });

const fileMessage = z
  .object({
    ...commonFields,
    ...senderField,
    type: fileType,
    file: fileReference.meta({ description: "The file." }),
    ...finalFields,
  })
  .meta({ id: "FileMessage", description: "A file message." });

export const systemMessage = z
  .object({ ...commonFields, type: systemType, content: contentOutput, ...finalFields })
  .meta({
    id: "SystemMessage",
    description: 'A message of the application, such as "Kim joined". It has no sender.',
  });

export const message = z.discriminatedUnion("type", [textMessage, fileMessage, systemMessage]).meta({
  id: "Message",
  description: "A message of a group channel. A newer server may send further types.",
});

const sender = {
  user_id: userId.meta({ description: "The sender: a participant or a manager of the channel." }),
};

const replyTo = {
  reply_to: messageId
    .meta({ description: "The id of the message of this channel that this one replies to." })
    .optional(),
};

const { min, max } = limits.mentions;

export const mentionedUsers = z
  .array(userId)
  .min(min, "Must contain at least 1 user id.")
  .max(max, `Must contain at most ${max} user ids.`);

const mentions = {
  mentions: mentionedUsers
    .meta({
      description: `The ids of 1 to ${max} participants or managers of the channel. Duplicates count once.`,
      examples: [["kim_01"]],
    })
    .optional(),
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
    ...replyTo,
    ...mentions,
  })
  .meta({ id: "NewTextMessage", description: "A text message to send." });

/** A page may make a link of it: other schemes, such as `javascript:`, would run in that page. Read as browsers do. */
function isWebAddress(url: string): boolean {
  const base = "https://relative.invalid";
  return URL.canParse(url, base) && /^https?:$/.test(new URL(url, base).protocol);
}

export const newFileReference = z
  .strictObject({
    type: text(limits.fileType).meta({
      description: "The MIME type, 1 to 255 characters.",
      examples: ["image/png"],
    }),
    name: text(limits.fileName).meta({ description: "1 to 255 characters.", examples: ["menu.png"] }),
    url: text(limits.fileUrl)
      .refine(isWebAddress, "Must be an http or https address, or a relative one.")
      .meta({
        description: "An http or https address, or a relative one, of 1 to 2,048 characters.",
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
    ...replyTo,
    ...mentions,
  })
  .meta({ id: "NewFileMessage", description: "A file message to send." });

const announcement = { channel_ids: ids(channelId, "channels", limits.channelsPerSendMany), ...sender };

export const textAnnouncement = z
  .strictObject({ ...announcement, type: textType, content, meta: metaInput.optional() })
  .meta({ id: "TextAnnouncement", description: "A text message to send to several channels." });

export const fileAnnouncement = z
  .strictObject({ ...announcement, type: fileType, file: newFileReference, meta: metaInput.optional() })
  .meta({ id: "FileAnnouncement", description: "A file message to send to several channels." });

export const newSystemMessage = z
  .strictObject({ type: systemType, content, meta: metaInput.optional(), ...mentions })
  .meta({ id: "NewSystemMessage", description: "A message of the application to send. It has no sender." });

export const messageList = z
  .object({
    messages: z.array(message).meta({ description: "The messages, newest first." }),
    next: z.string().optional().meta({
      description: "The cursor of the page with the next older messages. Absent when there are none.",
    }),
    newer: z.string().optional().meta({
      description:
        "The cursor of the messages that come after the newest one of this page, including those that do not exist yet. Sent as `next`. Absent only with `message_ids`.",
    }),
  })
  .meta({
    id: "MessageList",
    description: "Messages of a channel, newest first, with a cursor in each direction.",
  });

export const replyList = z
  .object({
    messages: z.array(message).meta({ description: "The replies, oldest first." }),
    next: nextCursor,
  })
  .meta({
    id: "ReplyList",
    description:
      "A page of replies to a message, oldest first. `next` is present when there is another page.",
  });

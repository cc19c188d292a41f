import * as z from "zod";
import { channelId, ids, messageId, nextCursor, selfRule, timestamp, userId } from "../rules/fields";
import { limits } from "../rules/limits";
import { metaInput, metaOutput } from "../rules/meta-fields";
import { byteLength, text } from "../rules/text";
import { attachments, newAttachments } from "./attachment";
import { newParts, parts } from "./parts";
import { reactionCounts } from "./reaction";
import { user } from "./user";

const commonFields = {
  message_id: z
    .string()
    .meta({ description: "The id, assigned by the service.", examples: ["1700000000000-1042"] }),
  channel_id: z.string().meta({ description: "The channel of the message.", examples: ["room_1"] }),
  external_id: z
    .string()
    .optional()
    .meta({ description: "The id that the message was sent or imported with.", examples: ["m-1041"] }),
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

const { maxLength } = limits.content;
const maxCharacters = maxLength.toLocaleString("en-US");

const textFields = {
  content: z.string().meta({
    description: `The text, at most ${maxCharacters} characters; of a message that is being written, the text so far. It may be empty in a message with parts or attachments, and in one that is or was written by appends.`,
    examples: ["See you at noon."],
  }),
  parts: parts.optional(),
  attachments,
  state: z.enum(["streaming", "cancelled", "interrupted"]).optional().meta({
    description:
      "`streaming`: the message is still being written. `cancelled`: its writer, or a reader, stopped it. `interrupted`: its writer stopped without a word. Absent in all other messages.",
  }),
  append_count: z
    .int()
    .optional()
    .meta({
      description:
        "How many appends `content` contains, while the message is being written: the index of the next one.",
      examples: [12],
    }),
};

const textMessage = z
  .object({
    ...commonFields,
    ...senderField,
    type: textType,
    ...textFields,
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
  .object({ ...commonFields, type: systemType, ...textFields, ...finalFields })
  .meta({
    id: "SystemMessage",
    description: 'A message of the application, such as "Kim joined". It has no sender.',
  });

export const message = z.discriminatedUnion("type", [textMessage, fileMessage, systemMessage]).meta({
  id: "Message",
  description: "A message of a group channel. A newer server may send further types.",
});

const senderOfMany = {
  user_id: userId.meta({ description: "The sender: a participant or a manager of the channel." }),
};

const sender = {
  user_id: userId
    .meta({ description: `The sender: a participant or a manager of the channel. ${selfRule}` })
    .optional(),
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
  description: `1 to ${maxCharacters} characters (Unicode code points). With parts or attachments, it may be empty or left out.`,
  examples: ["See you at noon."],
});

/** The text and the parts of a message to store. `hasText` checks what they must be together. */
export const newText = { content: content.optional(), parts: newParts.optional() };

interface Text {
  readonly content?: string | undefined;
  readonly parts?: readonly unknown[] | undefined;
  readonly attachments?: readonly unknown[] | undefined;
  readonly streaming?: boolean | undefined;
}

/** A message needs a text, parts or attachments. What is invalid by itself counts as there. */
export const hasText = ({ content, parts, attachments, streaming }: Text) =>
  streaming === true ||
  (content !== undefined && content !== "") ||
  (parts !== undefined && parts?.length !== 0) ||
  attachments !== undefined;
export const textRule =
  "Must have at least 1 character, unless the message has parts or attachments, or is streamed.";
export const needsText = {
  path: ["content"],
  error: textRule,
  // Also if other fields are invalid, so that one response names all of them.
  when: () => true,
};

const streaming = {
  streaming: z
    .boolean()
    .meta({
      description: `Whether the message is written while people read: \`content\` is its beginning, \`messages.append\` continues it, and \`messages.finish\` ends it. 60 seconds without an append end it, too. With tokens, a user writes at most ${limits.streamedMessages} messages at once.`,
    })
    .optional(),
};

/** Chosen by the application. */
export const externalId = text(limits.externalId);

const ownId = {
  external_id: externalId
    .meta({
      description:
        "An id of the application for the message, 1 to 100 characters, unique in its channel. Clients recognize in an event what they sent by it.",
      examples: ["m-1041"],
    })
    .optional(),
};

export const newTextMessage = z
  .strictObject({
    ...ownId,
    ...sender,
    type: textType,
    ...newText,
    attachments: newAttachments.optional(),
    ...streaming,
    meta: metaInput.optional(),
    ...replyTo,
    ...mentions,
  })
  .refine(hasText, needsText)
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
    ...ownId,
    ...sender,
    type: fileType,
    file: newFileReference,
    meta: metaInput.optional(),
    ...replyTo,
    ...mentions,
  })
  .meta({ id: "NewFileMessage", description: "A file message to send." });

const announcement = { channel_ids: ids(channelId, "channels", limits.channelsPerSendMany), ...senderOfMany };

export const textAnnouncement = z
  .strictObject({ ...announcement, type: textType, ...newText, meta: metaInput.optional() })
  .refine(hasText, needsText)
  .superRefine(({ channel_ids, content = "", parts = [] }, context) => {
    const bytes = channel_ids.length * (byteLength(content) + byteLength(JSON.stringify(parts)));
    if (bytes > limits.announcedBytes)
      context.addIssue({
        code: "custom",
        path: ["channel_ids"],
        message: `The messages of all channels have ${bytes.toLocaleString("en-US")} bytes; at most ${limits.announcedBytes.toLocaleString("en-US")} are allowed. Send to fewer channels at once.`,
      });
  })
  .meta({ id: "TextAnnouncement", description: "A text message to send to several channels." });

export const fileAnnouncement = z
  .strictObject({ ...announcement, type: fileType, file: newFileReference, meta: metaInput.optional() })
  .meta({ id: "FileAnnouncement", description: "A file message to send to several channels." });

export const newSystemMessage = z
  .strictObject({
    ...ownId,
    type: systemType,
    ...newText,
    attachments: newAttachments.optional(),
    ...streaming,
    meta: metaInput.optional(),
    ...mentions,
  })
  .refine(hasText, needsText)
  .meta({ id: "NewSystemMessage", description: "A message of the application to send. It has no sender." });

export const messageList = z
  .object({
    messages: z.array(message).meta({ description: "The messages, newest first." }),
    next: z.string().optional().meta({
      description: "The cursor of the page with the next older messages. Absent when there are none.",
    }),
    newer: z.string().optional().meta({
      description:
        "The cursor of the messages that come after the newest one of this page, including those that do not exist yet. Sent as `next`. Absent only with `message_ids` and `external_ids`.",
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

import * as z from "zod";
import { bodyErrors, problems } from "../../errors/errors";
import { image } from "../../examples/data";
import { example, metadata } from "../../operation-metadata";
import { newAttachments } from "../../resources/attachment";
import {
  externalId,
  fileType,
  hasText,
  mentionedUsers,
  needsText,
  newFileReference,
  newText,
  systemType,
  textType,
} from "../../resources/message";
import { c, nothing } from "../../router";
import { channelPathParams, importedSenderId, timestamp } from "../../rules/fields";
import { changeHeaders } from "../../rules/idempotency";
import { limits } from "../../rules/limits";
import { metaInput } from "../../rules/meta-fields";

const commonFields = {
  external_id: externalId
    .meta({
      description:
        "The id of the message where it comes from, 1 to 100 characters. A message whose `external_id` the channel has already is skipped.",
      examples: ["m-1041"],
    })
    .optional(),
};

const sender = {
  user_id: importedSenderId,
};

const replyTo = {
  reply_to: externalId
    .meta({
      description:
        "The `external_id` of the message that this one replies to. The channel has it already, or this request does.",
      examples: ["m-1040"],
    })
    .optional(),
};

const mentions = {
  mentions: mentionedUsers
    .meta({
      description: `The ids of 1 to ${limits.mentions.max} existing users, who need not be participants. Duplicates count once.`,
      examples: [["kim_01"]],
    })
    .optional(),
};

const finalFields = {
  meta: metaInput.optional(),
  created_at: z.int().min(0, "Must not be negative.").meta({
    description:
      "When the message was sent, in milliseconds since the Unix epoch, UTC. It must not be in the future.",
    format: "unix-ms",
    examples: timestamp.meta()?.examples,
  }),
};

const importedText = z
  .strictObject({
    ...commonFields,
    ...sender,
    type: textType,
    ...newText,
    attachments: newAttachments.optional(),
    ...replyTo,
    ...mentions,
    ...finalFields,
  })
  .refine(hasText, needsText)
  .meta({ id: "ImportedTextMessage", description: "A text message to import." });

const importedFile = z
  .strictObject({
    ...commonFields,
    ...sender,
    type: fileType,
    file: newFileReference,
    ...replyTo,
    ...mentions,
    ...finalFields,
  })
  .meta({ id: "ImportedFileMessage", description: "A file message to import." });

const importedSystem = z
  .strictObject({
    ...commonFields,
    type: systemType,
    ...newText,
    attachments: newAttachments.optional(),
    ...mentions,
    ...finalFields,
  })
  .refine(hasText, needsText)
  .meta({ id: "ImportedSystemMessage", description: "A message of the application to import." });

const { min, max } = limits.messagesPerImport;

const importResult = z
  .object({
    imported: z.int().meta({ description: "The number of messages that were stored.", examples: [499] }),
    skipped: z.int().meta({
      description: "The number of messages whose `external_id` the channel had already.",
      examples: [1],
    }),
  })
  .meta({ id: "ImportResult", description: "The result of an import." });

export const imports = c.router({
  messages: {
    method: "POST",
    path: "/imports/group/channels/:channel_id/messages",
    summary: "Import messages into a channel",
    description:
      "Stores up to 500 messages with their original times: all of them or, after an error, none. Messages of the same millisecond keep the order of the request. A frozen channel accepts imports. Both totals of the channel count imported messages. The body may have 8 MB. An import can be repeated: messages whose `external_id` the channel has already are skipped, and their `attachments` stay what they are.",
    pathParams: channelPathParams,
    headers: changeHeaders,
    query: nothing,
    body: z
      .strictObject({
        messages: z
          .array(
            z
              .discriminatedUnion("type", [importedText, importedFile, importedSystem], {
                error: 'Must be "text", "file" or "system".',
              })
              .meta({ id: "ImportedMessage", description: "A message to import." }),
          )
          .min(min, "Must contain at least 1 message.")
          .max(max, `Must contain at most ${max} messages.`)
          .meta({ description: `1 to ${max} messages.` }),
      })
      .meta({ id: "MessageImport", description: "Messages to import." }),
    responses: {
      200: importResult,
      ...problems([
        ...bodyErrors,
        "channel_not_found",
        "user_not_found",
        "message_not_found",
        "file_not_found",
        "file_not_uploaded",
        "storage_unavailable",
        "file_in_use",
      ]),
    },
    metadata: metadata({
      access: "any_key",
      user: "no",
      maxBodyBytes: limits.importBodyBytes,
      examples: {
        requests: example("A text and a file", {
          messages: [
            {
              external_id: "m-1041",
              user_id: "kim_01",
              type: "text",
              content: "See you at noon.",
              created_at: 1_600_000_000_000,
            },
            {
              external_id: "m-1042",
              user_id: "kim_01",
              type: "file",
              file: image,
              created_at: 1_600_000_000_001,
              reply_to: "m-1041",
            },
          ],
        }),
        responses: example("Both were stored", { imported: 2, skipped: 0 }),
      },
    }),
  },
});

import * as z from "zod";
import { bodyErrors, memberErrors, problems } from "../../errors/errors";
import { unsentCodes } from "../../errors/unsent-codes";
import { newFile, storedFile, waitingFile } from "../../examples/data";
import { example, metadata } from "../../operation-metadata";
import { fileFields, url } from "../../resources/attachment";
import { c, nothing } from "../../router";
import { assignedId, channelId, timestamp, userId } from "../../rules/fields";
import { changeHeaders } from "../../rules/idempotency";
import { limits } from "../../rules/limits";
import { text } from "../../rules/text";

export const fileStatus = z
  .enum(["waiting", "ready"])
  .meta({ description: "`ready` once the bytes have arrived, `waiting` before." });

const upload = z
  .object({
    method: z.literal("PUT").meta({ description: "The method of the request." }),
    url: z.string().meta({ description: "Where to send the bytes, without a key." }),
    headers: z
      .record(z.string(), z.string())
      .meta({ description: "The headers that the request must have, besides its length." }),
    expires_at: timestamp.meta({ description: "Until when the address works: one hour after `created_at`." }),
  })
  .meta({ id: "FileUpload", description: "How to upload the bytes: exactly this size and type, once." });

const createdFile = z
  .object({ ...fileFields, status: fileStatus, created_at: timestamp, upload })
  .meta({ id: "CreatedFile", description: "A file whose bytes have to be uploaded." });

const file = z
  .object({
    ...fileFields,
    status: fileStatus,
    created_at: timestamp,
    url: url.optional().meta({
      description:
        "Where to read the bytes, without a key: an address that works for at least one hour and at most two. Absent while the file is `waiting`.",
    }),
  })
  .meta({ id: "StoredFile", description: "A file that the service stores." });

const typePattern = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(; ?[\w!#$&^.+-]+=[\w!#$&^.+-]+)*$/;

const pathParams = z.object({ file_id: assignedId("The id of a file.", storedFile.file_id) });

export const files = c.router({
  create: {
    method: "POST",
    path: "/files",
    summary: "Create a file",
    description:
      "Prepares an upload. The response has an address that accepts the bytes for one hour, without a key: exactly this size and type, once. Then send a message with the file in `attachments`. A file that no message has after a day is deleted.",
    headers: changeHeaders,
    query: nothing,
    body: z
      .strictObject({
        channel_id: channelId.meta({ description: "The channel of the message that the file is for." }),
        user_id: userId
          .meta({
            description:
              "Who will send it: a user who may send to the channel. Absent: any sender of the channel can send it, and system messages can have it.",
          })
          .optional(),
        name: text(limits.fileName)
          .refine((name) => !/(?!\0)[/\\\p{Cc}]/u.test(name), "Must not contain /, \\ or control characters.")
          .meta({
            description: "1 to 255 characters without `/`, `\\` and control characters.",
            examples: [storedFile.name],
          }),
        type: z
          .string()
          .max(limits.fileType.maxLength, `Must have at most ${limits.fileType.maxLength} characters.`)
          .regex(typePattern, "Must be a MIME type, such as image/png.")
          .meta({ description: "The MIME type, at most 255 characters.", examples: [storedFile.type] }),
        size: z
          .int("Must be a whole number of bytes.")
          .min(1, "Must be at least 1 byte.")
          .meta({
            description:
              "The size in bytes, at least 1. The maximum is a setting of the service, 100 MB by default.",
            examples: [storedFile.size],
          }),
      })
      .meta({ id: "NewFile", description: "A file to upload." }),
    responses: {
      201: createdFile,
      ...problems([...bodyErrors, ...unsentCodes, "files_disabled", "storage_unavailable"]),
    },
    metadata: metadata({
      access: "any_key",
      user: "self",
      selfField: "user_id",
      examples: {
        requests: example("An image", newFile),
        responses: example("The new file", waitingFile),
      },
    }),
  },
  get: {
    method: "GET",
    path: "/files/:file_id",
    summary: "Get a file",
    description: "The file with this id, with an address of its bytes once they have arrived.",
    pathParams,
    query: nothing,
    responses: { 200: file, ...problems([...memberErrors, "file_not_found", "storage_unavailable"]) },
    metadata: metadata({
      access: "any_key",
      user: "member",
      examples: { responses: example("The file", storedFile) },
    }),
  },
  delete: {
    method: "DELETE",
    path: "/files/:file_id",
    summary: "Delete a file",
    description: "Deletes a file that no message has. The files of a message are deleted with it.",
    pathParams,
    headers: changeHeaders,
    query: nothing,
    body: nothing.optional(),
    responses: { 200: c.noBody(), ...problems([...bodyErrors, "file_not_found", "file_in_use"]) },
    metadata: metadata({ access: "any_key", user: "no" }),
  },
});

import * as z from "zod";
import { storedFile } from "../examples/data";
import { assignedId } from "../rules/fields";
import { limits } from "../rules/limits";

export const fileFields = {
  file_id: z
    .string()
    .meta({ description: "The id, assigned by the service.", examples: [storedFile.file_id] }),
  name: z.string().meta({ description: "The name of the file.", examples: [storedFile.name] }),
  type: z.string().meta({ description: "The MIME type.", examples: [storedFile.type] }),
  size: z.int().meta({ description: "The size in bytes.", examples: [storedFile.size] }),
};

export const url = z.string().meta({
  description:
    "Where to read the bytes, without a key: an address that works for at least one hour and at most two. A later response has another one.",
  examples: [storedFile.url],
});

const attachment = z
  .object({ ...fileFields, url })
  .meta({ id: "Attachment", description: "A file of a message, which the service stores." });

/** In messages. */
export const attachments = z.array(attachment).optional().meta({
  description: "The files of the message, in the order of the request. Absent if there are none.",
});

const { min, max } = limits.attachments;

/** In a message to send or import. */
export const newAttachments = z
  .array(
    z
      .strictObject({ file_id: assignedId("The id of the file.", storedFile.file_id) })
      .meta({ id: "NewAttachment", description: "A file that was uploaded." }),
  )
  .min(min, "Must contain at least 1 file.")
  .max(max, `Must contain at most ${max} files.`)
  .meta({
    description: `${min} to ${max} files of the same channel, created for the sender or for nobody. Duplicates count once.`,
    examples: [[{ file_id: storedFile.file_id }]],
  });

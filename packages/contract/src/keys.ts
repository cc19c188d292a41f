import * as z from "zod";
import { masterBodyErrors, masterErrors, problems } from "./errors";
import {
  createdSubKey as createdSubKeyExample,
  newSubKey as newSubKeyExample,
  subKey as subKeyExample,
} from "./example-data";
import { timestamp } from "./fields";
import { changeHeaders } from "./idempotency";
import { limits } from "./limits";
import { example, metadata } from "./metadata";
import { c, nothing } from "./router";
import { text } from "./text";

const label = "What the key is for, such as the application that uses it";

export const subKey = z
  .object({
    key: z.string().meta({ description: "The sub API key.", format: "password", examples: ["sk_…"] }),
    key_id: z.string().meta({
      description: "Identifies the key in logs and metrics without revealing it.",
      examples: [subKeyExample.key_id],
    }),
    label: z
      .string()
      .optional()
      .meta({ description: `${label}. Absent when there is none.` }),
    created_at: timestamp,
    expires_at: timestamp.optional().meta({
      description: "When the key expires. Absent when it does not expire.",
      examples: [subKeyExample.expires_at],
    }),
    last_used_at: timestamp.optional().meta({
      description:
        "When the key was last used, accurate to within a minute. Only in lists, and absent when the key was never used.",
      examples: [subKeyExample.last_used_at],
    }),
  })
  .meta({ id: "SubKey", description: "A key that can replace the master key, and can be revoked." });

/** Of a time that has passed, too: the server adds that to the rules of the schema. */
export const futureTimeRule = "Must be a future time in milliseconds since the Unix epoch.";

const newSubKey = z
  .strictObject({
    label: text(limits.keyLabel)
      .optional()
      .meta({ description: `${label}: 1 to 80 characters.`, examples: [newSubKeyExample.label] }),
    expires_at: z
      .int(futureTimeRule)
      .min(0, futureTimeRule)
      .optional()
      .meta({
        description:
          "When the key expires, in the future: milliseconds since the Unix epoch, UTC. From then on the key is treated as unknown. It still counts toward the limit of 10 until it is deleted.",
        examples: [newSubKeyExample.expires_at],
      }),
  })
  .meta({ id: "NewSubKey", description: "The optional label and expiry of a new sub key." });

const path = "/applications/keys";
const body = z
  .strictObject({ key: text().meta({ description: "The sub key to delete.", format: "password" }) })
  .meta({ id: "KeyDeletion", description: "The sub key to delete." });
const deletionExamples = { requests: example("The key to delete", { key: subKeyExample.key }) };

export const keys = c.router({
  list: {
    method: "GET",
    path,
    summary: "List the sub keys",
    description: "All sub keys by creation time, oldest first.",
    query: nothing,
    responses: { 200: z.array(subKey), ...problems(masterErrors) },
    metadata: metadata({
      access: "master_key",
      examples: { responses: example("One sub key", [subKeyExample]) },
    }),
  },
  create: {
    method: "POST",
    path,
    summary: "Create a sub key",
    description:
      "At most 10 sub keys can exist. The body is optional. A label names the key in logs and metrics; a key with `expires_at` is rejected from that time on.",
    headers: changeHeaders,
    query: nothing,
    body: newSubKey.optional(),
    responses: { 201: subKey, ...problems([...masterBodyErrors, "key_limit_exceeded"]) },
    metadata: metadata({
      access: "master_key",
      idempotent: false,
      examples: {
        requests: example("A key with a label and an expiry", newSubKeyExample),
        responses: example("The new key", createdSubKeyExample),
      },
    }),
  },
  delete: {
    method: "DELETE",
    path,
    summary: "Delete a sub key",
    description: "Every server process rejects the key within one second.",
    headers: changeHeaders,
    query: nothing,
    body,
    responses: { 200: c.noBody(), ...problems([...masterBodyErrors, "key_not_found"]) },
    metadata: metadata({
      access: "master_key",
      examples: deletionExamples,
    }),
  },
  revoke: {
    method: "POST",
    path: `${path}/revoke`,
    summary: "Delete a sub key, without a DELETE",
    description:
      "Does the same as deleting a sub key, for clients behind a proxy that drops the body of a DELETE. A key is never part of a path, because paths are written to logs.",
    headers: changeHeaders,
    query: nothing,
    body,
    responses: { 200: c.noBody(), ...problems([...masterBodyErrors, "key_not_found"]) },
    metadata: metadata({
      access: "master_key",
      extension: true,
      variantOf: "keys.delete",
      examples: deletionExamples,
    }),
  },
});

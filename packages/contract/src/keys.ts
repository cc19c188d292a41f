import * as z from "zod";
import { bodyErrors, commonErrors, problems } from "./errors";
import { subKey as subKeyExample } from "./example-data";
import { timestamp } from "./fields";
import { changeHeaders } from "./idempotency";
import { example, metadata } from "./metadata";
import { c, nothing } from "./router";
import { text } from "./text";

export const subKey = z
  .object({
    key: z.string().meta({ description: "The sub API key.", format: "password", examples: ["sk_…"] }),
    created_at: timestamp,
  })
  .meta({ id: "SubKey", description: "A key that can replace the master key, and can be revoked." });

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
    responses: { 200: z.array(subKey), ...problems([...commonErrors, "master_key_required"]) },
    metadata: metadata({
      access: "master_key",
      examples: { responses: example("One sub key", [subKeyExample]) },
    }),
  },
  create: {
    method: "POST",
    path,
    summary: "Create a sub key",
    description: "At most 10 sub keys can exist. Send no body, or `{}`.",
    headers: changeHeaders,
    query: nothing,
    body: nothing.optional(),
    responses: { 201: subKey, ...problems([...bodyErrors, "master_key_required", "key_limit_exceeded"]) },
    metadata: metadata({
      access: "master_key",
      idempotent: false,
      examples: { responses: example("The new key", subKeyExample) },
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
    responses: { 200: c.noBody(), ...problems([...bodyErrors, "master_key_required", "key_not_found"]) },
    metadata: metadata({
      access: "master_key",
      errorWhenRepeated: "key_not_found",
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
    responses: { 200: c.noBody(), ...problems([...bodyErrors, "master_key_required", "key_not_found"]) },
    metadata: metadata({
      access: "master_key",
      extension: true,
      variantOf: "keys.delete",
      errorWhenRepeated: "key_not_found",
      examples: deletionExamples,
    }),
  },
});

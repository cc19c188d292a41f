import * as z from "zod";
import { masterKey, masterKeyOnce } from "./access";
import { anyBody, anyOperation, refusals } from "./errors";
import { timestamp } from "./fields";
import { changeHeaders } from "./idempotency";
import { c, nothing } from "./router";
import { text } from "./text";

export const subKey = z
  .object({
    key: z.string().meta({ description: "The sub API key.", examples: ["sk_…"] }),
    created_at: timestamp,
  })
  .meta({ id: "SubKey", description: "A key that can be used instead of the master key, and revoked." });

const path = "/applications/keys";

export const keys = c.router({
  list: {
    method: "GET",
    path,
    summary: "List the sub keys",
    description: "By the time of creation, oldest first.",
    query: nothing,
    responses: { 200: z.array(subKey), ...refusals([...anyOperation, "master_key_required"]) },
    metadata: masterKey,
  },
  create: {
    method: "POST",
    path,
    summary: "Create a sub key",
    description: "At most 10 sub keys can exist. Send no body, or `{}`.",
    headers: changeHeaders,
    query: nothing,
    body: nothing.optional(),
    responses: { 201: subKey, ...refusals([...anyBody, "master_key_required", "key_limit_exceeded"]) },
    metadata: masterKeyOnce,
  },
  delete: {
    method: "DELETE",
    path,
    summary: "Delete a sub key",
    description:
      "From then on the key is refused, by every server process within one second. Where a proxy drops the body of a DELETE, `extensions.revokeKey` does the same by a POST.",
    headers: changeHeaders,
    query: nothing,
    body: z.strictObject({ key: text().meta({ description: "The sub key to delete." }) }),
    responses: { 200: c.noBody(), ...refusals([...anyBody, "master_key_required", "key_not_found"]) },
    metadata: masterKey,
  },
});

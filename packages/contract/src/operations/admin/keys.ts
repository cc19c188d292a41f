import * as z from "zod";
import { anyErrors, masterBodyErrors, masterErrors, problems } from "../../errors/errors";
import {
  createdSubKey as createdSubKeyExample,
  newSubKey as newSubKeyExample,
  subKey as subKeyExample,
} from "../../examples/data";
import { example, metadata } from "../../operation-metadata";
import { c, nothing } from "../../router";
import { futureTimeRule, timestamp, userId } from "../../rules/fields";
import { changeHeaders } from "../../rules/idempotency";
import { limits } from "../../rules/limits";
import { lineOfText, text } from "../../rules/text";

const label = "What the key is for, such as the application that uses it";

const subKey = z
  .object({
    key: z.string().meta({ description: "The sub API key.", format: "password", examples: ["sk_…"] }),
    key_id: z.string().meta({
      description: "Identifies the key in logs and metrics without revealing it.",
      examples: [subKeyExample.key_id],
    }),
    user_id: z
      .string()
      .optional()
      .meta({ description: "The user as whom the key acts. Absent for other keys." }),
    label: z
      .string()
      .optional()
      .meta({ description: `${label}. Absent when there is none.` }),
    scopes: z
      .array(z.string())
      .optional()
      .meta({
        description: "What the key may do. Absent for a key without scopes.",
        examples: [subKeyExample.scopes],
      }),
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
  .meta({ id: "SubKey", description: "An API key for one application, which can be revoked." });

const newSubKey = z
  .strictObject({
    user_id: userId
      .meta({
        description:
          "A user: the key acts as this user and has its rights alone, for a bot or an agent. It ends with the deletion of the user. Absent: a key of the application.",
      })
      .optional(),
    label: lineOfText(limits.keyLabel)
      .optional()
      .meta({ description: `${label}: 1 to 80 characters.`, examples: [newSubKeyExample.label] }),
    scopes: z
      .array(text())
      .min(limits.keyScopes.min)
      .max(limits.keyScopes.max)
      .optional()
      .meta({
        description:
          "What the key may do, 1 to 20: `read` (every GET), operations such as `messages.send`, and groups such as `messages.*`, which contains everything below it. Absent: everything that sub keys may do, except operations that a scope must name. Duplicates count once.",
        examples: [newSubKeyExample.scopes],
      }),
    expires_at: z
      .int(futureTimeRule)
      .min(0, futureTimeRule)
      .optional()
      .meta({
        description:
          "When the key expires, in the future: milliseconds since the Unix epoch, UTC. From then on the key is treated as unknown. It still counts toward the limit of 10 until it is deleted.",
        format: "unix-ms",
        examples: [newSubKeyExample.expires_at],
      }),
  })
  .meta({ id: "NewSubKey", description: "The optional user, label, scopes and expiry of a new sub key." });

export const callingKey = z
  .object({
    kind: z.enum(["master", "sub", "user"]).meta({
      description: "Which kind of key was sent: `user` is a token, or a sub key that acts as a user.",
    }),
    user_id: z
      .string()
      .optional()
      .meta({ description: "The user as whom the request acts. Absent for other kinds." }),
    ...subKey.pick({ label: true, scopes: true, expires_at: true }).shape,
    key_id: subKey.shape.key_id.optional(),
  })
  .meta({ id: "CallingKey", description: "The key that a request was sent with." });

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
    description: "All sub keys by creation time, oldest first, with the time of their last use.",
    query: nothing,
    responses: { 200: z.array(subKey), ...problems(masterErrors) },
    metadata: metadata({
      access: "master_key",
      user: "no",
      extension: false,
      examples: { responses: example("One sub key", [subKeyExample]) },
    }),
  },
  self: {
    method: "GET",
    path: `${path}/self`,
    summary: "Get the key of this request",
    description:
      "Describes the key or token that the request was sent with: its kind, its id or user, label, scopes and expiry, and not the key itself. Every key may call it, whatever its scopes.",
    query: nothing,
    responses: { 200: callingKey, ...problems(anyErrors) },
    metadata: metadata({
      access: "any_scope",
      user: "self",
      examples: {
        responses: example("A sub key", {
          kind: "sub",
          key_id: subKeyExample.key_id,
          label: subKeyExample.label,
          scopes: subKeyExample.scopes,
          expires_at: subKeyExample.expires_at,
        }),
      },
    }),
  },
  create: {
    method: "POST",
    path,
    summary: "Create a sub key",
    description:
      "At most 10 sub keys can exist. The body is optional. A label names the key in logs and metrics; `scopes` restrict what it may do; a key with `expires_at` is rejected from that time on; one with `user_id` acts as this user.",
    headers: changeHeaders,
    query: nothing,
    body: newSubKey.optional(),
    responses: { 201: subKey, ...problems([...masterBodyErrors, "user_not_found", "key_limit_exceeded"]) },
    metadata: metadata({
      access: "master_key",
      user: "no",
      extension: false,
      examples: {
        requests: example("A key with a label, scopes and an expiry", newSubKeyExample),
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
      sdk: {
        example: `const { key } = await chat.keys.create();
await chat.keys.delete(key);`,
      },
      access: "master_key",
      user: "no",
      extension: false,
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
      user: "no",
      variantOf: "keys.delete",
      examples: deletionExamples,
    }),
  },
});

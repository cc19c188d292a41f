import * as z from "zod";
import { bodyErrors, problems } from "./errors";
import { kim } from "./examples/data";
import { userPathParams } from "./fields";
import { changeHeaders } from "./idempotency";
import { metaInput, metaKey } from "./meta";
import { example, metadata } from "./metadata";
import { c, nothing } from "./router";
import { text } from "./text";
import { user } from "./user";

export const metaChange = z
  .strictObject({ meta: metaInput.optional() })
  .meta({ id: "MetaChange", description: "The metadata pairs to add or change." });

export const metaDeletion = z
  .strictObject({ keys: z.array(text()).meta({ description: "The keys to delete." }) })
  .meta({ id: "MetaDeletion", description: "The metadata keys to delete." });

export const userMeta = c.router({
  merge: {
    method: "PUT",
    path: "/users/:user_id/meta",
    summary: "Add or change metadata of a user",
    description:
      "Merges the pairs into the user's metadata, all or nothing: the result may hold at most 10 pairs.",
    pathParams: userPathParams,
    headers: changeHeaders,
    query: nothing,
    body: metaChange.optional(),
    responses: { 200: user, ...problems([...bodyErrors, "user_not_found", "meta_limit_exceeded"]) },
    metadata: metadata({
      access: "any_key",
      user: "no",
      examples: {
        requests: example("One pair", { meta: { team: "blue" } }),
        responses: example("The updated user", kim),
      },
    }),
  },
  delete: {
    method: "DELETE",
    path: "/users/:user_id/meta",
    summary: "Delete metadata of a user",
    description: "Deletes the named keys. Keys that do not exist are ignored.",
    pathParams: userPathParams,
    headers: changeHeaders,
    query: nothing,
    body: metaDeletion,
    responses: { 200: user, ...problems([...bodyErrors, "user_not_found"]) },
    metadata: metadata({
      access: "any_key",
      user: "no",
      examples: {
        requests: example("Two keys; the second does not exist", { keys: ["team", "floor"] }),
        responses: example("The updated user", { ...kim, meta: {} }),
      },
    }),
  },
  deleteKey: {
    method: "DELETE",
    path: "/users/:user_id/meta/:key",
    summary: "Delete one metadata key of a user, without a body",
    description:
      "Does the same as deleting metadata with one key, for clients behind a proxy that drops the body of a DELETE. A key that does not exist is ignored.",
    pathParams: userPathParams.extend({ key: metaKey }),
    headers: changeHeaders,
    query: nothing,
    body: nothing.optional(),
    responses: { 200: user, ...problems([...bodyErrors, "user_not_found"]) },
    metadata: metadata({
      access: "any_key",
      user: "no",
      extension: true,
      variantOf: "users.meta.delete",
      examples: { responses: example("The updated user", { ...kim, meta: {} }) },
    }),
  },
});

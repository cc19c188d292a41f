import * as z from "zod";
import { bodyErrors, commonErrors, problems } from "./errors";
import { kim, park } from "./example-data";
import {
  cursor,
  nextCursor,
  pageSize,
  profileUrl,
  profileUrlInput,
  timestamp,
  userId,
  userName,
} from "./fields";
import { changeHeaders } from "./idempotency";
import { limits } from "./limits";
import { metaInput, metaKey, metaOutput } from "./meta";
import { example, metadata } from "./metadata";
import { c, nothing } from "./router";
import { text } from "./text";

export const user = z
  .object({
    user_id: z.string().meta({ description: "The id, set at creation.", examples: ["kim_01"] }),
    name: z.string().meta({ description: "The name, 1 to 80 characters.", examples: ["Kim"] }),
    profile_url: profileUrl,
    meta: metaOutput,
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "User", description: "A user of the application." });

export const userPage = z
  .object({ users: z.array(user).meta({ description: "The users, newest first." }), next: nextCursor })
  .meta({ id: "UserPage", description: "A page of users. `next` is present when a further page exists." });

const pathParams = z.object({ user_id: userId });

const meta = c.router({
  merge: {
    method: "PUT",
    path: "/users/:user_id/meta",
    summary: "Add or change metadata of a user",
    description:
      "Merges the pairs into the user's metadata, all or nothing: the result may hold at most 10 pairs.",
    pathParams,
    headers: changeHeaders,
    query: nothing,
    body: z
      .strictObject({ meta: metaInput.optional() })
      .meta({ id: "MetaChange", description: "The metadata pairs to add or change." })
      .optional(),
    responses: { 200: user, ...problems([...bodyErrors, "user_not_found", "meta_limit_exceeded"]) },
    metadata: metadata({
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
    pathParams,
    headers: changeHeaders,
    query: nothing,
    body: z
      .strictObject({ keys: z.array(text()).meta({ description: "The keys to delete." }) })
      .meta({ id: "MetaDeletion", description: "The metadata keys to delete." }),
    responses: { 200: user, ...problems([...bodyErrors, "user_not_found"]) },
    metadata: metadata({
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
    pathParams: z.object({ user_id: userId, key: metaKey }),
    headers: changeHeaders,
    query: nothing,
    body: nothing.optional(),
    responses: { 200: user, ...problems([...bodyErrors, "user_not_found"]) },
    metadata: metadata({
      extension: true,
      variantOf: "users.meta.delete",
      examples: { responses: example("The updated user", { ...kim, meta: {} }) },
    }),
  },
});

export const users = c.router({
  list: {
    method: "GET",
    path: "/users",
    summary: "List users",
    description:
      "Users, newest first. The response is `{users, next?}`. With `base_user_id` it is an array that begins with the user created just before that one. A server can be configured to respond to every list with an array.",
    query: z.strictObject({
      limit: pageSize(limits.userPage).optional(),
      name: userName.meta({ description: "Only users with exactly this name." }).optional(),
      next: cursor.optional(),
      base_user_id: userId
        .meta({ description: "Only users created before this one. The response is then an array." })
        .optional(),
    }),
    responses: {
      200: z.union([userPage, z.array(user)]),
      ...problems([...commonErrors, "invalid_cursor", "user_not_found"]),
    },
    metadata: metadata({
      examples: {
        query: { limit: "15" },
        responses: {
          page: {
            summary: "A page, with the cursor of the next one",
            value: { users: [park, kim], next: "eyJ2Ijox" },
          },
          array: { summary: "An array, for a request with `base_user_id`", value: [kim] },
        },
      },
    }),
  },
  get: {
    method: "GET",
    path: "/users/:user_id",
    summary: "Get a user",
    description: "The user with this id, including metadata.",
    pathParams,
    query: nothing,
    responses: { 200: user, ...problems([...commonErrors, "user_not_found"]) },
    metadata: metadata({ examples: { responses: example("The user", kim) } }),
  },
  create: {
    method: "POST",
    path: "/users",
    summary: "Create a user",
    description: "The application chooses the id, which never changes.",
    headers: changeHeaders,
    query: nothing,
    body: z
      .strictObject({
        user_id: userId,
        name: userName,
        profile_url: profileUrlInput.optional(),
        meta: metaInput.optional(),
      })
      .meta({ id: "NewUser", description: "A user to create." }),
    responses: { 201: user, ...problems([...bodyErrors, "user_exists"]) },
    metadata: metadata({
      idempotent: false,
      examples: {
        requests: example("A user with metadata", { user_id: "kim_01", name: "Kim", meta: { team: "blue" } }),
        responses: example("The new user", kim),
      },
    }),
  },
  update: {
    method: "PUT",
    path: "/users/:user_id",
    summary: "Update a user",
    description: "Sets the name. An omitted `profile_url` keeps its value; the empty string clears it.",
    pathParams,
    headers: changeHeaders,
    query: nothing,
    body: z
      .strictObject({ name: userName, profile_url: profileUrlInput.optional() })
      .meta({ id: "UserChange", description: "The new values of a user." }),
    responses: { 200: user, ...problems([...bodyErrors, "user_not_found"]) },
    metadata: metadata({
      examples: {
        requests: example("A new name; `profile_url` keeps its value", { name: "Kim" }),
        responses: example("The updated user", kim),
      },
    }),
  },
  delete: {
    method: "DELETE",
    path: "/users/:user_id",
    summary: "Delete a user",
    description:
      "Ends the user's memberships and manager roles. Messages stay, and exports continue to show the sender's last state. The id may be created again; it is then a different user.",
    pathParams,
    headers: changeHeaders,
    query: nothing,
    body: nothing.optional(),
    responses: { 200: c.noBody(), ...problems([...bodyErrors, "user_not_found"]) },
    metadata: metadata({ errorWhenRepeated: "user_not_found" }),
  },
  meta,
});

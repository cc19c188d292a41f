import * as z from "zod";
import { anyKey, anyKeyOnce } from "./access";
import { anyBody, anyOperation, refusals } from "./errors";
import { cursor, nextCursor, pageSize, profileUrlInput, timestamp, userId, userName } from "./fields";
import { changeHeaders } from "./idempotency";
import { limits } from "./limits";
import { metaInput, metaOutput } from "./meta";
import { c, nothing } from "./router";
import { text } from "./text";

export const user = z
  .object({
    user_id: z.string().meta({ examples: ["kim_01"] }),
    name: z.string().meta({ examples: ["Kim"] }),
    profile_url: z.string().optional().meta({ description: "Left out when there is none." }),
    meta: metaOutput,
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "User", description: "A user of the application." });

export const userPage = z
  .object({ users: z.array(user), next: nextCursor })
  .meta({ id: "UserPage", description: "A page of users. `next` is there when a further page exists." });

const pathParams = z.object({ user_id: userId });

export const users = c.router({
  list: {
    method: "GET",
    path: "/users",
    summary: "List users",
    description:
      "Users, newest first. Answers `{users, next?}`; with `base_user_id` it answers a bare array that begins with the user created just before that one. A server can be set to answer every list as a bare array.",
    query: z.strictObject({
      limit: pageSize(limits.userPage).optional(),
      name: userName.meta({ description: "Only users of exactly this name." }).optional(),
      next: cursor.optional(),
      base_user_id: userId
        .meta({ description: "Only users created before this one. The answer is then a bare array." })
        .optional(),
    }),
    responses: {
      200: z.union([userPage, z.array(user)]),
      ...refusals([...anyOperation, "invalid_cursor", "user_not_found"]),
    },
    metadata: anyKey,
  },
  get: {
    method: "GET",
    path: "/users/:user_id",
    summary: "Get a user",
    description: "The user of this id, metadata included.",
    pathParams,
    query: nothing,
    responses: { 200: user, ...refusals([...anyOperation, "user_not_found"]) },
    metadata: anyKey,
  },
  create: {
    method: "POST",
    path: "/users",
    summary: "Create a user",
    description:
      "The id is chosen by the caller and never changes. Metadata may be given at once or merged in later.",
    headers: changeHeaders,
    query: nothing,
    body: z.strictObject({
      user_id: userId,
      name: userName,
      profile_url: profileUrlInput.optional(),
      meta: metaInput.optional(),
    }),
    responses: { 201: user, ...refusals([...anyBody, "user_exists"]) },
    metadata: anyKeyOnce,
  },
  update: {
    method: "PUT",
    path: "/users/:user_id",
    summary: "Update a user",
    description: "Sets the name. `profile_url` is kept when left out and cleared by the empty string.",
    pathParams,
    headers: changeHeaders,
    query: nothing,
    body: z.strictObject({ name: userName, profile_url: profileUrlInput.optional() }),
    responses: { 200: user, ...refusals([...anyBody, "user_not_found"]) },
    metadata: anyKey,
  },
  delete: {
    method: "DELETE",
    path: "/users/:user_id",
    summary: "Delete a user",
    description:
      "Ends the user's memberships and manager roles. Messages stay, and exports go on showing their sender as it last was. The id may be created again: that is another person.",
    pathParams,
    headers: changeHeaders,
    query: nothing,
    body: nothing.optional(),
    responses: { 200: c.noBody(), ...refusals([...anyBody, "user_not_found"]) },
    metadata: anyKey,
  },
  mergeMeta: {
    method: "PUT",
    path: "/users/:user_id/meta",
    summary: "Add or change metadata of a user",
    description: "Merges the pairs into those of the user, all or nothing: the result may hold at most 10.",
    pathParams,
    headers: changeHeaders,
    query: nothing,
    body: z.strictObject({ meta: metaInput.optional() }).optional(),
    responses: { 200: user, ...refusals([...anyBody, "user_not_found", "meta_limit_exceeded"]) },
    metadata: anyKey,
  },
  deleteMeta: {
    method: "DELETE",
    path: "/users/:user_id/meta",
    summary: "Delete metadata of a user",
    description:
      "Deletes the named keys; a key that is not there is passed over. Where a proxy drops the body of a DELETE, `extensions.deleteMetaKey` deletes one key without a body.",
    pathParams,
    headers: changeHeaders,
    query: nothing,
    body: z.strictObject({ keys: z.array(text()).meta({ description: "The keys to delete." }) }),
    responses: { 200: user, ...refusals([...anyBody, "user_not_found"]) },
    metadata: anyKey,
  },
});

import * as z from "zod";
import { bodyErrors, commonErrors, problems } from "../../errors/errors";
import { kim, park } from "../../examples/data";
import { example, metadata } from "../../operation-metadata";
import { user, userPage } from "../../resources/user";
import { c, nothing } from "../../router";
import {
  cursor,
  idList,
  nameQuery,
  pageSize,
  profileUrlInput,
  userId,
  userName,
  userPathParams,
} from "../../rules/fields";
import { changeHeaders } from "../../rules/idempotency";
import { limits } from "../../rules/limits";
import { metaInput } from "../../rules/meta-fields";
import { userMeta } from "../meta-routes";
import { bansOfUsers, suspensions } from "../moderation/restrictions";
import { blocks } from "./blocks";
import { tokens } from "./tokens";

const newUser = z
  .strictObject({
    user_id: userId,
    name: userName,
    profile_url: profileUrlInput.optional(),
    meta: metaInput.optional(),
  })
  .meta({ id: "NewUser", description: "A user to create." });

const usersToUpsert = z
  .array(newUser)
  .min(limits.usersPerUpsert.min)
  .max(limits.usersPerUpsert.max)
  .superRefine((sent, context) => {
    const known = new Set<string>();
    for (const [index, { user_id: id }] of sent.entries())
      if (known.has(id))
        context.addIssue({
          code: "custom",
          path: [index, "user_id"],
          message: `The request has the user ${id} more than once.`,
        });
      else known.add(id);
  });

const upsertResults = z
  .object({
    results: z
      .array(
        z
          .object({
            user_id: z.string().meta({ description: "The user.", examples: ["kim_01"] }),
            result: z.enum(["created", "updated", "unchanged"]).optional().meta({
              description:
                "What happened to the user: `unchanged` if it had all these values already. Absent with a `code`.",
            }),
            code: z.enum(["meta_limit_exceeded"]).optional().meta({
              description:
                "Why the user was not changed: the code with which the operation for one user is rejected.",
            }),
          })
          .meta({
            id: "UpsertResult",
            description: "What happened to a user, or the code of the reason why it was not changed.",
          }),
      )
      .meta({ description: "One result for each user, in the order of the request." }),
  })
  .meta({ id: "UpsertResults", description: "The results of creating or updating several users." });

export const users = c.router({
  list: {
    method: "GET",
    path: "/users",
    summary: "List users",
    description:
      "Users, newest first; with `q` or `name_prefix` by name, with `user_ids` in their order. With `q`, a page may have fewer users than `limit`, or none, and still a `next`. The response is `{users, next?}`. With `base_user_id` it is an array that begins with the user created just before that one. A server can be configured to respond to every list with an array.",
    query: z.strictObject({
      limit: pageSize(limits.userPage).optional(),
      name: userName.meta({ description: "Only users with exactly this name." }).optional(),
      name_prefix: userName
        .meta({
          description:
            "Only users whose name begins with this text (case-sensitive), ordered by name (code points), then oldest first.",
        })
        .optional(),
      q: nameQuery("users").optional(),
      user_ids: idList(userId, "users").optional(),
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
      sdk: {
        query: "UserFilter",
        description:
          "Users, newest first; with `q` or `name_prefix` by name, with `user_ids` in their order. With `q`, a page may have fewer users than `pageSize`, or none, and still a `nextCursor`.",
        example: 'for await (const user of chat.users.list({ name: "Kim" })) console.log(user.user_id);',
      },
      access: "any_key",
      user: "no",
      extension: false,
      hasEmptyPages: true,
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
    pathParams: userPathParams,
    query: nothing,
    responses: { 200: user, ...problems([...commonErrors, "user_not_found"]) },
    metadata: metadata({
      access: "any_key",
      user: "self",
      extension: false,
      examples: { responses: example("The user", kim) },
    }),
  },
  create: {
    method: "POST",
    path: "/users",
    summary: "Create a user",
    description: "The application chooses the id, which never changes.",
    headers: changeHeaders,
    query: nothing,
    body: newUser,
    responses: { 201: user, ...problems([...bodyErrors, "user_exists"]) },
    metadata: metadata({
      access: "any_key",
      user: "no",
      extension: false,
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
    pathParams: userPathParams,
    headers: changeHeaders,
    query: nothing,
    body: z
      .strictObject({ name: userName, profile_url: profileUrlInput.optional() })
      .meta({ id: "UserChange", description: "The new values of a user." }),
    responses: { 200: user, ...problems([...bodyErrors, "user_not_found"]) },
    metadata: metadata({
      access: "any_key",
      user: "no",
      extension: false,
      examples: {
        requests: example("A new name; `profile_url` keeps its value", { name: "Kim" }),
        responses: example("The updated user", kim),
      },
    }),
  },
  upsertMany: {
    method: "PUT",
    path: "/users",
    summary: "Create or update several users",
    description:
      "To sync the users of an application. A user that does not exist is created. For an existing user, the name is set, an omitted `profile_url` keeps its value and an empty string clears it, and the metadata is merged. A user without changes is not written, and has no event. Each user is independent: one whose metadata would have more than 10 pairs gets the code `meta_limit_exceeded`, and the others are stored. The response is 200 in both cases. Suspensions do not change. One `Idempotency-Key` covers all users.",
    headers: changeHeaders,
    query: nothing,
    body: z
      .strictObject({
        users: usersToUpsert.meta({
          description: `The users, ${limits.usersPerUpsert.min} to ${limits.usersPerUpsert.max}, each of them once.`,
        }),
      })
      .meta({ id: "UsersToUpsert", description: "Users to create or update." }),
    responses: { 200: upsertResults, ...problems(bodyErrors) },
    metadata: metadata({
      sdk: {
        example:
          'for await (const { user_id, result } of chat.users.upsertMany([{ user_id: "kim_01", name: "Kim" }])) console.log(user_id, result);',
      },
      access: "any_key",
      user: "no",
      // 100 users with metadata exceed the limit of other operations.
      maxBodyBytes: limits.importBodyBytes,
      examples: {
        requests: example("Two users, one of whom exists", {
          users: [
            { user_id: "kim_01", name: "Kim", meta: { team: "blue" } },
            { user_id: "park_03", name: "Park" },
          ],
        }),
        responses: example("The first user was created, the second one is as it was", {
          results: [
            { user_id: "kim_01", result: "created" },
            { user_id: "park_03", result: "unchanged" },
          ],
        }),
      },
    }),
  },
  delete: {
    method: "DELETE",
    path: "/users/:user_id",
    summary: "Delete a user",
    description:
      "Ends the user's memberships and manager roles. Messages stay, and exports continue to show the sender's last state. The id may be created again; it is then a different user.",
    pathParams: userPathParams,
    headers: changeHeaders,
    query: nothing,
    body: nothing.optional(),
    responses: { 200: c.noBody(), ...problems([...bodyErrors, "user_not_found"]) },
    metadata: metadata({ access: "any_key", user: "no", extension: false }),
  },
  ...suspensions,
  ...bansOfUsers,
  ...tokens,
  meta: userMeta,
  blocks,
});

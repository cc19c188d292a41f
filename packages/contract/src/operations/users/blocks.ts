import * as z from "zod";
import { bodyErrors, commonErrors, problems } from "../../errors/errors";
import { block as blockExample } from "../../examples/data";
import { example, metadata } from "../../operation-metadata";
import { user } from "../../resources/user";
import { c, nothing } from "../../router";
import { cursor, nextCursor, pageSize, timestamp, userId, userPathParams } from "../../rules/fields";
import { changeHeaders } from "../../rules/idempotency";
import { limits } from "../../rules/limits";

const block = z
  .object({ user: user.meta({ description: "The user who is blocked." }), created_at: timestamp })
  .meta({ id: "Block", description: "A user whom another user has blocked." });

const blockPath = "/users/:user_id/blocks/:blocked_user_id";

const blockPathParams = userPathParams.extend({
  blocked_user_id: userId.meta({ description: "The user who is blocked.", examples: ["park_03"] }),
});

/** The server responds with it: a schema of the path does not compare two parameters. */
export const ownBlockRule = "Must be another user.";

/** The operations on the users whom a user has blocked. */
export const blocks = c.router({
  list: {
    method: "GET",
    path: "/users/:user_id/blocks",
    summary: "List the users whom a user has blocked",
    description:
      "The newest block first. Nobody learns who has blocked whom but the user itself and the application.",
    pathParams: userPathParams,
    query: z.strictObject({ limit: pageSize(limits.blockPage).optional(), next: cursor.optional() }),
    responses: {
      200: z
        .object({
          blocks: z.array(block).meta({ description: "The blocks, newest first." }),
          next: nextCursor,
        })
        .meta({
          id: "BlockPage",
          description: "A page of blocks. `next` is present when there is another page.",
        }),
      ...problems([...commonErrors, "invalid_cursor", "user_not_found"]),
    },
    metadata: metadata({
      access: "any_key",
      user: "self",
      examples: {
        query: { limit: "30" },
        responses: example("The last page", { blocks: [blockExample] }),
      },
    }),
  },
  add: {
    method: "PUT",
    path: blockPath,
    summary: "Block a user",
    description: `In a channel in which only these two were ever participants, and nobody a manager, new messages, edits, reactions, files and signals of both are rejected with \`user_blocked\`, also with a key of the application; system messages are not. In every other channel, messages of the blocked user are stored and listed, but do not count as unread for the one who blocked, and mention nobody; signals and appends do not reach its streams. Blocking twice changes nothing. A user blocks at most ${limits.blocksPerUser.toLocaleString("en-US")} others.`,
    pathParams: blockPathParams,
    headers: changeHeaders,
    query: nothing,
    body: nothing.optional(),
    responses: {
      200: c.noBody(),
      ...problems([...bodyErrors, "user_not_found", "block_limit_exceeded"]),
    },
    metadata: metadata({ access: "any_key", user: "self", auditedFrom: "all" }),
  },
  remove: {
    method: "DELETE",
    path: blockPath,
    summary: "End a block",
    description: "Messages of the other user count again, old ones too. Without a block, nothing changes.",
    pathParams: blockPathParams,
    headers: changeHeaders,
    query: nothing,
    body: nothing.optional(),
    responses: { 200: c.noBody(), ...problems([...bodyErrors, "user_not_found"]) },
    metadata: metadata({ access: "any_key", user: "self", auditedFrom: "all" }),
  },
});

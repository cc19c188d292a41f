import * as z from "zod";
import { bodyErrors, problems, unkeyedBodyErrors } from "../../errors/errors";
import { userToken as userTokenExample } from "../../examples/data";
import { example, metadata } from "../../operation-metadata";
import { c, nothing } from "../../router";
import { timestamp, userPathParams } from "../../rules/fields";
import { changeHeaders } from "../../rules/idempotency";
import { limits } from "../../rules/limits";

const { min, max, default: defaultSeconds } = limits.tokenSeconds;
const lifetimeRule = `Must be a whole number of seconds from ${min} to ${max}.`;

const userToken = z
  .object({
    token: z.string().meta({
      description: "The token, for `Authorization: Bearer <token>`.",
      format: "password",
      examples: ["ut_…"],
    }),
    expires_at: timestamp.meta({ description: "When the token expires." }),
  })
  .meta({ id: "UserToken", description: "A token with which a page or an app acts as a user." });

/** The operations of `users` on their tokens. */
export const tokens = c.router({
  createToken: {
    method: "POST",
    path: "/users/:user_id/tokens",
    summary: "Create a token of a user",
    description:
      "For the browser or the app of the person who is signed in to the application: a request with the token acts as this user and has the rights of the user alone. The token ends with its time, with the key that created it, with `users.revokeTokens` and with the deletion of the user. Nothing is stored for it, so an `Idempotency-Key` has no effect.",
    pathParams: userPathParams,
    headers: changeHeaders,
    query: nothing,
    body: z
      .strictObject({
        expires_in: z
          .int(lifetimeRule)
          .min(min, lifetimeRule)
          .max(max, lifetimeRule)
          .optional()
          .meta({
            description: `After how many seconds the token expires: ${min} to ${max.toLocaleString("en-US")}, default ${defaultSeconds.toLocaleString("en-US")}.`,
            examples: [defaultSeconds],
          }),
      })
      .optional()
      .meta({ id: "NewToken", description: "How long a token lives." }),
    responses: { 201: userToken, ...problems([...unkeyedBodyErrors, "user_not_found"]) },
    metadata: metadata({
      access: "any_key",
      user: "no",
      auditedFrom: "all",
      examples: {
        requests: example("For an hour", { expires_in: defaultSeconds }),
        responses: example("The new token", userTokenExample),
      },
    }),
  },
  revokeTokens: {
    method: "DELETE",
    path: "/users/:user_id/tokens",
    summary: "Revoke the tokens of a user",
    description:
      "Every server process rejects all tokens that were created for the user so far within one second, and ends their streams. Keys of the user keep working.",
    pathParams: userPathParams,
    headers: changeHeaders,
    query: nothing,
    body: nothing.optional(),
    responses: { 200: c.noBody(), ...problems([...bodyErrors, "user_not_found"]) },
    metadata: metadata({ access: "any_key", user: "no" }),
  },
});

import { valueCases } from "../cases/value-cases";
import { kim } from "../fixtures";
import type { Interaction, Interactions, InteractionsByOperation } from "../interaction";
import { requestTime } from "../world";

const params = { user_id: "kim_01" };
const created = (seconds: number) => ({
  status: 201,
  body: { token: "ut_new", expires_at: requestTime + seconds * 1_000 },
});

const withLifetime = {
  given: { users: [kim] },
  request: { params, body: { expires_in: 60 } },
  response: created(60),
} satisfies Interaction;

const createToken = {
  "creates a token for an hour": { given: { users: [kim] }, request: { params }, response: created(3_600) },
  "creates a token for an empty object": {
    given: { users: [kim] },
    request: { params, body: {} },
    response: created(3_600),
  },
  "creates a token for a minute": withLifetime,
  "creates a token for a day": {
    given: { users: [kim] },
    request: { params, body: { expires_in: 86_400 } },
    response: created(86_400),
  },
  "creates a token for a suspended user": {
    given: { users: [kim], suspendedUsers: ["kim_01"] },
    request: { params },
    response: created(3_600),
  },
  ...valueCases(withLifetime, "body", "expires_in", {
    rejects: {
      "of 59 seconds": 59,
      "of more than a day": 86_401,
      "with a fraction": 60.5,
      negative: -60,
      "set to null": null,
      "set to a string": "60",
    },
  }),
} satisfies Interactions;

export const tokens = {
  "users.createToken": createToken,
  "users.revokeTokens": {
    "revokes the tokens": { given: { users: [kim] }, request: { params }, response: { status: 200 } },
  },
} satisfies InteractionsByOperation;

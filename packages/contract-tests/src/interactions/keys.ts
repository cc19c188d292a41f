import type { Interaction, InteractionsByOperation } from "../interaction";
import { invalid, refusal } from "../refusal";
import { bodyRules, requestRules, requiredRules } from "../request-rules";
import { deletedSubKey, existingSubKey } from "../stand-ins";
import { rule } from "../variants";
import { requestTime, worldTime } from "../world";

const listed = (count: number): Interaction => ({
  given: { subKeys: count },
  response: {
    status: 200,
    body: Array.from({ length: count }, () => ({ key: "sk_one", created_at: worldTime })),
  },
});
const created: Interaction = {
  response: { status: 201, body: { key: "sk_new", created_at: requestTime } },
};
const deleted: Interaction = {
  given: { subKeys: 1 },
  request: { body: { key: existingSubKey } },
  response: { status: 200 },
};
const unknownKey = refusal(404, "key_not_found");

const revokedKey: Interaction = {
  given: { subKeys: 1 },
  request: { body: { key: existingSubKey } },
  response: { status: 200 },
};

export const keys = {
  "keys.list": {
    "answers no keys": listed(0),
    "answers the keys": listed(2),
    "answers 10 keys": listed(10),
    ...requestRules(listed(1), "master_key"),
  },

  "keys.create": {
    "creates a key": created,
    "creates a key for an empty object": { ...created, request: { body: {} } },
    "creates the tenth key": { ...created, given: { subKeys: 9 } },
    "refuses the eleventh key": { given: { subKeys: 10 }, response: refusal(409, "key_limit_exceeded") },
    ...bodyRules(created),
    ...requestRules(created, "master_key"),
  },

  "keys.delete": {
    "deletes the key": deleted,
    "refuses to delete a key twice": {
      given: { hadSubKey: true },
      request: { body: { key: deletedSubKey } },
      response: unknownKey,
    },
    "refuses a key that never was": { request: { body: { key: "sk_0123456789" } }, response: unknownKey },
    "refuses an empty key": { request: { body: { key: "" } }, response: unknownKey },
    ...rule(
      "body",
      "key",
      {
        accepts: {},
        refuses: {
          "that is a number": 1,
          "that is null": null,
          "with a NUL": "sk_\0",
          "with a lone surrogate": "sk_\ud83d",
        },
      },
      (key) => ({ ...deleted, request: { body: { key } } }),
    ),
    ...requiredRules(deleted, ["key"]),
    ...bodyRules({ request: { body: { key: "sk_0123456789" } }, response: unknownKey }),
    ...requestRules(deleted, "master_key"),
    "refuses a key in the query": {
      request: { query: { key: "sk_0123456789" }, body: { key: "sk_0123456789" } },
      response: invalid("query", "key"),
    },
  },

  "keys.revoke": {
    "deletes the key": revokedKey,
    "refuses to delete a key twice": {
      given: { hadSubKey: true },
      request: { body: { key: deletedSubKey } },
      response: refusal(404, "key_not_found"),
    },
    "refuses a key with a NUL": { request: { body: { key: "sk_\0" } }, response: invalid("body", "key") },
    ...requiredRules(revokedKey, ["key"]),
    ...bodyRules({
      request: { body: { key: "sk_0123456789" } },
      response: refusal(404, "key_not_found"),
    }),
    ...requestRules(revokedKey, "master_key"),
  },
} satisfies InteractionsByOperation;

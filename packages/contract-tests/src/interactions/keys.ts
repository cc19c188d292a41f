import { requiredFieldCases } from "../cases/body-cases";
import { valueCases } from "../cases/value-cases";
import type { Interaction, Interactions, InteractionsByOperation } from "../interaction";
import { deletedSubKey, subKey } from "../placeholders";
import { invalid, problem } from "../problem";
import { requestTime, worldTime } from "../world";

const listedKey = { key: "sk_one", key_id: "key_one", created_at: worldTime };
const createdKey = { key: "sk_new", key_id: "key_new", created_at: requestTime };
const creation = {
  request: { body: { label: "billing", expires_at: requestTime + 1 } },
  response: { status: 201, body: { ...createdKey, label: "billing", expires_at: requestTime + 1 } },
} satisfies Interaction;

/** `keys.delete` and `keys.revoke` differ only in method and path. */
const remove = {
  "deletes the key": { given: { subKeys: 1 }, request: { body: { key: subKey } }, response: { status: 200 } },
  "rejects a key that was already deleted": {
    given: { deletedSubKey: true },
    request: { body: { key: deletedSubKey } },
    response: problem(404, "key_not_found"),
  },
  "rejects a key that does not exist": {
    request: { body: { key: "sk_0123456789" } },
    response: problem(404, "key_not_found"),
  },
  "rejects an empty key": { request: { body: { key: "" } }, response: problem(404, "key_not_found") },
  // Only a key without a placeholder has a known size.
  "accepts a body of 1 MB": {
    request: {
      raw: '{"key":"sk_0123456789"}'.padEnd(1_048_576),
      headers: { "content-type": "application/json" },
    },
    response: problem(404, "key_not_found"),
  },
  "rejects a key in the query": {
    request: { query: { key: "sk_0123456789" }, body: { key: "sk_0123456789" } },
    response: invalid("query", "key"),
  },
} satisfies Interactions;

const removeCases = {
  ...remove,
  ...valueCases(remove["deletes the key"], "body", "key", {
    rejects: {
      "set to a number": 1,
      "set to null": null,
      "with a NUL": "sk_\0",
      "with a lone surrogate": "sk_\ud83d",
    },
  }),
  ...requiredFieldCases(remove["rejects a key that does not exist"], ["key"]),
};

const scopes = ["read", "messages.send", "channels.members.*"];
const scopedCreation = {
  request: { body: { scopes } },
  response: { status: 201, body: { ...createdKey, scopes } },
} satisfies Interaction;

export const keys = {
  "keys.self": {
    "describes the master key": { response: { status: 200, body: { kind: "master" } } },
    "describes a sub key": {
      given: { subKeys: 1, scopes },
      request: { key: "sub" },
      response: { status: 200, body: { kind: "sub", key_id: listedKey.key_id, scopes } },
    },
    "describes a sub key without scopes": {
      given: { subKeys: 1 },
      request: { key: "sub" },
      response: { status: 200, body: { kind: "sub", key_id: listedKey.key_id } },
    },
  },
  "keys.list": {
    "responds with the keys": {
      given: { subKeys: 2 },
      response: { status: 200, body: [listedKey, listedKey] },
    },
    "responds with an empty list": { response: { status: 200, body: [] } },
    "responds with 10 keys": {
      given: { subKeys: 10 },
      response: { status: 200, body: Array(10).fill(listedKey) },
    },
  },
  "keys.create": {
    "creates a key": { response: { status: 201, body: createdKey } },
    "creates a key for an empty object": {
      request: { body: {} },
      response: { status: 201, body: createdKey },
    },
    "creates a key with a label and an expiry": creation,
    "creates a key with a label": {
      request: { body: { label: "billing" } },
      response: { status: 201, body: { ...createdKey, label: "billing" } },
    },
    "rejects a user who does not exist": {
      request: { body: { user_id: "nobody_99" } },
      response: problem(404, "user_not_found"),
    },
    "rejects a key that expires now": {
      request: { body: { expires_at: requestTime } },
      response: invalid("body", "expires_at"),
    },
    ...valueCases(creation, "body", "label", {
      accepts: { "of 1 character": "b", "of 80 characters": "😀".repeat(80), "in Hangul": "정산" },
      rejects: {
        empty: "",
        "of 81 characters": "b".repeat(81),
        "set to null": null,
        "set to a number": 1,
        "with a NUL": "b\0",
        "with a line break": "b\nb",
        "with a change of direction": "b\u202e",
        "with a lone surrogate": "b\ud83d",
      },
    }),
    ...valueCases(creation, "body", "expires_at", {
      rejects: {
        "in the past": worldTime,
        "with a fraction": requestTime + 0.5,
        negative: -1,
        "set to null": null,
        "set to a string": "2099-01-01",
      },
    }),
    "creates a key with scopes": scopedCreation,
    "creates a key with a scope that is sent twice": {
      request: { body: { scopes: ["read", "messages.send", "read"] } },
      response: { status: 201, body: { ...createdKey, scopes: ["read", "messages.send"] } },
    },
    "creates a key with 20 scopes": {
      request: { body: { scopes: Array(20).fill("read") } },
      response: { status: 201, body: { ...createdKey, scopes: ["read"] } },
    },
    ...valueCases(scopedCreation, "body", "scopes", {
      rejects: {
        empty: [],
        "of 21 scopes": Array(21).fill("read"),
        "set to null": null,
        "set to a string": "read",
      },
    }),
    ...valueCases(scopedCreation, "body", "scopes.0", {
      rejects: {
        empty: "",
        unknown: "messages.sned",
        "that names an unknown group": "rooms.*",
        "that names everything": "*",
        "that names a group without a dot": "messages*",
        "in another case": "Read",
        "that requires the master key": "keys.create",
        "that names a group that requires the master key": "webhooks.*",
        "that names a variant": "users.meta.deleteKey",
        "of an operation that needs no scope": "keys.self",
        "set to a number": 1,
        "with a NUL": "read\0",
      },
    }),
    "creates the tenth key": {
      given: { subKeys: 9 },
      response: { status: 201, body: createdKey },
    },
    "rejects the eleventh key": { given: { subKeys: 10 }, response: problem(409, "key_limit_exceeded") },
  },
  "keys.delete": removeCases,
  "keys.revoke": removeCases,
} satisfies InteractionsByOperation;

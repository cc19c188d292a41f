import { requiredFieldCases } from "../cases/body-cases";
import { metaCases, pairs } from "../cases/meta-cases";
import { valueCases } from "../cases/value-cases";
import { kim, lee, presentUser } from "../fixtures";
import type { Interactions, InteractionsByOperation } from "../interaction";
import { problem } from "../problem";
import { requestTime } from "../world";

/** Kim after a request that changed the metadata. */
const changedKim = { ...presentUser(kim), updated_at: requestTime };
/** Lee, whose metadata is `{ team: "blue" }`, after a request that changed it. */
const changedLee = { ...presentUser(lee), updated_at: requestTime };

const merge = {
  "adds the first pair": {
    given: { users: [kim] },
    request: { params: { user_id: "kim_01" }, body: { meta: { team: "blue" } } },
    response: { status: 200, body: { ...changedKim, meta: { team: "blue" } } },
  },
  "adds a pair and keeps the others": {
    given: { users: [lee] },
    request: { params: { user_id: "lee_02" }, body: { meta: { age: "ten" } } },
    response: { status: 200, body: { ...changedLee, meta: { team: "blue", age: "ten" } } },
  },
  "changes the value of a key": {
    given: { users: [lee] },
    request: { params: { user_id: "lee_02" }, body: { meta: { team: "red" } } },
    response: { status: 200, body: { ...changedLee, meta: { team: "red" } } },
  },
  "changes nothing without meta": {
    given: { users: [lee] },
    request: { params: { user_id: "lee_02" }, body: {} },
    response: { status: 200, body: presentUser(lee) },
  },
  "changes nothing without a body": {
    given: { users: [lee] },
    request: { params: { user_id: "lee_02" } },
    response: { status: 200, body: presentUser(lee) },
  },
  "accepts the tenth pair": {
    given: { users: [{ ...kim, meta: pairs(9) }] },
    request: { params: { user_id: "kim_01" }, body: { meta: { tenth: "v" } } },
    response: { status: 200, body: { ...changedKim, meta: { ...pairs(9), tenth: "v" } } },
  },
  "accepts new values for ten keys": {
    given: { users: [{ ...kim, meta: pairs(10) }] },
    request: { params: { user_id: "kim_01" }, body: { meta: pairs(10, "new") } },
    response: { status: 200, body: { ...changedKim, meta: pairs(10, "new") } },
  },
  "rejects the eleventh pair and merges nothing": {
    given: { users: [{ ...kim, meta: pairs(10) }] },
    request: { params: { user_id: "kim_01" }, body: { meta: { "key-a": "new", eleventh: "v" } } },
    response: problem(409, "meta_limit_exceeded"),
  },
} satisfies Interactions;

const remove = {
  "deletes the named keys": {
    given: { users: [{ ...kim, meta: { team: "blue", floor: "two", age: "ten" } }] },
    request: { params: { user_id: "kim_01" }, body: { keys: ["team", "floor"] } },
    response: { status: 200, body: { ...changedKim, meta: { age: "ten" } } },
  },
  "ignores keys that do not exist": {
    given: { users: [lee] },
    request: { params: { user_id: "lee_02" }, body: { keys: ["other", "with space", "👻"] } },
    response: { status: 200, body: presentUser(lee) },
  },
  "deletes keys that are names of object members": {
    given: { users: [{ ...kim, meta: { ["__proto__"]: "v", constructor: "v", kept: "v" } }] },
    request: { params: { user_id: "kim_01" }, body: { keys: ["__proto__", "constructor", "toString"] } },
    response: { status: 200, body: { ...changedKim, meta: { kept: "v" } } },
  },
  "changes nothing for an empty list": {
    given: { users: [lee] },
    request: { params: { user_id: "lee_02" }, body: { keys: [] } },
    response: { status: 200, body: presentUser(lee) },
  },
  "accepts a key given twice": {
    given: { users: [lee] },
    request: { params: { user_id: "lee_02" }, body: { keys: ["team", "team"] } },
    response: { status: 200, body: { ...changedLee, meta: {} } },
  },
} satisfies Interactions;

const removeKey = {
  "deletes the key": {
    given: { users: [{ ...kim, meta: { team: "blue", floor: "two" } }] },
    request: { params: { user_id: "kim_01", key: "team" } },
    response: { status: 200, body: { ...changedKim, meta: { floor: "two" } } },
  },
  "ignores a key that does not exist": {
    given: { users: [lee] },
    request: { params: { user_id: "lee_02", key: "other" } },
    response: { status: 200, body: presentUser(lee) },
  },
} satisfies Interactions;

export const usersMeta = {
  "users.meta.merge": {
    ...merge,
    ...metaCases(merge["adds the first pair"]),
    // Nothing changes, so `updated_at` is the same.
    "accepts meta that is empty": {
      given: { users: [kim] },
      request: { params: { user_id: "kim_01" }, body: { meta: {} } },
      response: { status: 200, body: presentUser(kim) },
    },
  },
  "users.meta.delete": {
    ...remove,
    ...valueCases(remove["deletes the named keys"], "body", "keys", {
      rejects: { "set to a string": "team", "set to null": null, "set to an object": {} },
    }),
    ...valueCases(remove["deletes the named keys"], "body", "keys.1", {
      rejects: { "set to a number": 1, "with a NUL": "a\0", "with a lone surrogate": "a\ud83d" },
    }),
    ...requiredFieldCases(remove["deletes the named keys"], ["keys"]),
  },
  "users.meta.deleteKey": {
    ...removeKey,
    ...valueCases(removeKey["deletes the key"], "path", "key", {
      accepts: {
        "of Hangul": "한글",
        "of 100 bytes": "k".repeat(100),
        "that is the name of an object member": "__proto__",
      },
      rejects: { "with a digit": "key1", "with a slash": "a/b", "of 101 bytes": "k".repeat(101) },
    }),
  },
} satisfies InteractionsByOperation;

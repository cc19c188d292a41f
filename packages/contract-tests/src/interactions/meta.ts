import { requiredFieldCases } from "../cases/body-cases";
import { metaCases, pairs } from "../cases/meta-cases";
import { valueCases } from "../cases/value-cases";
import { kim, lunch, presentChannel, presentUser } from "../fixtures";
import type { Interactions, InteractionsByOperation } from "../interaction";
import { problem } from "../problem";
import { requestTime, type World } from "../world";

type Meta = Readonly<Record<string, string>>;

/** A user or a channel. */
interface Target {
  readonly params: Readonly<Record<string, string>>;
  readonly given: (meta: Meta) => World;
  readonly present: (meta: Meta) => object;
}

function metaInteractions({ params, given, present }: Target) {
  const changed = (meta: Meta) => ({ ...present(meta), updated_at: requestTime });
  const merge = {
    "adds the first pair": {
      given: given({}),
      request: { params, body: { meta: { team: "blue" } } },
      response: { status: 200, body: changed({ team: "blue" }) },
    },
    "adds a pair and keeps the others": {
      given: given({ team: "blue" }),
      request: { params, body: { meta: { age: "ten" } } },
      response: { status: 200, body: changed({ team: "blue", age: "ten" }) },
    },
    "changes the value of a key": {
      given: given({ team: "blue" }),
      request: { params, body: { meta: { team: "red" } } },
      response: { status: 200, body: changed({ team: "red" }) },
    },
    "changes nothing without meta": {
      given: given({ team: "blue" }),
      request: { params, body: {} },
      response: { status: 200, body: present({ team: "blue" }) },
    },
    "changes nothing without a body": {
      given: given({ team: "blue" }),
      request: { params },
      response: { status: 200, body: present({ team: "blue" }) },
    },
    "accepts the tenth pair": {
      given: given(pairs(9)),
      request: { params, body: { meta: { tenth: "v" } } },
      response: { status: 200, body: changed({ ...pairs(9), tenth: "v" }) },
    },
    "accepts new values for ten keys": {
      given: given(pairs(10)),
      request: { params, body: { meta: pairs(10, "new") } },
      response: { status: 200, body: changed(pairs(10, "new")) },
    },
    "rejects the eleventh pair and merges nothing": {
      given: given(pairs(10)),
      request: { params, body: { meta: { "key-a": "new", eleventh: "v" } } },
      response: problem(409, "meta_limit_exceeded"),
    },
  } satisfies Interactions;

  const remove = {
    "deletes the named keys": {
      given: given({ team: "blue", floor: "two", age: "ten" }),
      request: { params, body: { keys: ["team", "floor"] } },
      response: { status: 200, body: changed({ age: "ten" }) },
    },
    "ignores keys that do not exist": {
      given: given({ team: "blue" }),
      request: { params, body: { keys: ["other", "with space", "👻"] } },
      response: { status: 200, body: present({ team: "blue" }) },
    },
    "deletes keys that are names of object members": {
      given: given({ ["__proto__"]: "v", constructor: "v", kept: "v" }),
      request: { params, body: { keys: ["__proto__", "constructor", "toString"] } },
      response: { status: 200, body: changed({ kept: "v" }) },
    },
    "changes nothing for an empty list": {
      given: given({ team: "blue" }),
      request: { params, body: { keys: [] } },
      response: { status: 200, body: present({ team: "blue" }) },
    },
    "accepts a key given twice": {
      given: given({ team: "blue" }),
      request: { params, body: { keys: ["team", "team"] } },
      response: { status: 200, body: changed({}) },
    },
  } satisfies Interactions;

  const removeKey = {
    "deletes the key": {
      given: given({ team: "blue", floor: "two" }),
      request: { params: { ...params, key: "team" } },
      response: { status: 200, body: changed({ floor: "two" }) },
    },
    "ignores a key that does not exist": {
      given: given({ team: "blue" }),
      request: { params: { ...params, key: "other" } },
      response: { status: 200, body: present({ team: "blue" }) },
    },
  } satisfies Interactions;

  return {
    merge: {
      ...merge,
      ...metaCases(merge["adds the first pair"]),
      // Nothing changes, so `updated_at` is the same.
      "accepts meta that is empty": {
        given: given({}),
        request: { params, body: { meta: {} } },
        response: { status: 200, body: present({}) },
      },
    },
    delete: {
      ...remove,
      ...valueCases(remove["deletes the named keys"], "body", "keys", {
        rejects: { "set to a string": "team", "set to null": null, "set to an object": {} },
      }),
      ...valueCases(remove["deletes the named keys"], "body", "keys.1", {
        rejects: { "set to a number": 1, "with a NUL": "a\0", "with a lone surrogate": "a\ud83d" },
      }),
      ...requiredFieldCases(remove["deletes the named keys"], ["keys"]),
    },
    deleteKey: {
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
  } satisfies Readonly<Record<string, Interactions>>;
}

const ofUser = metaInteractions({
  params: { user_id: "kim_01" },
  given: (meta) => ({ users: [{ ...kim, meta }] }),
  present: (meta) => ({ ...presentUser(kim), meta }),
});

const ofChannel = metaInteractions({
  params: { channel_id: "room_1" },
  given: (meta) => ({ channels: [{ ...lunch, meta }] }),
  present: (meta) => ({ ...presentChannel(lunch), meta }),
});

export const meta = {
  "users.meta.merge": ofUser.merge,
  "users.meta.delete": ofUser.delete,
  "users.meta.deleteKey": ofUser.deleteKey,
  "channels.meta.merge": ofChannel.merge,
  "channels.meta.delete": ofChannel.delete,
  "channels.meta.deleteKey": ofChannel.deleteKey,
} satisfies InteractionsByOperation;

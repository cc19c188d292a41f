import type { Interaction, InteractionsByOperation } from "../interaction";
import { metaRule, pairs } from "../meta-rule";
import { kim, lee, presentUser } from "../people";
import { refusal } from "../refusal";
import { bodyRules, requestRules, requiredRules } from "../request-rules";
import { idRule } from "../text-rules";
import { rule } from "../variants";
import { type NewUser, requestTime } from "../world";

const unknownUser = refusal(404, "user_not_found");
const got = (user: NewUser): Interaction => ({
  given: { users: [user] },
  request: { params: { user_id: user.user_id } },
  response: { status: 200, body: presentUser(user) },
});

const update = (user: NewUser, body: unknown, stored: NewUser): Interaction => ({
  given: { users: [user] },
  request: { params: { user_id: user.user_id }, body },
  response: { status: 200, body: presentUser(stored, { updated_at: requestTime }) },
});
const merged = update(lee, { meta: { age: "ten" } }, { ...lee, meta: { team: "blue", age: "ten" } });
const withoutTeam = update(lee, { keys: ["team"] }, { ...lee, meta: {} });

const asNobody = ({ request }: Interaction): Interaction => ({
  request: { ...request, params: { user_id: "nobody" } },
  response: unknownUser,
});

type Meta = NonNullable<NewUser["meta"]>;

const deletedKey = (key: string, before: Meta, after: Meta, user = kim): Interaction => ({
  given: { users: [{ ...user, meta: before }] },
  request: { params: { user_id: user.user_id, key } },
  response: { status: 200, body: presentUser({ ...user, meta: after }, { updated_at: requestTime }) },
});

export const userMeta = {
  "users.meta.merge": {
    "adds a pair and keeps the others": merged,
    "changes the value of a key": update(lee, { meta: { team: "red" } }, { ...lee, meta: { team: "red" } }),
    "changes nothing without meta": {
      ...merged,
      request: { params: { user_id: lee.user_id }, body: {} },
      response: got(lee).response,
    },
    "changes nothing without a body": {
      ...merged,
      request: { params: { user_id: lee.user_id } },
      response: got(lee).response,
    },
    "accepts the tenth pair": update(
      { ...kim, meta: pairs(9) },
      { meta: { tenth: "v" } },
      { ...kim, meta: { ...pairs(9), tenth: "v" } },
    ),
    "accepts ten new values for ten keys": update(
      { ...kim, meta: pairs(10) },
      { meta: pairs(10, "new") },
      { ...kim, meta: pairs(10, "new") },
    ),
    "refuses the eleventh pair, and merges nothing": {
      given: { users: [{ ...kim, meta: pairs(10) }] },
      request: { params: { user_id: kim.user_id }, body: { meta: { "key-a": "new", eleventh: "v" } } },
      response: refusal(409, "meta_limit_exceeded"),
    },
    ...metaRule((meta) => {
      const taken = update(kim, { meta }, { ...kim, meta });
      // Nothing was changed, so the time of the last change stays.
      return Object.keys(Object(meta)).length > 0 ? taken : { ...taken, response: got(kim).response };
    }),
    ...rule("path", "user_id", idRule, (user_id) =>
      update({ ...kim, user_id }, { meta: { a: "v" } }, { ...kim, user_id, meta: { a: "v" } }),
    ),
    "refuses an id that nobody has": asNobody(merged),
    ...bodyRules(merged),
    ...requestRules(merged),
  },

  "users.meta.delete": {
    "deletes the named keys": withoutTeam,
    "passes over keys that are not there": {
      ...withoutTeam,
      request: { params: { user_id: lee.user_id }, body: { keys: ["other", "with space", "👻"] } },
      response: got(lee).response,
    },
    "deletes keys that JavaScript knows": update(
      { ...kim, meta: Object.fromEntries(["__proto__", "constructor", "kept"].map((key) => [key, "v"])) },
      { keys: ["__proto__", "constructor", "toString"] },
      { ...kim, meta: { kept: "v" } },
    ),
    "deletes nothing by an empty list": {
      ...withoutTeam,
      request: { params: { user_id: lee.user_id }, body: { keys: [] } },
      response: got(lee).response,
    },
    "deletes a key that is named twice": update(lee, { keys: ["team", "team"] }, { ...lee, meta: {} }),
    ...rule(
      "body",
      "keys",
      {
        accepts: {},
        refuses: { "that are a text": "team", "that are null": null, "that are an object": {} },
      },
      (keys) => update(lee, { keys }, lee),
    ),
    ...rule(
      "body",
      "keys.1",
      {
        accepts: {},
        refuses: { "that is a number": 1, "with a NUL": "a\0", "with a lone surrogate": "a\ud83d" },
      },
      (key) => update(lee, { keys: ["team", key] }, lee),
    ),
    ...rule("path", "user_id", idRule, (user_id) =>
      update({ ...lee, user_id }, { keys: ["team"] }, { ...lee, user_id, meta: {} }),
    ),
    "refuses an id that nobody has": asNobody(withoutTeam),
    ...requiredRules(withoutTeam, ["keys"]),
    ...bodyRules(withoutTeam),
    ...requestRules(withoutTeam),
  },

  "users.meta.deleteKey": {
    "deletes the key": deletedKey("team", { team: "blue", floor: "two" }, { floor: "two" }),
    "passes over a key that is not there": {
      ...deletedKey("other", { team: "blue" }, { team: "blue" }),
      response: { status: 200, body: presentUser({ ...kim, meta: { team: "blue" } }) },
    },
    ...rule(
      "path",
      "key",
      {
        accepts: {
          "of Hangul": "한글",
          "of 100 bytes": "k".repeat(100),
          "that JavaScript knows": "__proto__",
        },
        refuses: { "with a digit": "key1", "with a slash": "a/b", "of 101 bytes": "k".repeat(101) },
      },
      (key) => deletedKey(key, Object.fromEntries([[key, "v"]]), {}),
    ),
    ...rule("path", "user_id", idRule, (user_id) =>
      deletedKey("team", { team: "blue" }, {}, { ...kim, user_id }),
    ),
    "refuses an id that nobody has": {
      request: { params: { user_id: "nobody", key: "team" } },
      response: refusal(404, "user_not_found"),
    },
    ...bodyRules(deletedKey("team", { team: "blue" }, {})),
    ...requestRules(deletedKey("team", { team: "blue" }, {})),
  },
} satisfies InteractionsByOperation;

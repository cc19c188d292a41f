import { requiredFieldCases } from "../cases/body-cases";
import { idCases } from "../cases/id-cases";
import { keyCases } from "../cases/key-cases";
import { metaCases } from "../cases/meta-cases";
import { profileUrlCases, textCases } from "../cases/text-cases";
import { kim, lee, presentUser } from "../fixtures";
import type { Interactions, InteractionsByOperation } from "../interaction";
import { invalid, problem } from "../problem";
import { requestTime } from "../world";

const get = {
  "responds with the user": {
    given: { users: [lee] },
    request: { params: { user_id: "lee_02" } },
    response: { status: 200, body: presentUser(lee) },
  },
  "omits a profile_url that is not set": {
    given: { users: [kim] },
    request: { params: { user_id: "kim_01" } },
    response: { status: 200, body: presentUser(kim) },
  },
} satisfies Interactions;

const create = {
  "creates a user": {
    request: { body: { user_id: "kim_01", name: "Kim" } },
    response: { status: 201, body: presentUser({ ...kim, at: requestTime }) },
  },
  "creates a user with every field": {
    request: { body: lee },
    response: { status: 201, body: presentUser({ ...lee, at: requestTime }) },
  },
  "creates a user with the id of a deleted user": {
    given: { users: [{ ...lee, user_id: "kim_01" }], deletedUsers: ["kim_01"] },
    request: { body: { user_id: "kim_01", name: "Kim" } },
    response: { status: 201, body: presentUser({ ...kim, at: requestTime }) },
  },
  "rejects a user_id that exists": {
    given: { users: [{ ...lee, user_id: "kim_01" }] },
    request: { body: { user_id: "kim_01", name: "Kim" } },
    response: problem(409, "user_exists"),
  },
  "lists every broken rule": {
    request: { body: { user_id: "Kim", name: "" } },
    response: problem(400, "invalid_request", [
      { in: "body", path: "user_id" },
      { in: "body", path: "user_id" },
      { in: "body", path: "name" },
    ]),
  },
  "checks the key before the body": {
    request: { raw: "{", key: "none" },
    response: problem(401, "unauthenticated"),
  },
  "rejects an idempotency key with a space": {
    request: { body: kim, headers: { "idempotency-key": "a key" } },
    response: invalid("header", "idempotency-key"),
  },
} satisfies Interactions;

const update = {
  "sets the name": {
    given: { users: [kim] },
    request: { params: { user_id: "kim_01" }, body: { name: "Kim Minsu" } },
    response: { status: 200, body: { ...presentUser(kim), name: "Kim Minsu", updated_at: requestTime } },
  },
  "sets the profile_url": {
    given: { users: [kim] },
    request: {
      params: { user_id: "kim_01" },
      body: { name: "Kim", profile_url: "https://example.com/k.png" },
    },
    response: {
      status: 200,
      body: { ...presentUser(kim), profile_url: "https://example.com/k.png", updated_at: requestTime },
    },
  },
  "keeps a profile_url that the request omits": {
    given: { users: [lee] },
    request: { params: { user_id: "lee_02" }, body: { name: "Yi" } },
    response: { status: 200, body: { ...presentUser(lee), name: "Yi", updated_at: requestTime } },
  },
  "removes the profile_url if it is empty": {
    given: { users: [{ ...kim, profile_url: "https://example.com/kim.png" }] },
    request: { params: { user_id: "kim_01" }, body: { name: "Kim", profile_url: "" } },
    response: { status: 200, body: { ...presentUser(kim), updated_at: requestTime } },
  },
} satisfies Interactions;

export const users = {
  "users.get": { ...get, ...keyCases(get["responds with the user"]) },
  "users.create": {
    ...create,
    ...idCases(create["creates a user"], "body", "user_id"),
    ...textCases(create["creates a user"], "body", "name", 80),
    ...profileUrlCases(create["creates a user with every field"]),
    ...metaCases(create["creates a user"]),
    ...requiredFieldCases(create["creates a user"], ["user_id", "name"]),
  },
  "users.update": {
    ...update,
    ...textCases(update["sets the name"], "body", "name", 80),
    ...profileUrlCases(update["sets the profile_url"]),
    ...requiredFieldCases(update["sets the name"], ["name"]),
  },
  "users.delete": {
    "deletes the user": {
      given: { users: [kim] },
      request: { params: { user_id: "kim_01" } },
      response: { status: 200 },
    },
  },
} satisfies InteractionsByOperation;

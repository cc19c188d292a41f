import type { Interaction, InteractionsByOperation } from "../interaction";
import { metaRule } from "../meta-rule";
import { cursorRefusals, pageSizeRefusals } from "../page-rules";
import { kim, lee, park, people, presentUser, userIdOf } from "../people";
import { invalid, refusal } from "../refusal";
import { bodyRules, keyRules, requestRules, requiredRules } from "../request-rules";
import { earlierNext } from "../stand-ins";
import { bodyIdRule, idRule, textRule } from "../text-rules";
import { rule } from "../variants";
import { type NewUser, requestTime, type World, worldTime } from "../world";

const nameRule = textRule({ minLength: 1, maxLength: 80 });
const urlRule = textRule({ minLength: 0, maxLength: 2_048 });
const unknownUser = refusal(404, "user_not_found");

/** The users from the one numbered `first` down to the one numbered `last`: newest first. */
function presentPeople(first: number, last: number) {
  return people(first)
    .slice(last - 1)
    .reverse()
    .map((user) => presentUser(user));
}

function page(first: number, last: number, next?: string) {
  return { status: 200, body: { users: presentPeople(first, last), ...(next !== undefined && { next }) } };
}

const listed: Interaction = {
  given: { users: [kim] },
  response: { status: 200, body: { users: [presentUser(kim)] } },
};
const pageOfUsers: World = {
  users: people(6),
  page: { operation: "users.list", query: { limit: "5" } },
};
const pageOfChannels: World = {
  channels: people(6).map(({ user_id, name }) => ({ channel_id: user_id, name })),
  page: { operation: "channels.list", query: { limit: "5" } },
};
const namesakes: readonly NewUser[] = people(6).map((user) => ({ ...user, name: "Kim" }));

const create = (body: object, stored: NewUser): Interaction => ({
  request: { body },
  response: { status: 201, body: presentUser({ ...stored, at: requestTime }) },
});
const created = create(kim, kim);
/** An empty address says "none". */
const withUrl = (profile_url: string) => (profile_url === "" ? kim : { ...kim, profile_url });

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
const updated = update(kim, { name: "Kim Minsu" }, { ...kim, name: "Kim Minsu" });

const deleted = (user: NewUser): Interaction => ({
  given: { users: [user] },
  request: { params: { user_id: user.user_id } },
  response: { status: 200 },
});

const asNobody = ({ request }: Interaction): Interaction => ({
  request: { ...request, params: { user_id: "nobody" } },
  response: unknownUser,
});

export const users = {
  "users.list": {
    "answers 15 users, newest first, and where the next page begins": {
      given: { users: people(16) },
      response: page(16, 2, "cursor"),
    },
    "answers no cursor when no further user exists": { given: { users: people(15) }, response: page(15, 1) },
    "answers an empty page": { response: { status: 200, body: { users: [] } } },
    "accepts limit 5": {
      given: { users: people(6) },
      request: { query: { limit: "5" } },
      response: page(6, 2, "cursor"),
    },
    "accepts limit 30": {
      given: { users: people(31) },
      request: { query: { limit: "30" } },
      response: page(31, 2, "cursor"),
    },
    "accepts limit 05, which is digits alone": {
      given: { users: people(6) },
      request: { query: { limit: "05" } },
      response: page(6, 2, "cursor"),
    },
    ...pageSizeRefusals({ below: 4, above: 31 }, (limit) => ({
      request: { query: { limit } },
      response: page(0, 1),
    })),
    "puts the later of two users of one moment first": {
      given: { users: [kim, park] },
      response: { status: 200, body: { users: [presentUser(park), presentUser(kim)] } },
    },
    "leaves deleted users out": {
      given: { users: [kim, lee], deletedUsers: [lee.user_id] },
      response: listed.response,
    },
    "goes on by next alone": {
      given: pageOfUsers,
      request: { query: { next: earlierNext } },
      response: page(1, 1),
    },
    "goes on with the name of the first page": {
      given: {
        users: [lee, ...namesakes],
        page: { operation: "users.list", query: { limit: "5", name: "Kim" } },
      },
      request: { query: { next: earlierNext } },
      response: { status: 200, body: { users: namesakes.slice(0, 1).map((user) => presentUser(user)) } },
    },
    "accepts parameters beside next that agree with it": {
      given: pageOfUsers,
      request: { query: { next: earlierNext, limit: "5" } },
      response: page(1, 1),
    },
    "refuses a limit beside next that differs": {
      given: pageOfUsers,
      request: { query: { next: earlierNext, limit: "6" } },
      response: invalid("query", "limit"),
    },
    "refuses a name beside next that differs": {
      given: pageOfUsers,
      request: { query: { next: earlierNext, name: "Kim" } },
      response: invalid("query", "name"),
    },
    ...cursorRefusals(pageOfUsers, { "another list": pageOfChannels }, (next) => ({
      request: { query: { next } },
      response: page(1, 1),
    })),
    "answers only users of exactly this name": {
      given: { users: [kim, { ...park, name: "kim" }, { ...lee, name: "Kim Minsu" }] },
      request: { query: { name: "Kim" } },
      response: listed.response,
    },
    ...rule(
      "query",
      "name",
      { ...nameRule, refuses: { "that is empty": "", "of 81 emoji": "😀".repeat(81), "with a NUL": "a\0" } },
      (name) => ({
        given: { users: [{ ...kim, name }] },
        request: { query: { name } },
        response: { status: 200, body: { users: [presentUser({ ...kim, name })] } },
      }),
    ),
    "refuses a name whose bytes are not UTF-8": {
      request: { rawQuery: "name=%FF" },
      response: invalid("query", ""),
    },
    "refuses a name with a percent sign that is not encoded": {
      request: { rawQuery: "name=100%" },
      response: invalid("query", ""),
    },
    "asks for a key before it judges how the query is encoded": {
      request: { rawQuery: "name=%FF", key: "none" },
      response: refusal(401, "unauthenticated"),
    },
    "reads a plus in the query as a space": {
      given: { users: [{ ...kim, name: "Kim Min" }] },
      request: { rawQuery: "name=Kim+Min" },
      response: { status: 200, body: { users: [presentUser({ ...kim, name: "Kim Min" })] } },
    },
    "refuses a name given twice": {
      request: { query: { name: ["Kim", "Kim"] } },
      response: invalid("query", "name"),
    },
    "answers a bare array of the users older than base_user_id": {
      given: { users: people(8) },
      request: { query: { base_user_id: userIdOf(6) } },
      response: { status: 200, body: presentPeople(6, 1) },
    },
    "answers at most limit users older than base_user_id": {
      given: { users: people(8) },
      request: { query: { base_user_id: userIdOf(7), limit: "5" } },
      response: { status: 200, body: presentPeople(7, 3) },
    },
    "answers 15 users older than base_user_id": {
      given: { users: people(17) },
      request: { query: { base_user_id: userIdOf(16) } },
      response: { status: 200, body: presentPeople(16, 2) },
    },
    "answers users of a name older than base_user_id": {
      given: { users: [kim, { ...park, at: worldTime + 1 }, { ...lee, name: "Kim", at: worldTime + 2 }] },
      request: { query: { base_user_id: lee.user_id, name: "Kim" } },
      response: { status: 200, body: [presentUser(kim)] },
    },
    "answers an empty array after the oldest user": {
      given: { users: [kim] },
      request: { query: { base_user_id: kim.user_id } },
      response: { status: 200, body: [] },
    },
    "refuses a base_user_id that nobody has": {
      request: { query: { base_user_id: "nobody" } },
      response: unknownUser,
    },
    ...rule("query", "base_user_id", idRule, (user_id) => ({
      given: { users: [{ ...kim, user_id }] },
      request: { query: { base_user_id: user_id } },
      response: { status: 200, body: [] },
    })),
    "refuses next beside base_user_id": {
      given: pageOfUsers,
      request: { query: { base_user_id: userIdOf(1), next: earlierNext } },
      response: invalid("query", "next"),
    },
    "answers a bare array where the server is set so": {
      given: { settings: { userList: "reference" }, users: people(16) },
      response: { status: 200, body: presentPeople(16, 2) },
    },
    "goes on by base_user_id where the server is set so": {
      given: { settings: { userList: "reference" }, users: people(16) },
      request: { query: { base_user_id: userIdOf(1), limit: "30", name: "User 1" } },
      response: { status: 200, body: presentPeople(1, 1) },
    },
    "refuses limit 31 where the server is set so": {
      given: { settings: { userList: "reference" } },
      request: { query: { limit: "31" } },
      response: invalid("query", "limit"),
    },
    "refuses next where the server is set so": {
      given: { settings: { userList: "reference" } },
      request: { query: { next: "cursor" } },
      response: invalid("query", "next"),
    },
    ...requestRules(listed),
  },

  "users.get": {
    "answers the user": got(lee),
    "leaves out what is not there": got(kim),
    ...rule("path", "user_id", idRule, (user_id) => got({ ...kim, user_id })),
    "refuses an id that nobody has": asNobody(got(kim)),
    "refuses the id of a deleted user": {
      given: { users: [kim], deletedUsers: [kim.user_id] },
      request: { params: { user_id: kim.user_id } },
      response: unknownUser,
    },
    ...requestRules(got(kim)),
    ...keyRules(got(kim)),
  },

  "users.create": {
    "creates a user": created,
    "creates a user with everything": create(lee, lee),
    "creates a user under the id of a deleted one": {
      ...created,
      given: { users: [{ ...lee, user_id: kim.user_id }], deletedUsers: [kim.user_id] },
    },
    "refuses an id that is taken": {
      given: { users: [{ ...lee, user_id: kim.user_id }] },
      request: { body: kim },
      response: refusal(409, "user_exists"),
    },
    ...rule("body", "user_id", bodyIdRule, (user_id) => create({ ...kim, user_id }, { ...kim, user_id })),
    ...rule("body", "name", nameRule, (name) => create({ ...kim, name }, { ...kim, name })),
    ...rule("body", "profile_url", urlRule, (profile_url) =>
      create({ ...kim, profile_url }, withUrl(profile_url)),
    ),
    ...metaRule((meta) => create({ ...kim, meta }, { ...kim, meta })),
    ...requiredRules(created, ["user_id", "name"]),
    "names every rule that is broken": {
      request: { body: { user_id: "Kim", name: "" } },
      response: refusal(400, "invalid_request", [
        { in: "body", path: "user_id" },
        { in: "body", path: "user_id" },
        { in: "body", path: "name" },
      ]),
    },
    "asks for a key before it reads the body": {
      request: { raw: "{", key: "none" },
      response: refusal(401, "unauthenticated"),
    },
    "refuses an empty idempotency key": {
      request: { body: kim, headers: { "idempotency-key": "a key" } },
      response: invalid("header", "idempotency-key"),
    },
    ...bodyRules(created),
    ...requestRules(created),
  },

  "users.update": {
    "sets the name": updated,
    "keeps the picture that is not spoken of": update(lee, { name: "Yi" }, { ...lee, name: "Yi" }),
    "clears the picture by an empty address": update(
      { ...kim, profile_url: "https://example.com/kim.png" },
      { name: "Kim", profile_url: "" },
      kim,
    ),
    ...rule("path", "user_id", idRule, (user_id) =>
      update({ ...kim, user_id }, { name: "Yi" }, { user_id, name: "Yi" }),
    ),
    ...rule("body", "name", nameRule, (name) => update(kim, { name }, { ...kim, name })),
    ...rule("body", "profile_url", urlRule, (profile_url) =>
      update(kim, { name: kim.name, profile_url }, withUrl(profile_url)),
    ),
    "refuses an id that nobody has": asNobody(updated),
    ...requiredRules(updated, ["name"]),
    ...bodyRules(updated),
    ...requestRules(updated),
  },

  "users.delete": {
    "deletes the user": deleted(kim),
    ...rule("path", "user_id", idRule, (user_id) => deleted({ ...kim, user_id })),
    "refuses an id that nobody has": asNobody(deleted(kim)),
    "refuses to delete a user twice": {
      given: { users: [kim], deletedUsers: [kim.user_id] },
      request: { params: { user_id: kim.user_id } },
      response: unknownUser,
    },
    ...bodyRules(deleted(kim)),
    ...requestRules(deleted(kim)),
  },
} satisfies InteractionsByOperation;

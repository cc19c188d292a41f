import { idCases } from "../cases/id-cases";
import { idListCases } from "../cases/id-list-cases";
import { cursorCases, pageSizeCases } from "../cases/page-cases";
import { textCases } from "../cases/text-cases";
import { kim, lee, numberedChannels, numberedUsers, park, presentUser, presentUsers } from "../fixtures";
import type { Interaction, Interactions, InteractionsByOperation } from "../interaction";
import { next } from "../placeholders";
import { invalid, problem } from "../problem";
import type { World } from "../world";
import { reference, referenceServer } from "./users-list-reference";

const firstPage: World = {
  users: numberedUsers(6),
  page: { operation: "users.list", query: { limit: "5" } },
};

const list = {
  "responds with a user": {
    given: { users: [kim] },
    response: { status: 200, body: { users: [presentUser(kim)] } },
  },
  "responds with 15 users, newest first, and a cursor": {
    given: { users: numberedUsers(16) },
    response: { status: 200, body: { users: presentUsers({ first: 16, last: 2 }), next: "cursor" } },
  },
  "responds without a cursor on the last page": {
    given: { users: numberedUsers(15) },
    response: { status: 200, body: { users: presentUsers({ first: 15, last: 1 }) } },
  },
  "responds with an empty page": { response: { status: 200, body: { users: [] } } },
  "accepts limit 5": {
    given: { users: numberedUsers(6) },
    request: { query: { limit: "5" } },
    response: { status: 200, body: { users: presentUsers({ first: 6, last: 2 }), next: "cursor" } },
  },
  "accepts limit 30": {
    given: { users: numberedUsers(31) },
    request: { query: { limit: "30" } },
    response: { status: 200, body: { users: presentUsers({ first: 31, last: 2 }), next: "cursor" } },
  },
  "accepts limit 05, a leading zero": {
    given: { users: numberedUsers(6) },
    request: { query: { limit: "05" } },
    response: { status: 200, body: { users: presentUsers({ first: 6, last: 2 }), next: "cursor" } },
  },
  "lists users with the same creation time in reverse order of creation": {
    given: { users: [kim, park] },
    response: { status: 200, body: { users: [presentUser(park), presentUser(kim)] } },
  },
  "omits deleted users": {
    given: { users: [kim, lee], deletedUsers: ["lee_02"] },
    response: { status: 200, body: { users: [presentUser(kim)] } },
  },
} satisfies Interactions;

const nextPage = {
  "continues with only next": {
    given: firstPage,
    request: { query: { next } },
    response: { status: 200, body: { users: presentUsers({ first: 1, last: 1 }) } },
  },
  "continues with the name of the first page": {
    given: {
      users: [lee, ...numberedUsers(6).map((user) => ({ ...user, name: "Kim" }))],
      page: { operation: "users.list", query: { limit: "5", name: "Kim" } },
    },
    request: { query: { next } },
    response: { status: 200, body: { users: [{ ...presentUser({ user_id: "user_001", name: "Kim" }) }] } },
  },
  "accepts parameters that agree with next": {
    given: firstPage,
    request: { query: { next, limit: "5" } },
    response: { status: 200, body: { users: presentUsers({ first: 1, last: 1 }) } },
  },
  "rejects a limit that differs from next": {
    given: firstPage,
    request: { query: { next, limit: "6" } },
    response: invalid("query", "limit"),
  },
  "rejects a name that differs from next": {
    given: firstPage,
    request: { query: { next, name: "Kim" } },
    response: invalid("query", "name"),
  },
} satisfies Interactions;

/** By name, then in the order of creation. */
const named = ["Kim", "Kim", "Kim 😀", "Kim Minsu", "Kin", "김", "kim"].map((name, index) => ({
  user_id: `named_${index + 1}`,
  name,
}));

const byPrefix = {
  "responds with the users whose name begins with the prefix, by name, then oldest first": {
    given: { users: [...named.slice(2), ...named.slice(0, 2)] },
    request: { query: { name_prefix: "Kim" } },
    response: {
      status: 200,
      body: { users: ["named_1", "named_2", "named_4", "named_3"].map(presentNamed) },
    },
  },
  "takes %, _ and \\ in a prefix as they are": {
    given: { users: [kim, { ...lee, name: "%_\\m" }, { ...park, name: "%am" }] },
    request: { query: { name_prefix: "%_\\" } },
    response: { status: 200, body: { users: [{ ...presentUser(lee), name: "%_\\m" }] } },
  },
  "responds with an empty page for a prefix that no name has": {
    given: { users: [kim] },
    request: { query: { name_prefix: "Kimchi" } },
    response: { status: 200, body: { users: [] } },
  },
  "omits deleted users with the prefix": {
    given: { users: [kim, lee], deletedUsers: ["kim_01"] },
    request: { query: { name_prefix: "K" } },
    response: { status: 200, body: { users: [] } },
  },
  "continues a list by prefix with only next": {
    given: {
      users: numberedUsers(6).map((user) => ({ ...user, name: "Kim" })),
      page: { operation: "users.list", query: { limit: "5", name_prefix: "K" } },
    },
    request: { query: { next } },
    response: { status: 200, body: { users: [{ ...presentUsers({ first: 6, last: 6 })[0], name: "Kim" }] } },
  },
  "rejects a prefix that differs from next": {
    given: firstPage,
    request: { query: { next, name_prefix: "Kim" } },
    response: invalid("query", "name_prefix"),
  },
  "rejects a prefix together with a name": {
    request: { query: { name: "Kim", name_prefix: "Kim" } },
    response: invalid("query", "name_prefix"),
  },
  "rejects a prefix together with base_user_id": {
    request: { query: { base_user_id: "kim_01", name_prefix: "Kim" } },
    response: invalid("query", "name_prefix"),
  },
} satisfies Interactions;

function presentNamed(user_id: string) {
  const name = named.find((user) => user.user_id === user_id)?.name ?? "";
  return presentUser({ user_id, name });
}

const peopleToFind = {
  "Kim Min-ji": "found_1",
  "MIN kim": "found_2",
  김민수: "found_3",
  "ＡＮＮＡ ﬁsher": "found_4",
  Benjamin: "found_5",
  "50% _off_": "found_6",
  "🎉 Straße": "found_7",
};
const toFind = Object.entries(peopleToFind).map(([name, user_id]) => ({ user_id, name }));

/** Code points order the names: capital letters, small letters, Hangul, full-width letters, emoji. */
const searches: Readonly<
  Record<string, readonly [q: string, names: readonly (keyof typeof peopleToFind)[]]>
> = {
  "the beginning of any word, in any case": ["mIN", ["Kim Min-ji", "MIN kim"]],
  "several words, in this order": ["min j", ["Kim Min-ji"]],
  "words with other separators": ["  KIM--min.", ["Kim Min-ji"]],
  "words in another order": ["ji min", []],
  "the end of a word": ["jamin", []],
  Hangul: ["김민", ["김민수"]],
  "decomposed Hangul": ["\u1100\u1175\u11b7", ["김민수"]],
  "ligatures and full-width letters": ["anna FI", ["ＡＮＮＡ ﬁsher"]],
  "full-width letters for others": ["ｋｉｍ ｍ", ["Kim Min-ji"]],
  "a sharp s": ["STRASSE", ["🎉 Straße"]],
  "%, which has no word": ["%", ["50% _off_"]],
  "_, which has no word": ["_", ["50% _off_"]],
  "\\, which no name has": ["\\", []],
  "an underscore within words": ["k_m", []],
  "an emoji": ["🎉", ["🎉 Straße"]],
};

const bySearch: Record<string, Interaction> = {
  "continues a search by name with only next": {
    given: {
      users: numberedUsers(6).map((user) => ({ ...user, name: "Kim" })),
      page: { operation: "users.list", query: { limit: "5", q: "k" } },
    },
    request: { query: { next } },
    response: { status: 200, body: { users: [{ ...presentUsers({ first: 6, last: 6 })[0], name: "Kim" }] } },
  },
  "begins with the user whose id is q": {
    given: { users: [lee, { ...park, name: "Lee_02" }] },
    request: { query: { q: "lee_02" } },
    response: { status: 200, body: { users: [presentUser(lee), presentUser({ ...park, name: "Lee_02" })] } },
  },
  "finds the user whose id ids.encode makes of q": {
    given: { users: [kim, { user_id: "b32_5k4yb25pxtwirga", name: "Minsu" }] },
    request: { query: { q: "김민수" } },
    response: {
      status: 200,
      body: { users: [presentUser({ user_id: "b32_5k4yb25pxtwirga", name: "Minsu" })] },
    },
  },
  "omits deleted users in a search by name or id": {
    given: { users: [kim], deletedUsers: ["kim_01"] },
    request: { query: { q: "kim_01" } },
    response: { status: 200, body: { users: [] } },
  },
  "rejects a q that differs from next": {
    given: firstPage,
    request: { query: { next, q: "Kim" } },
    response: invalid("query", "q"),
  },
};
for (const [what, [q, names]] of Object.entries(searches))
  bySearch[`finds users by ${what}`] = {
    given: { users: toFind },
    request: { query: { q } },
    response: {
      status: 200,
      body: { users: names.map((name) => presentUser({ user_id: peopleToFind[name], name })) },
    },
  };
for (const other of ["name", "name_prefix", "base_user_id"])
  bySearch[`rejects q together with ${other}`] = {
    request: { query: { q: "Kim", [other]: "kim_01" } },
    response: invalid("query", "q"),
  };

const byIds = {
  "responds with the users of the ids, in their order": {
    given: { users: [kim, lee, park], deletedUsers: ["park_03"] },
    request: { query: { user_ids: "lee_02,nobody_99,park_03,kim_01,lee_02" } },
    response: { status: 200, body: { users: [presentUser(lee), presentUser(kim)] } },
  },
} satisfies Interactions;

const kimByName = { ...list["responds with a user"], request: { query: { name: "Kim" } } };

export const usersList = {
  "users.list": {
    ...list,
    ...pageSizeCases(list["responds with a user"], 5, 30),
    ...nextPage,
    ...cursorCases(nextPage["continues with only next"], {
      "another list": {
        channels: numberedChannels(6),
        page: { operation: "channels.list", query: { limit: "5" } },
      },
    }),
    "responds with the users of exactly this name": {
      given: { users: [kim, { ...park, name: "kim" }, { ...lee, name: "Kim Minsu" }] },
      request: { query: { name: "Kim" } },
      response: { status: 200, body: { users: [presentUser(kim)] } },
    },
    "rejects a name that is not UTF-8": { request: { rawQuery: "name=%FF" }, response: invalid("query", "") },
    "rejects a name with an unescaped percent sign": {
      request: { rawQuery: "name=100%" },
      response: invalid("query", ""),
    },
    "checks the key before the encoding of the query": {
      request: { rawQuery: "name=%FF", key: "none" },
      response: problem(401, "unauthenticated"),
    },
    "decodes a plus sign in the query as a space": {
      given: { users: [{ ...kim, name: "Kim Min" }] },
      request: { rawQuery: "name=Kim+Min" },
      response: { status: 200, body: { users: [{ ...presentUser(kim), name: "Kim Min" }] } },
    },
    "rejects a name given twice": {
      request: { query: { name: ["Kim", "Kim"] } },
      response: invalid("query", "name"),
    },
    ...textCases(kimByName, "query", "name", 80),
    ...byPrefix,
    ...textCases({ ...kimByName, request: { query: { name_prefix: "Kim" } } }, "query", "name_prefix", 80),
    ...bySearch,
    ...textCases({ ...kimByName, request: { query: { q: "Kim" } } }, "query", "q", 80),
    ...byIds,
    ...idListCases(byIds["responds with the users of the ids, in their order"], "user_ids"),
    "rejects user_ids together with q": {
      request: { query: { user_ids: "unknown_1", q: "Kim" } },
      response: invalid("query", "q"),
    },
    "rejects user_ids together with name": {
      request: { query: { user_ids: "unknown_1", name: "Kim" } },
      response: invalid("query", "name"),
    },
    "rejects user_ids together with base_user_id": {
      request: { query: { user_ids: "unknown_1", base_user_id: "kim_01" } },
      response: invalid("query", "base_user_id"),
    },
    ...reference,
    ...idCases(reference["responds with an empty array after the oldest user"], "query", "base_user_id"),
    ...referenceServer,
  },
} satisfies InteractionsByOperation;

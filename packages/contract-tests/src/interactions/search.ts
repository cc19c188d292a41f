import { cursorCases, pageSizeCases } from "../cases/page-cases";
import { kim, listHistory, lunch, menu, numberedUsers, park, presentMessage } from "../fixtures";
import type { Interaction, Interactions, InteractionsByOperation } from "../interaction";
import { next } from "../placeholders";
import { invalid, problem } from "../problem";
import type { NewMessage, World } from "../world";
import { worldTime } from "../world";

const conversation: World = {
  users: [kim, park],
  channels: [{ ...lunch, members: ["kim_01", "park_03"] }],
};

const say = (content: string, more: Partial<NewMessage> = {}): NewMessage => ({
  channel_id: "room_1",
  user_id: "kim_01",
  content,
  at: worldTime + 1_000,
  ...more,
});

const noon = say("See you at Noon.");
const school = say("내일 학교에서 만나요", { user_id: "park_03", at: worldTime + 2_000 });
const file: NewMessage = {
  channel_id: "room_1",
  user_id: "kim_01",
  file: menu,
  at: worldTime + 3_000,
};
const world: World = { ...conversation, messages: [noon, school, file] };

const history = { channel_id: "room_1", user_id: "kim_01", count: 101 };
/** The newest first. */
const sent = listHistory(history);

/** The request that an operation needs besides its query. */
interface Target {
  readonly params?: Readonly<Record<string, string>>;
  readonly operation: "messages.search" | "messages.searchAll" | "users.searchMessages";
}

const found = (...messages: NewMessage[]) => ({
  status: 200,
  body: {
    messages: messages.map((one) => presentMessage(one, one.user_id === "kim_01" ? kim : park)),
  },
});

/** What all searches have in common. */
function searchCases({ operation, params }: Target): Interactions {
  const of = (query: Readonly<Record<string, string>>) => ({ ...(params && { params }), query });
  const first = { given: world, request: of({ q: "noon" }), response: found(noon) };
  const texts: Readonly<Record<string, readonly [text: string, query: string]>> = {
    "in another case": ["STRASSE", "straße"],
    "in full width": ["ＡＢＣ", "abc"],
    "with decomposed syllables": ["한국", "한국"],
    "that has % and _": ["100%_", "0%_"],
    "with a quote and a backslash": ["it's \\ it", "'s \\"],
    "of 100 characters": ["n".repeat(120), "n".repeat(100)],
    "of emoji": ["a😀b", "😀"],
    "with white space around it": ["noon", "　noon "],
  };
  const cases: Record<string, Interaction> = {
    "responds with the messages that contain the term": first,
    "responds with the messages that contain every term": {
      given: world,
      // The name of the file contains only the second one.
      request: of({ q: "you n" }),
      response: found(noon),
    },
    "finds a term inside a word": {
      given: world,
      request: of({ q: "만나요 학교" }),
      response: found(school),
    },
    "searches the names of files": { given: world, request: of({ q: "menu" }), response: found(file) },
    "responds with the newest message first": {
      given: world,
      request: of({ q: "n" }),
      response: found(file, noon),
    },
    "responds with an empty page": { given: world, request: of({ q: "midnight" }), response: found() },
    "does not find a message that was deleted": {
      given: { ...world, deletedMessages: [1] },
      request: of({ q: "noon" }),
      response: found(),
    },
    "accepts limit 1, and responds with a cursor": {
      given: world,
      request: of({ q: "n", limit: "1" }),
      response: { status: 200, body: { ...found(file).body, next: "cursor" } },
    },
    "responds with 30 messages and a cursor": {
      given: { ...conversation, history },
      request: of({ q: "message" }),
      response: { status: 200, body: { ...found(...sent.slice(0, 30)).body, next: "cursor" } },
    },
    "accepts limit 100": {
      given: { ...conversation, history },
      request: of({ q: "message", limit: "100" }),
      response: { status: 200, body: { ...found(...sent.slice(0, 100)).body, next: "cursor" } },
    },
    "continues with only next": {
      given: {
        ...world,
        page: { operation, ...(params && { params }), query: { q: "n", limit: "1" } },
      },
      request: of({ next }),
      response: found(noon),
    },
    "rejects a query that differs from next": {
      given: {
        ...world,
        page: { operation, ...(params && { params }), query: { q: "n", limit: "1" } },
      },
      request: of({ next, q: "m" }),
      response: invalid("query", "q"),
    },
    "accepts 8 terms": { given: world, request: of({ q: "m e n u . p g menu" }), response: found(file) },
  };
  for (const [name, [text, query]] of Object.entries(texts))
    cases[`finds a term ${name}`] = {
      given: { ...conversation, messages: [say(text)] },
      request: of({ q: query }),
      response: found(say(text)),
    };
  const rejected = {
    "an empty query": "",
    "a query of white space": " 　",
    "a query of 101 characters": "n".repeat(101),
    "a query of invisible characters": "\u200b \u00ad",
    "9 terms": "a b c d e f g h i",
    "a NUL": "a\0",
  };
  for (const [name, query] of Object.entries(rejected))
    cases[`rejects ${name}`] = { request: of({ q: query }), response: invalid("query", "q") };
  return {
    ...cases,
    "rejects a request without a query": {
      request: params ? { params } : {},
      response: invalid("query", "q"),
    },
    ...pageSizeCases({ request: of({ q: "noon" }), response: found() }, 1, 100),
    ...cursorCases(cases["continues with only next"] as Interaction, {
      "another list": { users: numberedUsers(6), page: { operation: "users.list", query: { limit: "5" } } },
    }),
  };
}

const inChannel: Target = { operation: "messages.search", params: { channel_id: "room_1" } };
const ofUser: Target = { operation: "users.searchMessages", params: { user_id: "kim_01" } };
const dinner = { channel_id: "room_2", name: "Dinner", members: ["park_03"] };

function senderCases(params?: Target["params"]): Interactions {
  const query = (user_id: string) => ({ ...(params && { params }), query: { q: "n", user_id } });
  return {
    "responds with the messages of a sender": {
      given: { ...conversation, messages: [noon, { ...school, content: "noon" }] },
      request: query("park_03"),
      response: found({ ...school, content: "noon" }),
    },
    "rejects a sender that does not exist": {
      given: world,
      request: query("nobody_99"),
      response: problem(404, "user_not_found"),
    },
  };
}

export const search = {
  "messages.search": {
    ...searchCases(inChannel),
    ...senderCases(inChannel.params),
    "does not find messages of another channel": {
      given: {
        ...conversation,
        channels: [{ ...lunch, members: ["kim_01"] }, dinner],
        messages: [say("noon", { channel_id: "room_2", user_id: "park_03" })],
      },
      request: { params: { channel_id: "room_1" }, query: { q: "noon" } },
      response: found(),
    },
  },
  "messages.searchAll": {
    ...searchCases({ operation: "messages.searchAll" }),
    ...senderCases(),
    "does not find messages of a deleted channel": {
      given: { ...world, deletedChannels: ["room_1"] },
      request: { query: { q: "noon" } },
      response: found(),
    },
  },
  "users.searchMessages": {
    ...searchCases(ofUser),
    "does not find messages of channels that the user left": {
      given: {
        ...world,
        channels: [{ ...lunch, members: ["park_03"], formerMembers: ["kim_01"] }],
        messages: [school],
      },
      request: { params: { user_id: "kim_01" }, query: { q: "학교" } },
      response: found(),
    },
    "does not find messages of a deleted channel": {
      given: { ...world, deletedChannels: ["room_1"] },
      request: { params: { user_id: "kim_01" }, query: { q: "noon" } },
      response: found(),
    },
    "does not find messages of channels in which the user is not": {
      given: {
        ...conversation,
        channels: [{ ...lunch, members: ["kim_01"] }, dinner],
        messages: [say("noon", { channel_id: "room_2", user_id: "park_03" })],
      },
      request: { params: { user_id: "kim_01" }, query: { q: "noon" } },
      response: found(),
    },
  },
} satisfies InteractionsByOperation;

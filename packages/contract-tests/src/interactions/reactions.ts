import { cursorCases, pageSizeCases } from "../cases/page-cases";
import { valueCases } from "../cases/value-cases";
import {
  kim,
  lee,
  lunch,
  numberedUsers,
  park,
  presentMembers,
  presentMessage,
  presentUser,
} from "../fixtures";
import type { Interaction, Interactions, InteractionsByOperation } from "../interaction";
import { message, next } from "../placeholders";
import { problem } from "../problem";
import { type NewMessage, type World, worldTime } from "../world";

const noon: NewMessage = {
  channel_id: "room_1",
  user_id: "lee_02",
  content: "Noon?",
  at: worldTime + 5_000,
};
const world: World = {
  users: [kim, lee],
  channels: [{ ...lunch, members: ["kim_01", "lee_02"] }],
  messages: [noon],
};
const ofMessage = { channel_id: "room_1", message_id: message(1) };
const params = { ...ofMessage, reaction: "👍", user_id: "kim_01" };
const ofKim = { reaction: "👍", user_id: "kim_01" };
const ofLee = { reaction: "👍", user_id: "lee_02" };
const counts = (...reactions: { reaction: string; count: number }[]) => ({
  status: 200,
  body: { reactions },
});

/** As many different reactions as a message may have. */
const full = Array.from({ length: 20 }, (_, index) => ({ reaction: `r${index + 1}`, user_id: "lee_02" }));
const fullCounts = full.map(({ reaction }) => ({ reaction, count: 1 }));
const fullWorld: World = { ...world, reactions: full };

const add = {
  "adds the first reaction": {
    given: world,
    request: { params },
    response: counts({ reaction: "👍", count: 1 }),
  },
  "adds the reaction of another user": {
    given: { ...world, reactions: [ofLee] },
    request: { params },
    response: counts({ reaction: "👍", count: 2 }),
  },
  "adds another reaction after those that were used before": {
    given: { ...world, reactions: [{ ...ofLee, reaction: "🎉" }, ofLee] },
    request: { params: { ...params, reaction: "🙏" } },
    response: counts(
      { reaction: "🎉", count: 1 },
      { reaction: "👍", count: 1 },
      { reaction: "🙏", count: 1 },
    ),
  },
  "changes nothing for a reaction that the user has": {
    given: { ...world, reactions: [ofKim] },
    request: { params },
    response: counts({ reaction: "👍", count: 1 }),
  },
  "compares after NFC": {
    given: { ...world, reactions: [{ ...ofLee, reaction: "각" }] },
    request: { params: { ...params, reaction: "각".normalize("NFD") } },
    response: counts({ reaction: "각", count: 2 }),
  },
  "accepts a manager who is not a participant": {
    given: { ...world, channels: [{ ...lunch, members: ["lee_02"], managers: ["kim_01"] }] },
    request: { params },
    response: counts({ reaction: "👍", count: 1 }),
  },
  "accepts a manager in a frozen channel": {
    given: { ...world, channels: [{ ...lunch, members: ["lee_02"], managers: ["kim_01"], frozen: true }] },
    request: { params },
    response: counts({ reaction: "👍", count: 1 }),
  },
  "accepts the 20th different reaction": {
    given: { ...world, reactions: full.slice(0, 19) },
    request: { params },
    response: counts(...fullCounts.slice(0, 19), { reaction: "👍", count: 1 }),
  },
  "accepts one of 20 different reactions": {
    given: fullWorld,
    request: { params: { ...params, reaction: "r20" } },
    response: counts(...fullCounts.slice(0, 19), { reaction: "r20", count: 2 }),
  },
} satisfies Interactions;

const rejectedAs = (given: World, code: Parameters<typeof problem>[1]): Interaction => ({
  given,
  request: { params },
  response: problem(403, code),
});
const moderated = { channel_id: "room_1", user_id: "kim_01" };
const rejections = {
  "rejects a user who is not a participant": rejectedAs(
    { ...world, channels: [{ ...lunch, members: ["lee_02"] }] },
    "not_a_participant",
  ),
  "rejects a participant in a frozen channel": rejectedAs(
    { ...world, channels: [{ ...lunch, members: ["kim_01", "lee_02"], frozen: true }] },
    "channel_frozen",
  ),
  "rejects a muted participant": rejectedAs({ ...world, mutes: [moderated] }, "member_muted"),
  "rejects a banned user": rejectedAs({ ...world, bans: [moderated] }, "user_banned"),
  "rejects a user in a one-to-one channel with a block": rejectedAs(
    { ...world, blocks: [{ user_id: "lee_02", blocked_user_id: "kim_01" }] },
    "user_blocked",
  ),
  "rejects a suspended user": rejectedAs({ ...world, suspendedUsers: ["kim_01"] }, "user_suspended"),
  "rejects the 21st different reaction": {
    given: fullWorld,
    request: { params },
    response: problem(409, "reaction_limit_exceeded"),
  },
} satisfies Interactions;

const texts = {
  accepts: {
    "of 1 character": "a",
    "of 32 emoji": "😀".repeat(32),
    "of several joined characters": "👩‍👩‍👧",
    "with characters that URLs reserve": "?&/#%+=",
    "that begins with dots": "...",
  },
  rejects: {
    "of 33 characters": "r".repeat(33),
    "of 33 emoji": "😀".repeat(33),
    "of 32 characters that NFC makes more": "\u0958".repeat(32),
    "with a space": "a b",
    "with a no-break space": "a\u00a0b",
    "with a line break": "a\n",
    "with a tab": "\ta",
    "with a control character": "a\u0007",
    "with a change of direction": "a\u202e",
    "of invisible characters only": "\u200d\u{e0067}\ufe0f",
    "with a NUL": "a\0",
  },
};

const remove = {
  "removes the only reaction": {
    given: { ...world, reactions: [ofKim] },
    request: { params },
    response: counts(),
  },
  "removes one of two users": {
    given: { ...world, reactions: [ofKim, ofLee] },
    request: { params },
    response: counts({ reaction: "👍", count: 1 }),
  },
  "keeps the other reactions in their order": {
    given: { ...world, reactions: [{ ...ofLee, reaction: "🎉" }, ofKim, { ...ofLee, reaction: "🙏" }] },
    request: { params },
    response: counts({ reaction: "🎉", count: 1 }, { reaction: "🙏", count: 1 }),
  },
  "changes nothing for a reaction that the user does not have": {
    given: { ...world, reactions: [ofLee] },
    request: { params },
    response: counts({ reaction: "👍", count: 1 }),
  },
  "compares after NFC": {
    given: { ...world, reactions: [{ ...ofKim, reaction: "각".normalize("NFD") }] },
    request: { params: { ...params, reaction: "각" } },
    response: counts(),
  },
  "removes the reaction of a muted user": {
    given: { ...world, reactions: [ofKim], mutes: [moderated] },
    request: { params },
    response: counts(),
  },
  "removes the reaction of a banned user": {
    given: { ...world, reactions: [ofKim], bans: [moderated] },
    request: { params },
    response: counts(),
  },
  "removes the reaction of a suspended user in a frozen channel": {
    given: {
      ...world,
      channels: [{ ...lunch, members: ["kim_01", "lee_02"], frozen: true }],
      reactions: [ofKim],
      suspendedUsers: ["kim_01"],
    },
    request: { params },
    response: counts(),
  },
} satisfies Interactions;

const twoReactions: World = { ...world, reactions: [ofLee, { ...ofKim, reaction: "🎉" }] };
const entryOfLee = { reaction: "👍", user: presentUser(lee), created_at: worldTime };
const entryOfKim = { reaction: "🎉", user: presentUser(kim), created_at: worldTime + 1 };
const hundred = numberedUsers(100);
const page = (query?: Record<string, string>) => ({ params: ofMessage, ...(query && { query }) });
const firstPage: World = {
  ...twoReactions,
  page: { operation: "messages.reactions.list", params: ofMessage, query: { limit: "1" } },
};

/** 31 reactions of two users. */
const thirtyOne = [...full, ...full.slice(0, 11).map(({ reaction }) => ({ reaction, user_id: "kim_01" }))];

const list = {
  "lists the oldest reaction first": {
    given: twoReactions,
    request: page(),
    response: { status: 200, body: { reactions: [entryOfLee, entryOfKim] } },
  },
  "responds with an empty page": {
    given: world,
    request: page(),
    response: { status: 200, body: { reactions: [] } },
  },
  "keeps a user who was deleted": {
    given: { ...twoReactions, deletedUsers: ["kim_01"] },
    request: page(),
    response: { status: 200, body: { reactions: [entryOfLee, entryOfKim] } },
  },
  "responds with 30 reactions and a cursor": {
    given: { ...world, reactions: thirtyOne },
    request: page(),
    response: {
      status: 200,
      body: {
        reactions: thirtyOne.slice(0, 30).map(({ reaction, user_id }, index) => ({
          reaction,
          user: presentUser(user_id === "kim_01" ? kim : lee),
          created_at: worldTime + index,
        })),
        next: "cursor",
      },
    },
  },
  "accepts limit 1": {
    given: twoReactions,
    request: page({ limit: "1" }),
    response: { status: 200, body: { reactions: [entryOfLee], next: "cursor" } },
  },
  "accepts limit 100": {
    given: {
      users: hundred,
      channels: [{ ...lunch, members: hundred.map(({ user_id }) => user_id) }],
      messages: [{ ...noon, user_id: "user_001" }],
      reactions: hundred.map(({ user_id }) => ({ reaction: "👍", user_id })),
    },
    request: page({ limit: "100" }),
    response: {
      status: 200,
      body: {
        reactions: hundred.map((user, index) => ({
          reaction: "👍",
          user: presentUser(user),
          created_at: worldTime + index,
        })),
      },
    },
  },
  "continues with only next": {
    given: firstPage,
    request: page({ next }),
    response: { status: 200, body: { reactions: [entryOfKim] } },
  },
} satisfies Interactions;

const three: World = {
  users: [kim, lee, park],
  channels: [{ ...lunch, members: ["kim_01", "lee_02", "park_03"] }],
  messages: [noon, { ...noon, content: "One?", at: worldTime + 6_000 }],
};
const [kimEntry, , parkEntry] = presentMembers([kim, lee, park]);
const marked = (user_id: string, number: number) => ({ channel_id: "room_1", user_id, message: number });
const read = (readers: readonly unknown[], member_count = 3) => ({
  status: 200,
  body: { readers, reader_count: readers.length, member_count },
});

/** The id is volatile. */
const withMark = (entry: object | undefined) => ({ ...entry, read_message_id: "1" });

const receipts = {
  "lists those whose mark is at the message or later": {
    given: { ...three, readMarks: [marked("park_03", 2), marked("kim_01", 1)] },
    request: { params: ofMessage },
    response: read([withMark(kimEntry), withMark(parkEntry)]),
  },
  "omits those whose mark is before the message": {
    given: { ...three, readMarks: [marked("park_03", 2), marked("kim_01", 1)] },
    request: { params: { ...ofMessage, message_id: message(2) } },
    response: read([withMark(parkEntry)]),
  },
  "omits the sender and those without a mark": {
    given: { ...three, readMarks: [marked("lee_02", 2)] },
    request: { params: ofMessage },
    response: read([]),
  },
  "omits users who left": {
    given: {
      ...three,
      channels: [{ ...lunch, members: ["kim_01", "lee_02"], formerMembers: ["park_03"] }],
      readMarks: [marked("kim_01", 1)],
    },
    request: { params: ofMessage },
    response: read([withMark(kimEntry)], 2),
  },
  "omits users who were deleted": {
    given: { ...three, readMarks: [marked("park_03", 1), marked("kim_01", 1)], deletedUsers: ["park_03"] },
    request: { params: ofMessage },
    response: read([withMark(kimEntry)], 2),
  },
  "shows who is muted": {
    given: { ...three, readMarks: [marked("kim_01", 1)], mutes: [moderated] },
    request: { params: ofMessage },
    response: read([withMark({ ...kimEntry, muted_until: 0 })]),
  },
  "keeps those who have read it when the message at their mark was deleted": {
    given: { ...three, readMarks: [marked("kim_01", 2)], deletedMessages: [2] },
    request: { params: ofMessage },
    response: read([withMark(kimEntry)]),
  },
} satisfies Interactions;

/** What messages show. */
export const shownReactions = {
  "responds with the reactions, in the order of their first use, and the pin": {
    given: { ...world, reactions: [ofLee, { ...ofLee, reaction: "🎉" }, ofKim], pins: [1] },
    request: { params: ofMessage },
    response: {
      status: 200,
      body: {
        ...presentMessage(noon, lee),
        reactions: [
          { reaction: "👍", count: 2 },
          { reaction: "🎉", count: 1 },
        ],
        pinned_at: worldTime,
      },
    },
  },
} satisfies Interactions;

const twoMessages: World = {
  ...world,
  messages: [noon, { ...noon, content: "One?", at: worldTime + 6_000 }],
};
const presented = (index: number) => {
  const sent = twoMessages.messages?.[index] ?? noon;
  return presentMessage(sent, lee);
};

/** Kim and Lee have reacted to a message, which is pinned and a reply. */
const asked: World = {
  ...world,
  messages: [noon, { ...noon, content: "One?", at: worldTime + 6_000, reply_to: message(1) }],
  reactions: [
    { ...ofLee, message: 2 },
    { ...ofKim, message: 2 },
    { ...ofLee, reaction: "🎉", message: 2 },
  ],
  pins: [2],
};
const answer = (...own: readonly boolean[]) => ({
  ...presentMessage({ ...noon, content: "One?", at: worldTime + 6_000, reply_to: message(1) }, lee),
  reactions: [
    { reaction: "👍", count: 2 },
    { reaction: "🎉", count: 1 },
  ].map((counted, index) => ({ ...counted, own: own[index] })),
  pinned_at: worldTime,
});

/** `as_user` in an operation that responds with messages. */
export function ownReactionsIn(
  operation: "messages.list" | "messages.get" | "messages.replies" | "channels.pins",
): Interactions {
  const inChannel = { channel_id: "room_1" };
  const bodyOf = {
    "messages.list": (one: object) => ({
      messages: [one, { ...presentMessage(noon, lee), reply_count: 1 }],
      newer: "cursor",
    }),
    "messages.get": (one: object) => one,
    "messages.replies": (one: object) => ({ messages: [one] }),
    "channels.pins": (one: object) => ({ messages: [one] }),
  }[operation];
  const ofOne = { ...inChannel, message_id: message(operation === "messages.get" ? 2 : 1) };
  const params = operation === "messages.list" || operation === "channels.pins" ? inChannel : ofOne;
  const request = (as_user: string) => ({ params, query: { as_user } });
  const accepted = {
    given: asked,
    request: request("kim_01"),
    response: { status: 200, body: bodyOf(answer(true, false)) },
  };
  return {
    "marks the reactions of a user": accepted,
    "marks no reaction of a user who has none": {
      given: { ...asked, users: [kim, lee, park] },
      request: request("park_03"),
      response: { status: 200, body: bodyOf(answer(false, false)) },
    },
    "rejects an as_user that does not exist": {
      given: asked,
      request: request("missing_user"),
      response: problem(404, "user_not_found"),
    },
    ...valueCases(accepted, "query", "as_user", {
      rejects: { "of 3 characters": "abc", "that is empty": "" },
    }),
  };
}

const pin = {
  "pins a message": { given: world, request: { params: ofMessage }, response: { status: 200 } },
  "changes nothing for a pinned message": {
    given: { ...world, pins: [1] },
    request: { params: ofMessage },
    response: { status: 200 },
  },
  "is allowed in a frozen channel": {
    given: { ...world, channels: [{ ...lunch, members: ["kim_01", "lee_02"], frozen: true }] },
    request: { params: ofMessage },
    response: { status: 200 },
  },
} satisfies Interactions;

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const history = { channel_id: "room_1", user_id: "kim_01", count: 51 };
const manyMessages: World = { users: [kim], channels: [{ ...lunch, members: ["kim_01"] }], history };
const lastMessage = { channel_id: "room_1", message_id: message(51) };

/** Four of them have a megabyte. */
const longText: NewMessage = { channel_id: "room_1", user_id: "kim_01", content: "😀".repeat(65_536) };
const pinnedTexts: World = {
  users: [kim],
  channels: [{ ...lunch, members: ["kim_01"] }],
  messages: Array.from({ length: 5 }, () => longText),
  pins: numbers(5),
};
const presentPinned = (number: number) => ({
  ...presentMessage(longText, kim),
  pinned_at: worldTime + number - 1,
});

const longPins = {
  "ends a page after a megabyte": {
    given: pinnedTexts,
    request: { params: { channel_id: "room_1" } },
    response: { status: 200, body: { messages: [5, 4, 3, 2].map(presentPinned), next: "cursor" } },
  },
  "continues with only next": {
    given: { ...pinnedTexts, page: { operation: "channels.pins", params: { channel_id: "room_1" } } },
    request: { params: { channel_id: "room_1" }, query: { next } },
    response: { status: 200, body: { messages: [presentPinned(1)] } },
  },
} satisfies Interactions;

export const reactions = {
  "messages.reactions.add": {
    ...add,
    ...rejections,
    ...valueCases(add["adds the first reaction"], "path", "reaction", texts),
  },
  "messages.reactions.remove": {
    ...remove,
    ...valueCases(remove["removes the only reaction"], "path", "reaction", texts),
  },
  "messages.reactions.list": {
    ...list,
    ...pageSizeCases(list["lists the oldest reaction first"], 1, 100),
    ...cursorCases(list["continues with only next"], {
      "another message": {
        ...twoMessages,
        reactions: [
          { ...ofLee, message: 2 },
          { ...ofKim, message: 2 },
        ],
        page: {
          operation: "messages.reactions.list",
          params: { channel_id: "room_1", message_id: message(2) },
          query: { limit: "1" },
        },
      },
    }),
  },
  "messages.pin": {
    ...pin,
    "pins the 50th message": {
      given: { ...manyMessages, pins: numbers(49) },
      request: { params: lastMessage },
      response: { status: 200 },
    },
    "changes nothing for one of 50 pinned messages": {
      given: { ...manyMessages, pins: numbers(50) },
      request: { params: ofMessage },
      response: { status: 200 },
    },
    "rejects the 51st message": {
      given: { ...manyMessages, pins: numbers(50) },
      request: { params: lastMessage },
      response: problem(409, "pin_limit_exceeded"),
    },
    "does not count pinned messages that were deleted": {
      given: { ...manyMessages, pins: numbers(50), deletedMessages: [50] },
      request: { params: lastMessage },
      response: { status: 200 },
    },
  },
  "messages.unpin": {
    "unpins a message": {
      given: { ...world, pins: [1] },
      request: { params: ofMessage },
      response: { status: 200 },
    },
    "changes nothing for a message that is not pinned": {
      given: world,
      request: { params: ofMessage },
      response: { status: 200 },
    },
  },
  "messages.readers": receipts,
  "channels.pins": {
    ...ownReactionsIn("channels.pins"),
    "lists the newest pin first": {
      given: { ...twoMessages, pins: [2, 1], reactions: [ofKim] },
      request: { params: { channel_id: "room_1" } },
      response: {
        status: 200,
        body: {
          messages: [
            { ...presented(0), reactions: [{ reaction: "👍", count: 1 }], pinned_at: worldTime + 1 },
            { ...presented(1), pinned_at: worldTime },
          ],
        },
      },
    },
    ...longPins,
    ...cursorCases(longPins["continues with only next"], {
      "a list of messages": {
        ...pinnedTexts,
        page: { operation: "messages.list", params: { channel_id: "room_1" }, query: { limit: "1" } },
      },
    }),
    "omits deleted messages": {
      given: { ...twoMessages, pins: [1, 2], deletedMessages: [2] },
      request: { params: { channel_id: "room_1" } },
      response: { status: 200, body: { messages: [{ ...presented(0), pinned_at: worldTime }] } },
    },
    "responds with an empty list": {
      given: world,
      request: { params: { channel_id: "room_1" } },
      response: { status: 200, body: { messages: [] } },
    },
  },
} satisfies InteractionsByOperation;

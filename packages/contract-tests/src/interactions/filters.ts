import { requiredFieldCases } from "../cases/body-cases";
import { valueCases } from "../cases/value-cases";
import { kim, lunch, presentChannel, presentMessage } from "../fixtures";
import type { Interactions, InteractionsByOperation } from "../interaction";
import { filter as filterId, message } from "../placeholders";
import { invalid, problem } from "../problem";
import { type NewFilter, type NewMessage, requestTime, type World, worldTime } from "../world";

const words: NewFilter = { label: "Advertising", words: ["buy now", "casino*"], action: "reject" };
const pattern: NewFilter = {
  label: "Phone numbers",
  pattern: "\\d{3}-\\d{4}",
  channel_ids: ["room_1"],
  action: "mask",
};
const { words: _, ...withoutWords } = words;
const params = { filter_id: filterId };
const room = { channel_id: "room_1" };
const present = ({ words: list, ...filter }: NewFilter) => ({
  filter_id: "flt_1",
  ...filter,
  ...(list && { word_count: list.length }),
  hit_count: 0,
  created_at: worldTime,
  updated_at: worldTime,
});
const createdNow = { created_at: requestTime, updated_at: requestTime };
const many = (count: number) => Array.from({ length: count }, () => words);

const labels = {
  accepts: { "of 1 character": "김", "of 80 emoji": "😀".repeat(80) },
  rejects: {
    "that is empty": "",
    "of 81 characters": "l".repeat(81),
    "with a line break": "a\nb",
    "set to null": null,
  },
};
const wordTexts = {
  rejects: {
    "that is empty": "",
    "of 101 characters": "w".repeat(101),
    "of nothing but *": "**",
    "of invisible characters": "\u200b\u00ad",
    "set to null": null,
  },
};
const patterns = {
  accepts: { "of 1,000 characters": `p${"(?:)".repeat(249)}ppp` },
  rejects: {
    "that is empty": "",
    "of 1,001 characters": "p".repeat(1_001),
    "that is no regular expression": "(",
    "with a look-ahead, which RE2 does not have": "a(?=b)",
    "with a back reference, which RE2 does not have": "(a)\\1",
    "that matches an empty text": "a*",
    "that is too large": "(?:[a-z]{100}){10}",
    "set to null": null,
  },
};

const create = {
  "creates a filter of words": {
    request: { body: words },
    response: { status: 201, body: { ...present(words), ...createdNow } },
  },
  "creates a filter with a pattern, in one channel": {
    request: { body: pattern },
    response: { status: 201, body: { ...present(pattern), ...createdNow } },
  },
  "stores a word that is repeated 10,000 times once": {
    request: { body: { ...words, words: Array.from({ length: 10_000 }, () => "casino") } },
    response: { status: 201, body: { ...present({ ...words, words: ["casino"] }), ...createdNow } },
  },
  "rejects 10,001 words": {
    request: { body: { ...words, words: Array.from({ length: 10_001 }, () => "casino") } },
    response: invalid("body", "words"),
  },
  "rejects a filter without words": {
    request: { body: { ...words, words: [] } },
    response: invalid("body", "words"),
  },
  "rejects words with a pattern": {
    request: { body: { ...words, pattern: "a" } },
    response: invalid("body", ""),
  },
  "rejects a filter with neither": {
    request: { body: withoutWords },
    response: invalid("body", ""),
  },
  "rejects 101 channels": {
    request: {
      body: { ...words, channel_ids: Array.from({ length: 101 }, (_, index) => `room_${index}`) },
    },
    response: invalid("body", "channel_ids"),
  },
  "creates the hundredth filter": {
    given: { filters: many(99) },
    request: { body: words },
    response: { status: 201, body: { ...present(words), ...createdNow } },
  },
  "rejects the filter after that": {
    given: { filters: many(100) },
    request: { body: words },
    response: problem(409, "filter_limit_exceeded"),
  },
} satisfies Interactions;

const update = {
  "sets the label": {
    given: { filters: [words] },
    request: { params, body: { label: "Spam" } },
    response: { status: 200, body: { ...present({ ...words, label: "Spam" }), updated_at: requestTime } },
  },
  "sets the action and the channels": {
    given: { filters: [words] },
    request: { params, body: { action: "report", channel_ids: ["room_1"] } },
    response: {
      status: 200,
      body: {
        ...present({ ...words, action: "report", channel_ids: ["room_1"] }),
        updated_at: requestTime,
      },
    },
  },
  "applies it in all channels": {
    given: { filters: [{ ...words, channel_ids: ["room_1"] }] },
    request: { params, body: { channel_ids: null } },
    response: { status: 200, body: { ...present(words), updated_at: requestTime } },
  },
  "replaces words by others": {
    given: { filters: [words] },
    request: { params, body: { words: ["poker"] } },
    response: { status: 200, body: { ...present({ ...words, words: ["poker"] }), updated_at: requestTime } },
  },
  "replaces words by a pattern": {
    given: { filters: [words] },
    request: { params, body: { pattern: "poker" } },
    response: {
      status: 200,
      body: { ...present({ ...withoutWords, pattern: "poker" }), updated_at: requestTime },
    },
  },
  "replaces a pattern by words": {
    given: { filters: [pattern] },
    request: { params, body: { words: ["poker"] } },
    response: {
      status: 200,
      body: {
        ...present({
          label: pattern.label,
          words: ["poker"],
          channel_ids: ["room_1"],
          action: "mask",
        }),
        updated_at: requestTime,
      },
    },
  },
} satisfies Interactions;

const tried = {
  "says what words find": {
    request: { body: { words: words.words, text: "Buy  NOW, only today." } },
    response: { status: 200, body: { matches: true, masked: "********, only today." } },
  },
  "finds a pattern": {
    request: { body: { pattern: pattern.pattern, text: "Call 555-1234." } },
    response: { status: 200, body: { matches: true, masked: "Call ********." } },
  },
  "finds nothing": {
    request: { body: { words: ["casino"], text: "Casinos" } },
    response: { status: 200, body: { matches: false, masked: "Casinos" } },
  },
} satisfies Interactions;

const world: World = { users: [kim], channels: [{ ...lunch, members: ["kim_01"] }] };

const slowMode = {
  "begins slow mode": {
    given: world,
    request: { params: room, body: { seconds: 30 } },
    response: {
      status: 200,
      body: { ...presentChannel(lunch), slow_mode_seconds: 30, updated_at: requestTime },
    },
  },
  "ends slow mode": {
    given: { ...world, channels: [{ ...lunch, slowModeSeconds: 30 }] },
    request: { params: room, body: { seconds: 0 } },
    response: { status: 200, body: { ...presentChannel(lunch), updated_at: requestTime } },
  },
} satisfies Interactions;

const hello: NewMessage = { channel_id: "room_1", user_id: "kim_01", content: "Hello", at: requestTime };
const say = (content: string, more: object = {}) => ({
  params: room,
  body: { user_id: "kim_01", type: "text", content, ...more },
});
const rejected = problem(422, "message_rejected", undefined, { check: "filter", filter_id: "flt_1" });
const masking: NewFilter = { ...words, action: "mask" };
const slow: World = {
  ...world,
  channels: [{ ...lunch, members: ["kim_01"], slowModeSeconds: 21_600 }],
  messages: [{ channel_id: "room_1", user_id: "kim_01", content: "Hi" }],
};

/** Of `messages.send`. */
export const checkedSends = {
  "rejects a word of a filter": {
    given: { ...world, filters: [words] },
    request: say("BUY  n\u00adow!"),
    response: rejected,
  },
  "rejects a word that continues": {
    given: { ...world, filters: [words] },
    request: say("Casinos"),
    response: rejected,
  },
  "stores a word of which a filter has only the beginning": {
    given: { ...world, filters: [words] },
    request: say("Buy nowhere"),
    response: { status: 201, body: presentMessage({ ...hello, content: "Buy nowhere" }, kim) },
  },
  "stores what a filter of another channel finds": {
    given: { ...world, filters: [{ ...words, channel_ids: ["room_2"] }] },
    request: say("Buy now"),
    response: { status: 201, body: presentMessage({ ...hello, content: "Buy now" }, kim) },
  },
  "masks what a pattern finds": {
    given: { ...world, filters: [pattern] },
    request: say("Call 555-1234 now"),
    response: { status: 201, body: presentMessage({ ...hello, content: "Call ******** now" }, kim) },
  },
  "stores what a filter reports": {
    given: { ...world, filters: [{ ...words, action: "report" }] },
    request: say("Buy now"),
    response: { status: 201, body: presentMessage({ ...hello, content: "Buy now" }, kim) },
  },
  "compares no system message with filters": {
    given: { ...world, filters: [words] },
    request: { params: room, body: { type: "system", content: "Buy now" } },
    response: {
      status: 201,
      body: presentMessage({ channel_id: "room_1", content: "Buy now", at: requestTime }),
    },
  },
  "names another reason before that of a filter": {
    given: { users: [kim], channels: [lunch], filters: [words] },
    request: say("Buy now"),
    response: problem(403, "not_a_participant"),
  },
  "rejects a second message in slow mode": {
    given: slow,
    request: say("Hi again"),
    response: problem(429, "slow_mode"),
  },
  "names slow mode before a filter": {
    given: { ...slow, filters: [words] },
    request: say("Buy now"),
    response: problem(429, "slow_mode"),
  },
  "lets a manager send in slow mode": {
    given: {
      ...slow,
      channels: [{ ...lunch, members: ["kim_01"], managers: ["kim_01"], slowModeSeconds: 21_600 }],
    },
    request: say("Hello"),
    response: { status: 201, body: presentMessage(hello, kim) },
  },
} satisfies Interactions;

const ofMessage = { ...room, message_id: message(1) };
const withText = (content: string, more: Partial<NewMessage> = {}): World => ({
  ...world,
  messages: [{ channel_id: "room_1", user_id: "kim_01", content, ...more }],
});

/** Of `messages.update`. */
export const checkedEdits = {
  "rejects a word of a filter": {
    given: { ...withText("Hi"), filters: [words] },
    request: { params: ofMessage, body: { content: "Buy now" } },
    response: rejected,
  },
} satisfies Interactions;

/** Of `messages.append`. */
export const checkedAppends = {
  "rejects a word that began with an earlier append": {
    given: { ...withText("", { appends: ["Buy n"] }), filters: [words] },
    request: { params: ofMessage, body: { index: 1, content: "ow!" } },
    response: rejected,
  },
  "stores a word that may still continue": {
    given: { ...withText("", { appends: ["Buy n"] }), filters: [words] },
    request: { params: ofMessage, body: { index: 1, content: "ow" } },
    response: { status: 200, body: { append_count: 2 } },
  },
} satisfies Interactions;

/** Of `messages.finish`. */
export const checkedEndings = {
  "rejects a word in what was appended": {
    given: { ...withText("", { appends: ["Buy n", "ow"] }), filters: [words] },
    request: { params: ofMessage, body: { state: "done" } },
    response: rejected,
  },
  "masks a word in what was appended": {
    given: { ...withText("", { appends: ["Buy n", "ow"] }), filters: [masking] },
    request: { params: ofMessage, body: { state: "done" } },
    response: {
      status: 200,
      body: {
        ...presentMessage({ channel_id: "room_1", user_id: "kim_01", content: "*******" }, kim),
        updated_at: requestTime,
      },
    },
  },
} satisfies Interactions;

/** Of `messages.sendMany`. */
export const checkedAnnouncements = {
  "reports for each channel whether a filter rejects the text there": {
    given: {
      users: [kim],
      channels: [
        { ...lunch, members: ["kim_01"] },
        { ...lunch, channel_id: "room_2", members: ["kim_01"] },
      ],
      filters: [{ ...words, channel_ids: ["room_2"] }],
    },
    request: {
      body: { channel_ids: ["room_1", "room_2"], user_id: "kim_01", type: "text", content: "Buy now" },
    },
    response: {
      status: 200,
      body: {
        results: [
          { channel_id: "room_1", message: presentMessage({ ...hello, content: "Buy now" }, kim) },
          { channel_id: "room_2", code: "message_rejected" },
        ],
      },
    },
  },
} satisfies Interactions;

export const filters = {
  "channels.setSlowMode": {
    ...slowMode,
    ...valueCases(slowMode["begins slow mode"], "body", "seconds", {
      rejects: {
        "of 21,601": 21_601,
        "that is negative": -1,
        "with a fraction": 1.5,
        "set to a string": "30",
        "set to null": null,
      },
    }),
    ...requiredFieldCases(slowMode["begins slow mode"], ["seconds"]),
  },
  "filters.create": {
    ...create,
    ...valueCases(create["creates a filter of words"], "body", "label", labels),
    ...valueCases(create["creates a filter of words"], "body", "words.0", wordTexts),
    ...valueCases(create["creates a filter with a pattern, in one channel"], "body", "pattern", patterns),
    ...valueCases(create["creates a filter of words"], "body", "action", {
      rejects: { "that is unknown": "delete", "set to null": null },
    }),
    ...requiredFieldCases(create["creates a filter of words"], ["label", "action"]),
  },
  "filters.list": {
    "responds with the filters, oldest first, without words": {
      given: { filters: [words, pattern] },
      response: { status: 200, body: { filters: [present(words), present(pattern)] } },
    },
    "responds with an empty list": { response: { status: 200, body: { filters: [] } } },
  },
  "filters.try": {
    ...tried,
    ...valueCases(tried["finds a pattern"], "body", "pattern", { rejects: patterns.rejects }),
    ...valueCases(tried["says what words find"], "body", "words.0", wordTexts),
    ...valueCases(tried["says what words find"], "body", "text", {
      rejects: { "of 65,537 characters": "t".repeat(65_537), "with a NUL": "t\0", "set to null": null },
    }),
    ...requiredFieldCases(tried["finds a pattern"], ["text"]),
  },
  "filters.get": {
    "responds with the words": {
      given: { filters: [words] },
      request: { params },
      response: { status: 200, body: { ...present(words), words: words.words } },
    },
    "responds with the pattern": {
      given: { filters: [pattern] },
      request: { params },
      response: { status: 200, body: present(pattern) },
    },
    "rejects an unknown filter": {
      request: { params: { filter_id: "flt_none" } },
      response: problem(404, "filter_not_found"),
    },
  },
  "filters.update": {
    ...update,
    ...valueCases(update["sets the label"], "body", "label", labels),
    ...valueCases(update["replaces words by others"], "body", "words.0", wordTexts),
    ...valueCases(update["replaces words by a pattern"], "body", "pattern", { rejects: patterns.rejects }),
    ...requiredFieldCases(update["sets the label"], []),
    "rejects a body without a field": { request: { params, body: {} }, response: invalid("body", "") },
    "rejects words with a pattern": {
      request: { params, body: { words: ["a"], pattern: "a" } },
      response: invalid("body", ""),
    },
    "rejects an unknown filter": {
      request: { params: { filter_id: "flt_none" }, body: { label: "Spam" } },
      response: problem(404, "filter_not_found"),
    },
  },
  "filters.delete": {
    "deletes the filter": {
      given: { filters: [words] },
      request: { params },
      response: { status: 200 },
    },
    "rejects an unknown filter": {
      request: { params: { filter_id: "flt_none" } },
      response: problem(404, "filter_not_found"),
    },
  },
} satisfies InteractionsByOperation;

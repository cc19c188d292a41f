import type { Interaction, InteractionsByOperation } from "../interaction";
import { listHistory, presentMessage } from "../messages";
import { missingChannelRules } from "../missing-rules";
import { cursorRefusals, pageSizeRefusals } from "../page-rules";
import { kim, lee } from "../people";
import { invalid } from "../refusal";
import { requestRules } from "../request-rules";
import { room } from "../rooms";
import { earlierNext } from "../stand-ins";
import { idRule } from "../text-rules";
import { rule } from "../variants";
import { type NewMessage, type World, worldTime } from "../world";

const ours = { ...room, members: [kim.user_id, lee.user_id] };
const params = { channel_id: room.channel_id };
const base: World = { users: [kim, lee], channels: [ours] };

const text: NewMessage = { channel_id: room.channel_id, user_id: kim.user_id, content: "Noon?" };
const file: NewMessage = {
  channel_id: room.channel_id,
  user_id: lee.user_id,
  file: { type: "image/png", name: "menu.png", url: "https://example.com/menu.png", size: 48_213 },
  meta: { floor: "two" },
  at: worldTime + 1,
};

const exported = (messages: readonly NewMessage[], more: object = {}) => ({
  status: 200,
  body: {
    messages: messages.map((message) => presentMessage(message, message.user_id === kim.user_id ? kim : lee)),
    timezone: "UTC",
    ...more,
  },
});
const all: Interaction = {
  given: { ...base, messages: [text, file] },
  request: { params },
  response: exported([file, text]),
};

const historyOf = (count: number) => ({ channel_id: room.channel_id, user_id: kim.user_id, count });
const withHistory = (count: number): World => ({ ...base, history: historyOf(count) });
const pageOf = (count: number, limit: string, query: Readonly<Record<string, string>> = {}): World => ({
  ...withHistory(count),
  page: { operation: "exports.messages", params, query: { limit, ...query } },
});
const pageOfOurs = pageOf(101, "100");
const lastPage = exported(listHistory(historyOf(101), 1));

const inSeoul = { start_date: "2023-01-01", end_date: "2023-12-31", timezone: "Asia/Seoul" };

/** Messages around the first and the last moment of some days: those inside are answered, those beside are not. */
function days(query: Readonly<Record<string, string>>, first: string, last: string): Interaction {
  const at = (time: string, shift: number) => ({ ...text, at: Date.parse(time) + shift });
  const inside = [at(last, 0), at(first, 0)];
  return {
    given: { ...base, messages: [at(first, -1), at(first, 0), at(last, 0), at(last, 1)] },
    request: { params, query },
    response: exported(inside, query.timezone === undefined ? {} : { timezone: query.timezone }),
  };
}

const oneDay = (date: string, timezone: string) => ({ start_date: date, end_date: date, timezone });
const ask = (query: Readonly<Record<string, string>>): Interaction => ({
  ...all,
  request: { params, query },
});

const dateRule = {
  accepts: {
    "in a leap year": "2020-02-29",
    "of long ago": "0001-01-01",
  },
  refuses: {
    "that does not exist": "2023-02-29",
    "of a month that does not exist": "2023-13-01",
    "of the day 0": "2023-01-00",
    "with a time": "2023-01-01T00:00:00Z",
    "without hyphens": "20230101",
    "with single digits": "2023-1-1",
    "with a space": " 2023-01-01",
    "with a sign": "+2023-01-01",
    "that is empty": "",
    "that is a word": "yesterday",
  },
};

export const exports = {
  "exports.messages": {
    "answers the messages, newest first, with their senders and files": all,
    "answers no messages": { given: base, request: { params }, response: exported([]) },
    "answers 100 messages, and where the next page begins": {
      given: withHistory(101),
      request: { params },
      response: exported(listHistory(historyOf(101), 101, 2), { next: "cursor" }),
    },
    "answers no cursor when no further message exists": {
      given: withHistory(100),
      request: { params },
      response: exported(listHistory(historyOf(100))),
    },
    "accepts limit 100": {
      given: withHistory(101),
      request: { params, query: { limit: "100" } },
      response: exported(listHistory(historyOf(101), 101, 2), { next: "cursor" }),
    },
    "accepts limit 1000": {
      given: withHistory(1_001),
      request: { params, query: { limit: "1000" } },
      response: exported(listHistory(historyOf(1_001), 1_001, 2), { next: "cursor" }),
    },
    "accepts limit 0100, which is digits alone": {
      given: withHistory(101),
      request: { params, query: { limit: "0100" } },
      response: exported(listHistory(historyOf(101), 101, 2), { next: "cursor" }),
    },
    ...pageSizeRefusals({ below: 99, above: 1_001 }, (limit) => ({
      ...all,
      request: { params, query: { limit } },
    })),
    "puts the later of two messages of one moment first": {
      given: { ...base, messages: [text, { ...file, at: worldTime }] },
      request: { params },
      response: exported([{ ...file, at: worldTime }, text]),
    },
    "shows the sender of a deleted user as it last was": {
      ...all,
      given: { ...base, messages: [text, file], deletedUsers: [lee.user_id] },
    },
    "answers no message of another channel": {
      ...all,
      given: {
        users: [kim, lee],
        channels: [ours, { ...ours, channel_id: "room_2" }],
        messages: [text, { ...text, channel_id: "room_2" }, file],
      },
    },
    "keeps hostile text as it is": ((message: NewMessage) => ({
      given: { ...base, messages: [message] },
      request: { params },
      response: exported([message]),
    }))({
      ...text,
      content: `"\\\n\u2028</script>😀\u0001\ufffe`,
      meta: Object.fromEntries([
        ["__proto__", "kept"],
        ["constructor", `"\\\n😀`],
      ]),
    }),

    "goes on by next alone": {
      given: pageOfOurs,
      request: { params, query: { next: earlierNext } },
      response: lastPage,
    },
    "goes on with the dates and the zone of the first page": {
      given: pageOf(101, "100", inSeoul),
      request: { params, query: { next: earlierNext } },
      response: exported(listHistory(historyOf(101), 1), { timezone: "Asia/Seoul" }),
    },
    "accepts parameters beside next that agree with it": {
      given: pageOf(101, "100", inSeoul),
      request: { params, query: { next: earlierNext, limit: "100", ...inSeoul } },
      response: exported(listHistory(historyOf(101), 1), { timezone: "Asia/Seoul" }),
    },
    ...Object.fromEntries(
      Object.entries({ limit: "101", start_date: "2023-01-02", end_date: "2023-12-30", timezone: "UTC" }).map(
        ([name, value]): [string, Interaction] => [
          `refuses a ${name} beside next that differs`,
          {
            given: pageOf(101, "100", inSeoul),
            request: { params, query: { next: earlierNext, [name]: value } },
            response: invalid("query", name),
          },
        ],
      ),
    ),
    ...cursorRefusals(
      pageOfOurs,
      {
        "another channel": {
          ...pageOfOurs,
          channels: [ours, { ...ours, channel_id: "room_2" }],
          history: { ...historyOf(101), channel_id: "room_2" },
          page: { operation: "exports.messages", params: { channel_id: "room_2" }, query: { limit: "100" } },
        },
        "another list": {
          ...base,
          channels: Array.from({ length: 6 }, (_, index) => ({ ...ours, channel_id: `room_${index + 1}` })),
          page: { operation: "channels.list", query: { limit: "5" } },
        },
      },
      (next) => ({ request: { params, query: { next } }, response: lastPage }),
    ),

    "answers whole days, both inclusive": days(
      { start_date: "2024-02-28", end_date: "2024-03-01" },
      "2024-02-28T00:00:00.000Z",
      "2024-03-01T23:59:59.999Z",
    ),
    "answers whole days of the zone": days(
      { start_date: "2024-01-01", end_date: "2024-01-31", timezone: "Asia/Seoul" },
      "2023-12-31T15:00:00.000Z",
      "2024-01-31T14:59:59.999Z",
    ),
    "answers a day of 23 hours": days(
      oneDay("2024-03-10", "America/New_York"),
      "2024-03-10T05:00:00.000Z",
      "2024-03-11T03:59:59.999Z",
    ),
    "answers a day of 25 hours": days(
      oneDay("2024-11-03", "America/New_York"),
      "2024-11-03T04:00:00.000Z",
      "2024-11-04T04:59:59.999Z",
    ),
    "answers a day that has no midnight": days(
      oneDay("2024-03-31", "Asia/Beirut"),
      "2024-03-30T22:00:00.000Z",
      "2024-03-31T20:59:59.999Z",
    ),
    "answers from a day on": {
      given: { ...base, messages: [text, { ...file, at: Date.parse("2024-01-01T00:00:00Z") }] },
      request: { params, query: { start_date: "2024-01-01" } },
      response: exported([{ ...file, at: Date.parse("2024-01-01T00:00:00Z") }]),
    },
    "answers up to a day": {
      given: { ...base, messages: [text, { ...file, at: Date.parse("2024-01-01T00:00:00Z") }] },
      request: { params, query: { end_date: "2023-12-31" } },
      response: exported([text]),
    },
    "refuses a start_date after end_date": {
      ...ask({ start_date: "2023-01-02", end_date: "2023-01-01" }),
      response: invalid("query", "start_date"),
    },
    ...rule("query", "start_date", dateRule, (start_date) => ask({ start_date })),
    ...rule(
      "query",
      "end_date",
      { accepts: { "far ahead": "9999-12-31" }, refuses: dateRule.refuses },
      (end_date) => ask({ end_date }),
    ),
    ...rule(
      "query",
      "timezone",
      {
        accepts: {
          UTC: "UTC",
          "Area/City": "Asia/Seoul",
          "Area/Country/City": "America/Argentina/Buenos_Aires",
        },
        refuses: {
          "that is an offset": "+09:00",
          "that is an abbreviation": "KST",
          "that is a city": "Seoul",
          "that does not exist": "Asia/Nowhere",
          "in another case": "asia/seoul",
          "of an area that is none": "SystemV/EST5",
          "that is empty": "",
          "with a space": "Asia/Seoul ",
          "that climbs": "../../etc/passwd",
        },
      },
      (timezone) => ({ ...ask({ timezone }), response: exported([file, text], { timezone }) }),
    ),
    "refuses a timezone given twice": {
      ...all,
      request: { params, query: { timezone: ["UTC", "UTC"] } },
      response: invalid("query", "timezone"),
    },
    ...rule("path", "channel_id", idRule, (channel_id) => ({
      given: { ...base, channels: [{ ...ours, channel_id }], messages: [{ ...text, channel_id }] },
      request: { params: { channel_id } },
      response: exported([{ ...text, channel_id }]),
    })),
    ...missingChannelRules(all, room.channel_id),
    ...requestRules(all),
  },
} satisfies InteractionsByOperation;

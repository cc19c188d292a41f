import type { Interaction, InteractionsByOperation } from "../interaction";
import { missingChannelRules } from "../missing-rules";
import { cursorRefusals, pageSizeRefusals } from "../page-rules";
import { kim, people } from "../people";
import { invalid } from "../refusal";
import { bodyRules, requestRules, requiredRules } from "../request-rules";
import { presentChannel, room } from "../rooms";
import { earlierNext } from "../stand-ins";
import { idRule, textRule } from "../text-rules";
import { rule } from "../variants";
import { type NewChannel, requestTime, type World } from "../world";

const nameRule = textRule({ minLength: 1, maxLength: 150 });
const urlRule = textRule({ minLength: 0, maxLength: 2_048 });
/** An empty address says "none". */
const withUrl = (profile_url: string) => (profile_url === "" ? room : { ...room, profile_url });

const update = (channel: NewChannel, body: object, stored: NewChannel): Interaction => ({
  given: { channels: [channel] },
  request: { params: { channel_id: channel.channel_id }, body },
  response: { status: 200, body: presentChannel(stored, { updated_at: requestTime }) },
});
const updated = update(room, { name: "Dinner" }, { ...room, name: "Dinner" });

const deleted = (channel: NewChannel): Interaction => ({
  given: { channels: [channel] },
  request: { params: { channel_id: channel.channel_id } },
  response: { status: 200 },
});

const got = (channel: NewChannel): Interaction => ({
  given: { channels: [channel] },
  request: { params: { channel_id: channel.channel_id } },
  response: { status: 200, body: presentChannel(channel) },
});

const rooms = (count: number): readonly NewChannel[] =>
  people(count).map(({ user_id, at = 0 }, index) => ({
    channel_id: user_id.replace("user", "room"),
    name: `Room ${index + 1}`,
    at,
  }));
/** The channels from the one numbered `first` down to the one numbered `last`: newest first. */
const page = (first: number, last: number, next?: string) => ({
  status: 200,
  body: {
    channels: rooms(first)
      .slice(last - 1)
      .reverse()
      .map((channel) => presentChannel(channel)),
    ...(next !== undefined && { next }),
  },
});
const pageOfRooms: World = {
  channels: rooms(6),
  page: { operation: "channels.list", query: { limit: "5" } },
};
const pageOfUsers: World = { users: people(6), page: { operation: "users.list", query: { limit: "5" } } };

const freeze = (channel: NewChannel, body: { freeze: boolean }): Interaction => ({
  given: { channels: [channel] },
  request: { params: { channel_id: channel.channel_id }, body },
  response: {
    status: 200,
    body: presentChannel({ ...channel, frozen: body.freeze }, { updated_at: requestTime }),
  },
});
const frozen = freeze(room, { freeze: true });

const ours: NewChannel = { ...room, members: [kim.user_id] };
const fileReference = {
  type: "image/png",
  name: "menu.png",
  url: "https://example.com/menu.png",
  size: 48_213,
};

export const channels = {
  "channels.list": {
    "answers 15 channels, newest first, and where the next page begins": {
      given: { channels: rooms(16) },
      response: page(16, 2, "cursor"),
    },
    "answers no cursor when no further channel exists": {
      given: { channels: rooms(15) },
      response: page(15, 1),
    },
    "answers an empty page": { response: { status: 200, body: { channels: [] } } },
    "accepts limit 5": {
      given: { channels: rooms(6) },
      request: { query: { limit: "5" } },
      response: page(6, 2, "cursor"),
    },
    "accepts limit 30": {
      given: { channels: rooms(31) },
      request: { query: { limit: "30" } },
      response: page(31, 2, "cursor"),
    },
    ...pageSizeRefusals({ below: 4, above: 31 }, (limit) => ({
      request: { query: { limit } },
      response: page(0, 1),
    })),
    "leaves deleted channels out": {
      given: { channels: rooms(3), deletedChannels: ["room_003"] },
      response: page(2, 1),
    },
    "goes on by next alone": {
      given: pageOfRooms,
      request: { query: { next: earlierNext } },
      response: page(1, 1),
    },
    "refuses a limit beside next that differs": {
      given: pageOfRooms,
      request: { query: { next: earlierNext, limit: "6" } },
      response: invalid("query", "limit"),
    },
    ...cursorRefusals(pageOfRooms, { "another list": pageOfUsers }, (next) => ({
      request: { query: { next } },
      response: page(1, 1),
    })),
    ...requestRules({ given: { channels: rooms(1) }, response: page(1, 1) }),
  },

  "channels.get": {
    "answers the channel": got({
      ...room,
      profile_url: "https://example.com/lunch.png",
      meta: { floor: "two" },
    }),
    "answers a frozen channel": got({ ...room, frozen: true }),
    "counts messages, and files in both counters": {
      given: {
        users: [kim],
        channels: [ours],
        messages: [
          { channel_id: room.channel_id, user_id: kim.user_id, content: "Noon?" },
          { channel_id: room.channel_id, user_id: kim.user_id, file: fileReference },
        ],
      },
      request: { params: { channel_id: room.channel_id } },
      response: { status: 200, body: presentChannel(room, { total_message_count: 2, total_file_count: 1 }) },
    },
    ...rule("path", "channel_id", idRule, (channel_id) => got({ ...room, channel_id })),
    ...missingChannelRules(got(room), room.channel_id),
    ...requestRules(got(room)),
  },

  "channels.update": {
    "sets the name": updated,
    "keeps everything else": update(
      { ...room, profile_url: "https://example.com/lunch.png", meta: { floor: "two" }, frozen: true },
      { name: "Dinner" },
      {
        ...room,
        name: "Dinner",
        profile_url: "https://example.com/lunch.png",
        meta: { floor: "two" },
        frozen: true,
      },
    ),
    "clears the picture by an empty address": update(
      { ...room, profile_url: "https://example.com/lunch.png" },
      { name: "Lunch", profile_url: "" },
      room,
    ),
    ...rule("path", "channel_id", idRule, (channel_id) =>
      update({ ...room, channel_id }, { name: "Dinner" }, { channel_id, name: "Dinner" }),
    ),
    ...rule("body", "name", nameRule, (name) => update(room, { name }, { ...room, name })),
    ...rule("body", "profile_url", urlRule, (profile_url) =>
      update(room, { name: room.name, profile_url }, withUrl(profile_url)),
    ),
    ...missingChannelRules(updated, room.channel_id),
    ...requiredRules(updated, ["name"]),
    ...bodyRules(updated),
    ...requestRules(updated),
  },

  "channels.freeze": {
    "freezes the channel": frozen,
    "unfreezes the channel": freeze({ ...room, frozen: true }, { freeze: false }),
    "changes nothing in a channel that is frozen": {
      ...frozen,
      given: { channels: [{ ...room, frozen: true }] },
      response: got({ ...room, frozen: true }).response,
    },
    ...rule(
      "body",
      "freeze",
      { accepts: {}, refuses: { "that is a text": "true", "that is a number": 1, "that is null": null } },
      (value) => ({ ...frozen, request: { ...frozen.request, body: { freeze: value } } }),
    ),
    ...rule("path", "channel_id", idRule, (channel_id) => freeze({ ...room, channel_id }, { freeze: true })),
    ...missingChannelRules(frozen, room.channel_id),
    ...requiredRules(frozen, ["freeze"]),
    ...bodyRules(frozen),
    ...requestRules(frozen),
  },

  "channels.delete": {
    "deletes the channel": deleted(room),
    "deletes a channel with members, managers and messages": {
      ...deleted(room),
      given: {
        users: [kim],
        channels: [{ ...room, members: [kim.user_id], managers: [kim.user_id] }],
        messages: [{ channel_id: room.channel_id, user_id: kim.user_id, content: "Noon?" }],
      },
    },
    ...rule("path", "channel_id", idRule, (channel_id) => deleted({ ...room, channel_id })),
    ...missingChannelRules(deleted(room), room.channel_id),
    ...bodyRules(deleted(room)),
    ...requestRules(deleted(room)),
  },
} satisfies InteractionsByOperation;

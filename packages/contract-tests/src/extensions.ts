import type { Interaction, InteractionsOf } from "./interaction";
import { presentMessage } from "./messages";
import { metaRule } from "./meta-rule";
import { missingChannelRules, missingUserRules } from "./missing-rules";
import { cursorRefusals, pageSizeRefusals } from "./page-rules";
import { kim, people, presentUser } from "./people";
import { invalid, refusal } from "./refusal";
import { bodyRules, requestRules, requiredRules } from "./request-rules";
import { presentChannel, room } from "./rooms";
import { deletedSubKey, earlierNext, existingSubKey } from "./stand-ins";
import { bodyIdRule, idRule, textRule } from "./text-rules";
import { rule } from "./variants";
import { type NewChannel, type NewMessage, type NewUser, requestTime, type World } from "./world";

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
  page: { operation: "extensions.listChannels", query: { limit: "5" } },
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

/** Kim sends into a room. */
const send = (content: Omit<NewMessage, "channel_id" | "user_id">, channel = ours): Interaction => {
  const type = content.file === undefined ? "text" : "file";
  const message = { channel_id: channel.channel_id, user_id: kim.user_id, ...content, at: requestTime };
  return {
    given: { users: [kim], channels: [channel] },
    request: {
      params: { channel_id: channel.channel_id },
      body: { user_id: kim.user_id, type, ...content },
    },
    response: { status: 201, body: presentMessage(message, kim) },
  };
};
const sent = send({ content: "Noon?" });
const sendFile = (field: string, value: unknown): Interaction =>
  send({ file: { ...fileReference, [field]: value } });
const withBody = (change: object, response = sent.response): Interaction => ({
  ...sent,
  request: { ...sent.request, body: { ...Object(sent.request?.body), ...change } },
  response,
});

const revoked = (user_id: string, channel_id = room.channel_id): Interaction => ({
  given: { users: [{ ...kim, user_id }], channels: [{ ...room, channel_id, managers: [user_id] }] },
  request: { params: { channel_id, user_id } },
  response: { status: 200 },
});

type Meta = NonNullable<NewUser["meta"]>;

const deletedKey = (key: string, before: Meta, after: Meta, user = kim): Interaction => ({
  given: { users: [{ ...user, meta: before }] },
  request: { params: { user_id: user.user_id, key } },
  response: { status: 200, body: presentUser({ ...user, meta: after }, { updated_at: requestTime }) },
});

const revokedKey: Interaction = {
  given: { subKeys: 1 },
  request: { body: { key: existingSubKey } },
  response: { status: 200 },
};

export const extensions = {
  "extensions.getChannel": {
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

  "extensions.listChannels": {
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

  "extensions.freezeChannel": {
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

  "extensions.revokeManager": {
    "ends the role": revoked(kim.user_id),
    "refuses one who is no manager": {
      ...revoked(kim.user_id),
      given: { users: [kim], channels: [{ ...room, members: [kim.user_id] }] },
      response: refusal(404, "manager_not_found"),
    },
    "refuses an id that nobody has": {
      ...revoked(kim.user_id),
      request: { params: { channel_id: room.channel_id, user_id: "nobody" } },
      response: refusal(404, "user_not_found"),
    },
    "refuses an id that no channel has": {
      ...revoked(kim.user_id),
      request: { params: { channel_id: "nowhere", user_id: kim.user_id } },
      response: refusal(404, "channel_not_found"),
    },
    ...rule("path", "channel_id", idRule, (channel_id) => revoked(kim.user_id, channel_id)),
    ...rule("path", "user_id", idRule, (user_id) => revoked(user_id)),
    ...bodyRules(revoked(kim.user_id)),
    ...requestRules(revoked(kim.user_id)),
  },

  "extensions.deleteMetaKey": {
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

  "extensions.revokeKey": {
    "deletes the key": revokedKey,
    "refuses to delete a key twice": {
      given: { hadSubKey: true },
      request: { body: { key: deletedSubKey } },
      response: refusal(404, "key_not_found"),
    },
    "refuses a key with a NUL": { request: { body: { key: "sk_\0" } }, response: invalid("body", "key") },
    ...requiredRules(revokedKey, ["key"]),
    ...bodyRules({
      request: { body: { key: "sk_0123456789" } },
      response: refusal(404, "key_not_found"),
    }),
    ...requestRules(revokedKey, "master_key"),
  },

  "extensions.sendMessage": {
    "stores a text": sent,
    "stores a file": send({ file: fileReference, meta: { floor: "two" } }),
    "stores a message of a manager who does not take part": send(
      { content: "Noon?" },
      { ...room, managers: [kim.user_id] },
    ),
    "stores a message of a manager in a frozen channel": send(
      { content: "Noon?" },
      { ...ours, managers: [kim.user_id], frozen: true },
    ),
    "refuses a message of a participant in a frozen channel": {
      ...send({ content: "Noon?" }, { ...ours, frozen: true }),
      response: refusal(403, "channel_frozen"),
    },
    "refuses a message of one who was a manager in a frozen channel": {
      ...send({ content: "Noon?" }, { ...ours, formerManagers: [kim.user_id], frozen: true }),
      response: refusal(403, "channel_frozen"),
    },
    "refuses a message of one who does not take part": {
      ...send({ content: "Noon?" }, { ...room, formerMembers: [kim.user_id] }),
      response: refusal(403, "not_a_participant"),
    },
    ...missingUserRules(sent, "user_id", kim.user_id),
    ...missingChannelRules(sent, room.channel_id),
    ...rule("body", "content", textRule({ minLength: 1, maxLength: 8_192 }), (content) => send({ content })),
    ...rule("body", "file.type", textRule({ minLength: 1, maxLength: 255 }), (type) =>
      sendFile("type", type),
    ),
    ...rule("body", "file.name", textRule({ minLength: 1, maxLength: 255 }), (name) =>
      sendFile("name", name),
    ),
    ...rule("body", "file.url", textRule({ minLength: 1, maxLength: 2_048 }), (url) => sendFile("url", url)),
    ...rule(
      "body",
      "file.size",
      {
        accepts: { "of 0 bytes": 0, "of the largest whole number": Number.MAX_SAFE_INTEGER },
        refuses: {
          "below 0": -1,
          "with a fraction": 0.5,
          "above the largest whole number": 2 ** 53,
          "that is a text": "1",
          "that is null": null,
        },
      },
      (size) => sendFile("size", size),
    ),
    "refuses a type that is neither text nor file": withBody({ type: "image" }, invalid("body", "type")),
    "refuses a text with a file": withBody({ file: fileReference }, invalid("body", "file")),
    "refuses a file without its fields": withBody(
      { type: "file", content: undefined, file: {} },
      refusal(
        400,
        "invalid_request",
        ["type", "name", "url", "size"].map((field) => ({ in: "body", path: `file.${field}` })),
      ),
    ),
    ...metaRule((meta) => send({ content: "Noon?", meta })),
    ...rule("body", "user_id", bodyIdRule, (user_id) => ({
      given: { users: [{ ...kim, user_id }], channels: [{ ...room, members: [user_id] }] },
      request: { params: { channel_id: room.channel_id }, body: { user_id, type: "text", content: "Noon?" } },
      response: {
        status: 201,
        body: presentMessage(
          { channel_id: room.channel_id, user_id, content: "Noon?", at: requestTime },
          { ...kim, user_id },
        ),
      },
    })),
    ...rule("path", "channel_id", idRule, (channel_id) =>
      send({ content: "Noon?" }, { ...ours, channel_id }),
    ),
    ...requiredRules(sent, ["user_id", "type", "content"]),
    ...bodyRules(sent),
    ...requestRules(sent),
  },
} satisfies InteractionsOf<"extensions">;

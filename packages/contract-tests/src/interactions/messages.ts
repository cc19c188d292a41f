import type { Interaction, InteractionsByOperation } from "../interaction";
import { presentMessage } from "../messages";
import { metaRule } from "../meta-rule";
import { missingChannelRules, missingUserRules } from "../missing-rules";
import { kim } from "../people";
import { invalid, refusal } from "../refusal";
import { bodyRules, requestRules, requiredRules } from "../request-rules";
import { room } from "../rooms";
import { bodyIdRule, idRule, textRule } from "../text-rules";
import { rule } from "../variants";
import { type NewChannel, type NewMessage, requestTime } from "../world";

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

export const messages = {
  "messages.send": {
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
} satisfies InteractionsByOperation;

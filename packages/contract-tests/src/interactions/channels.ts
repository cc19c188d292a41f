import { requiredFieldCases } from "../cases/body-cases";
import { profileUrlCases, textCases } from "../cases/text-cases";
import { valueCases } from "../cases/value-cases";
import { kim, lunch, menu, presentChannel } from "../fixtures";
import type { Interactions, InteractionsByOperation } from "../interaction";
import { type NewChannel, requestTime } from "../world";

const frozenLunch: NewChannel = { ...lunch, frozen: true };
const detailedLunch: NewChannel = {
  ...lunch,
  profile_url: "https://example.com/lunch.png",
  meta: { floor: "two" },
};

const update = {
  "sets the name": {
    given: { channels: [lunch] },
    request: { params: { channel_id: "room_1" }, body: { name: "Dinner" } },
    response: { status: 200, body: { ...presentChannel(lunch), name: "Dinner", updated_at: requestTime } },
  },
  "sets the profile_url": {
    given: { channels: [lunch] },
    request: {
      params: { channel_id: "room_1" },
      body: { name: "Lunch", profile_url: "https://example.com/l.png" },
    },
    response: {
      status: 200,
      body: { ...presentChannel(lunch), profile_url: "https://example.com/l.png", updated_at: requestTime },
    },
  },
  "keeps every other field": {
    given: { channels: [{ ...detailedLunch, frozen: true }] },
    request: { params: { channel_id: "room_1" }, body: { name: "Dinner" } },
    response: {
      status: 200,
      body: { ...presentChannel(detailedLunch), freeze: true, name: "Dinner", updated_at: requestTime },
    },
  },
  "removes the profile_url if it is empty": {
    given: { channels: [{ ...lunch, profile_url: "https://example.com/lunch.png" }] },
    request: { params: { channel_id: "room_1" }, body: { name: "Lunch", profile_url: "" } },
    response: { status: 200, body: { ...presentChannel(lunch), updated_at: requestTime } },
  },
} satisfies Interactions;

const freeze = {
  "freezes the channel": {
    given: { channels: [lunch] },
    request: { params: { channel_id: "room_1" }, body: { freeze: true } },
    response: { status: 200, body: { ...presentChannel(frozenLunch), updated_at: requestTime } },
  },
  "unfreezes the channel": {
    given: { channels: [frozenLunch] },
    request: { params: { channel_id: "room_1" }, body: { freeze: false } },
    response: { status: 200, body: { ...presentChannel(lunch), updated_at: requestTime } },
  },
  "changes nothing if the channel is already frozen": {
    given: { channels: [frozenLunch] },
    request: { params: { channel_id: "room_1" }, body: { freeze: true } },
    response: { status: 200, body: presentChannel(frozenLunch) },
  },
} satisfies Interactions;

const keptYear: NewChannel = { ...lunch, retention: { days: 365, hold: false } };
const held: NewChannel = { ...lunch, retention: { days: null, hold: true } };
const params = { channel_id: "room_1" };

const setRetention = {
  "sets how many days messages are kept": {
    given: { channels: [lunch] },
    request: { params, body: { days: 365, hold: false } },
    response: { status: 200, body: { ...presentChannel(keptYear), updated_at: requestTime } },
  },
  "holds the messages": {
    given: { channels: [lunch] },
    request: { params, body: { days: null, hold: true } },
    response: { status: 200, body: { ...presentChannel(held), updated_at: requestTime } },
  },
  "sets both": {
    given: { channels: [held] },
    request: { params, body: { days: 30, hold: true } },
    response: {
      status: 200,
      body: { ...presentChannel(lunch), retention: { days: 30, hold: true }, updated_at: requestTime },
    },
  },
  "removes both": {
    given: { channels: [{ ...lunch, retention: { days: 30, hold: true } }] },
    request: { params, body: { days: null, hold: false } },
    response: { status: 200, body: { ...presentChannel(lunch), updated_at: requestTime } },
  },
  "changes nothing if both are already set": {
    given: { channels: [keptYear] },
    request: { params, body: { days: 365, hold: false } },
    response: { status: 200, body: presentChannel(keptYear) },
  },
} satisfies Interactions;

export const channels = {
  "channels.get": {
    "responds with the channel": {
      given: { channels: [lunch] },
      request: { params: { channel_id: "room_1" } },
      response: { status: 200, body: presentChannel(lunch) },
    },
    "responds with every field": {
      given: { channels: [detailedLunch] },
      request: { params: { channel_id: "room_1" } },
      response: { status: 200, body: presentChannel(detailedLunch) },
    },
    "responds with a frozen channel": {
      given: { channels: [frozenLunch] },
      request: { params: { channel_id: "room_1" } },
      response: { status: 200, body: presentChannel(frozenLunch) },
    },
    "responds with a channel that keeps messages for a year": {
      given: { channels: [keptYear] },
      request: { params },
      response: { status: 200, body: presentChannel(keptYear) },
    },
    "shows a user neither how long messages are kept nor that they are held": {
      given: {
        users: [kim],
        channels: [{ ...lunch, members: ["kim_01"], retention: { days: 365, hold: true } }],
      },
      request: { params, as: "kim_01" },
      response: { status: 200, body: presentChannel(lunch) },
    },
    "responds with a held channel": {
      given: { channels: [held] },
      request: { params },
      response: { status: 200, body: presentChannel(held) },
    },
    "counts a file as a message and as a file": {
      given: {
        users: [kim],
        channels: [{ ...lunch, members: ["kim_01"] }],
        messages: [
          { channel_id: "room_1", user_id: "kim_01", content: "Hi" },
          { channel_id: "room_1", user_id: "kim_01", file: menu },
        ],
      },
      request: { params: { channel_id: "room_1" } },
      response: {
        status: 200,
        body: { ...presentChannel(lunch), total_message_count: 2, total_file_count: 1 },
      },
    },
  },
  "channels.update": {
    ...update,
    ...textCases(update["sets the name"], "body", "name", 150),
    ...profileUrlCases(update["sets the profile_url"]),
    ...requiredFieldCases(update["sets the name"], ["name"]),
  },
  "channels.freeze": {
    ...freeze,
    ...valueCases(freeze["freezes the channel"], "body", "freeze", {
      rejects: { "set to a string": "true", "set to a number": 1, "set to null": null },
    }),
    ...requiredFieldCases(freeze["freezes the channel"], ["freeze"]),
  },
  "channels.setRetention": {
    ...setRetention,
    ...valueCases(setRetention["sets how many days messages are kept"], "body", "days", {
      accepts: { "set to 1": 1, "set to 36,500": 36_500 },
      rejects: {
        "set to 0": 0,
        "set to 36,501": 36_501,
        "set to a fraction": 1.5,
        "set to a string": "365",
      },
    }),
    ...valueCases(setRetention["holds the messages"], "body", "hold", {
      rejects: { "set to a string": "true", "set to a number": 1, "set to null": null },
    }),
    ...requiredFieldCases(setRetention["sets both"], ["days", "hold"]),
  },
  "channels.delete": {
    "deletes the channel": {
      given: { channels: [lunch] },
      request: { params: { channel_id: "room_1" } },
      response: { status: 200 },
    },
    "deletes a channel with participants, managers and messages": {
      given: {
        users: [kim],
        channels: [{ ...lunch, members: ["kim_01"], managers: ["kim_01"] }],
        messages: [{ channel_id: "room_1", user_id: "kim_01", content: "Hi" }],
      },
      request: { params: { channel_id: "room_1" } },
      response: { status: 200 },
    },
  },
} satisfies InteractionsByOperation;

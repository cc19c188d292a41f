import { requiredFieldCases } from "../cases/body-cases";
import { valueCases } from "../cases/value-cases";
import { kim, lee } from "../fixtures";
import type { Interaction, Interactions, InteractionsByOperation } from "../interaction";
import { invalid, problem } from "../problem";
import { type NewDevice, requestTime, worldTime } from "../world";

const params = { user_id: "kim_01", device_id: "phone-1" };

const browser = {
  provider: "webpush",
  endpoint: "https://push.example.com/send/cXVp",
  keys: {
    p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    auth: "BTBZMqHH6r4Tts7J_aSIgg",
  },
} as const;
const inKorean = { ...browser, locale: "ko-KR" };
const android = { provider: "fcm", token: "fMl5:APA91bExample" } as const;
const iphone = { provider: "apns", token: "00fc13adff785122".repeat(4), topic: "com.example.chat" } as const;
const laptop: NewDevice = { user_id: "kim_01", device_id: "phone-1", ...browser };

const device = (fields: object, at = requestTime) => ({
  device_id: "phone-1",
  ...fields,
  created_at: at,
  updated_at: at,
});

const register = {
  "registers a browser": {
    given: { users: [kim] },
    request: { params, body: browser },
    response: { status: 200, body: device({ provider: "webpush" }) },
  },
  "registers a browser with its language": {
    given: { users: [kim] },
    request: { params, body: inKorean },
    response: { status: 200, body: device({ provider: "webpush", locale: "ko-KR" }) },
  },
  "registers an app with Firebase Cloud Messaging": {
    given: { users: [kim] },
    request: { params, body: android },
    response: { status: 200, body: device({ provider: "fcm" }) },
  },
  "registers an app on iOS": {
    given: { users: [kim] },
    request: { params, body: iphone },
    response: { status: 200, body: device({ provider: "apns" }) },
  },
  "registers an app on iOS that is being developed": {
    given: { users: [kim] },
    request: { params, body: { ...iphone, environment: "development" } },
    response: { status: 200, body: device({ provider: "apns" }) },
  },
  "registers the device again": {
    given: { users: [kim], devices: [laptop] },
    request: { params, body: browser },
    response: {
      status: 200,
      body: { ...device({ provider: "webpush" }, worldTime), updated_at: requestTime },
    },
  },
  "replaces the token of the device": {
    given: { users: [kim], devices: [laptop] },
    request: { params, body: android },
    response: { status: 200, body: { ...device({ provider: "fcm" }, worldTime), updated_at: requestTime } },
  },
  "rejects a provider that is not set up": {
    given: { users: [kim], settings: { push: "off" } },
    request: { params, body: browser },
    response: problem(409, "push_not_configured"),
  },
} satisfies Interactions;

const accepted: Interaction = register["registers a browser"];

const endpoints = {
  accepts: {
    "with a port, a path and a query": "https://push.example.com:8443/a/b?c=d",
    "with a public IPv4 address": "https://8.8.8.8/push",
    "of 2,048 characters": `https://push.example.com/${"u".repeat(2_048 - 25)}`,
  },
  rejects: {
    "of 2,049 characters": `https://push.example.com/${"u".repeat(2_049 - 25)}`,
    "that is empty": "",
    "that is not a URL": "push.example.com",
    "with http:": "http://push.example.com",
    "with a user name": "https://kim@push.example.com",
    "with a fragment": "https://push.example.com/#all",
    "with a loopback address": "https://127.0.0.1/push",
    "with a private address": "https://10.0.0.1/push",
    "with a link-local address": "https://169.254.169.254/latest/meta-data",
    "with a loopback address of IPv6": "https://[::1]/push",
    "set to null": null,
  },
};

const deviceIds = {
  accepts: { "of 1 character": "a", "of 80 characters": "a".repeat(80), "of every kind": "Az09_-" },
  rejects: {
    "of 81 characters": "a".repeat(81),
    "with a dot": "a.b",
    "with a slash": "a/b",
    "with Hangul": "폰",
    "with a NUL": "a\0",
  },
};

const list = {
  "lists the devices, the last registered one first": {
    given: {
      users: [kim],
      devices: [
        laptop,
        { ...laptop, endpoint: `${browser.endpoint}2`, device_id: "phone-2", at: worldTime + 1_000 },
      ],
    },
    request: { params: { user_id: "kim_01" } },
    response: {
      status: 200,
      body: {
        devices: [
          { ...device({ provider: "webpush" }, worldTime + 1_000), device_id: "phone-2" },
          device({ provider: "webpush" }, worldTime),
        ],
      },
    },
  },
  "lists no device": {
    given: { users: [kim] },
    request: { params: { user_id: "kim_01" } },
    response: { status: 200, body: { devices: [] } },
  },
  "does not list a device whose endpoint another user has registered": {
    given: { users: [kim, lee], devices: [laptop, { ...laptop, user_id: "lee_02" }] },
    request: { params: { user_id: "kim_01" } },
    response: { status: 200, body: { devices: [] } },
  },
  "does not list a device whose endpoint is registered with another id": {
    given: { users: [kim], devices: [laptop, { ...laptop, device_id: "phone-2" }] },
    request: { params: { user_id: "kim_01" } },
    response: {
      status: 200,
      body: { devices: [{ ...device({ provider: "webpush" }, worldTime), device_id: "phone-2" }] },
    },
  },
} satisfies Interactions;

export const devices = {
  "users.devices.list": list,
  "users.devices.register": {
    ...register,
    ...valueCases(accepted, "path", "device_id", deviceIds),
    ...valueCases(accepted, "body", "endpoint", endpoints),
    ...valueCases(accepted, "body", "provider", {
      rejects: { "that is unknown": "sms", "set to null": null },
    }),
    ...valueCases(accepted, "body", "keys.p256dh", {
      rejects: {
        "that is too short": "BCVxsr7N",
        "that is no point of the curve": `B${"A".repeat(86)}`,
        "with other characters": `B${"+".repeat(86)}`,
        "set to null": null,
      },
    }),
    ...valueCases(accepted, "body", "keys.auth", {
      rejects: { "that is too short": "BTBZ", "that is too long": "B".repeat(23), "set to null": null },
    }),
    ...valueCases(register["registers a browser with its language"], "body", "locale", {
      accepts: { "of a language": "en", "with a script": "zh-Hant-TW" },
      rejects: {
        "with an underscore": "ko_KR",
        "of 36 characters": `${"abcdefgh-".repeat(4)}a`,
        "set to null": null,
      },
    }),
    ...valueCases(register["registers an app with Firebase Cloud Messaging"], "body", "token", {
      accepts: { "of 4,096 characters": "t".repeat(4_096) },
      rejects: { "of 4,097 characters": "t".repeat(4_097), "that is empty": "", "with a space": "a b" },
    }),
    ...valueCases(register["registers an app on iOS"], "body", "topic", {
      rejects: { "that is empty": "", "with a space": "com example", "of 256 characters": "c".repeat(256) },
    }),
    ...valueCases(register["registers an app on iOS that is being developed"], "body", "environment", {
      rejects: { "that is unknown": "sandbox", "set to null": null },
    }),
    "rejects a token of an app on iOS that is not hexadecimal": {
      request: { params, body: { ...iphone, token: "g".repeat(64) } },
      response: invalid("body", "token"),
    },
    ...requiredFieldCases(accepted, ["provider", "endpoint", "keys"]),
  },
  "users.devices.remove": {
    "removes the device": {
      given: { users: [kim], devices: [laptop] },
      request: { params },
      response: { status: 200 },
    },
    "changes nothing when there is no such device": {
      given: { users: [kim] },
      request: { params },
      response: { status: 200 },
    },
    "changes nothing when another user has the device": {
      given: { users: [kim, lee], devices: [{ ...laptop, user_id: "lee_02" }] },
      request: { params },
      response: { status: 200 },
    },
  },
  "users.devices.ping": {
    "responds with what the push service did": {
      given: { users: [kim], devices: [laptop] },
      request: { params },
      response: { status: 200, body: { duration_ms: 0, error: "The host name could not be resolved." } },
    },
    "rejects a device that does not exist": {
      given: { users: [kim] },
      request: { params },
      response: problem(404, "device_not_found"),
    },
    "rejects a device of a provider that is not set up any more": {
      given: { users: [kim], devices: [laptop], settings: { push: "gone" } },
      request: { params },
      response: problem(409, "push_not_configured"),
    },
  },
  "push.settings": {
    "says how to subscribe": {
      response: {
        status: 200,
        body: { providers: ["webpush", "fcm", "apns"], webpush: { public_key: "BP4z9KsN6nGRTbVYI" } },
      },
    },
    "says that nothing is set up": {
      given: { settings: { push: "off" } },
      response: { status: 200, body: { providers: [] } },
    },
  },
  "push.services": {
    "lists the services of all devices": {
      given: {
        users: [kim, lee],
        devices: [
          laptop,
          { ...android, user_id: "kim_01", device_id: "phone-2" },
          { ...android, token: "other", user_id: "lee_02", device_id: "phone-3" },
        ],
      },
      response: {
        status: 200,
        body: {
          services: [
            { service: "fcm", provider: "fcm", device_count: 2, waiting_count: 0 },
            { service: "push.example.com", provider: "webpush", device_count: 1, waiting_count: 0 },
          ],
        },
      },
    },
  },
} satisfies InteractionsByOperation;

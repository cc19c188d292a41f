import * as z from "zod";
import { device as deviceExample } from "../examples/data";
import { idKinds, timestamp, userPathParams } from "../rules/fields";
import { limits } from "../rules/limits";
import { text } from "../rules/text";

/** How messages reach devices. */
export const pushProviders = ["webpush", "fcm", "apns"] as const;
export type PushProvider = (typeof pushProviders)[number];

const provider = z.enum(pushProviders).meta({
  description: "How messages reach the device: Web Push, Firebase Cloud Messaging, or Apple's push service.",
  examples: [deviceExample.provider],
});

const { minLength, maxLength } = limits.deviceId;

export const devicePathParams = userPathParams.extend({
  device_id: z
    .string()
    .min(minLength, "Must not be empty.")
    .max(maxLength, `Must have at most ${maxLength} characters.`)
    .regex(/^[A-Za-z0-9_-]*$/, "Must contain only letters A-Z and a-z, digits, _ and -.")
    .register(idKinds, { kind: "other" })
    .meta({
      description:
        "The id of a device: 1 to 80 letters, digits, `_` and `-`, chosen by the app. The same at every start of the app.",
      examples: [deviceExample.device_id],
    }),
});

export const device = z
  .object({
    device_id: z
      .string()
      .meta({ description: "The id, chosen by the app.", examples: [deviceExample.device_id] }),
    provider,
    locale: z
      .string()
      .optional()
      .meta({ description: "The language of the device. Absent if it was not said.", examples: ["ko-KR"] }),
    created_at: timestamp,
    updated_at: timestamp.meta({ description: "When the device was last registered." }),
    last_push: z
      .object({
        at: timestamp.meta({ description: "When the push service responded, or the attempt ended." }),
        status: z
          .int()
          .optional()
          .meta({ description: "The status of the response. Absent when there was none.", examples: [201] }),
        error: z
          .string()
          .optional()
          .meta({
            description: "Why the push failed. Absent when it was accepted.",
            examples: ["Unregistered"],
          }),
      })
      .optional()
      .meta({ id: "LastPush", description: "How the last push went. Absent before the first one." }),
  })
  .meta({ id: "Device", description: "A device to which messages for a user are pushed." });

const locale = z
  .string()
  .regex(/^[A-Za-z0-9]{1,8}(-[A-Za-z0-9]{1,8})*$/, "Must be a language tag, such as ko-KR.")
  .max(limits.deviceLocale.maxLength, `Must have at most ${limits.deviceLocale.maxLength} characters.`)
  .optional()
  .meta({ description: "The language of the device: a language tag such as `ko-KR`.", examples: ["ko-KR"] });

const webPushDevice = z
  .strictObject({
    provider: z.literal("webpush").meta({ description: "Web Push." }),
    endpoint: text(limits.webhookUrl)
      .refine(isEndpoint, "Must be a URL with https:, without user name, password and fragment.")
      .meta({
        description: "The `endpoint` of the subscription: an `https:` URL outside the server's own network.",
        examples: ["https://push.example.com/send/cXVp"],
      }),
    keys: z
      .strictObject({
        p256dh: z
          .string()
          .regex(/^B[A-Za-z0-9_-]{86}=?$/, "Must be a public key of the curve P-256 in base64url, 65 bytes.")
          .meta({ description: "The public key of the subscription." }),
        auth: z
          .string()
          .regex(/^[A-Za-z0-9_-]{22}(==)?$/, "Must be 16 bytes in base64url.")
          .meta({ description: "The secret of the subscription.", format: "password" }),
      })
      .meta({ id: "WebPushKeys", description: "The `keys` of the subscription." }),
    locale,
  })
  .meta({ id: "WebPushDevice", description: "A browser, an installed page, or an app with UnifiedPush." });

const fcmDevice = z
  .strictObject({
    provider: z.literal("fcm").meta({ description: "Firebase Cloud Messaging." }),
    token: z
      .string()
      .regex(/^[\x21-\x7e]+$/, "Must have only visible ASCII characters.")
      .max(limits.pushToken.maxLength, `Must have at most ${limits.pushToken.maxLength} characters.`)
      .meta({ description: "The registration token of Firebase Cloud Messaging.", format: "password" }),
    locale,
  })
  .meta({ id: "FcmDevice", description: "An app with Firebase Cloud Messaging." });

const apnsDevice = z
  .strictObject({
    provider: z.literal("apns").meta({ description: "Apple's push service." }),
    token: z
      .string()
      .regex(/^([0-9A-Fa-f]{2}){32,100}$/, "Must be the device token in hexadecimal, 32 to 100 bytes.")
      .meta({ description: "The device token in hexadecimal.", format: "password" }),
    topic: z
      .string()
      .regex(/^[A-Za-z0-9.-]+$/, "Must be the bundle id of an app.")
      .max(limits.apnsTopic.maxLength, `Must have at most ${limits.apnsTopic.maxLength} characters.`)
      .optional()
      .meta({
        description: "The bundle id of the app. Default: `MADANG_APNS_TOPIC`.",
        examples: ["com.example.chat"],
      }),
    environment: z
      .enum(["production", "development"], { error: 'Must be "production" or "development".' })
      .optional()
      .meta({ description: "Where the token is valid: `production` (default) or `development`." }),
    locale,
  })
  .meta({ id: "ApnsDevice", description: "An app on iOS or macOS." });

export const newDevice = z
  .discriminatedUnion("provider", [webPushDevice, fcmDevice, apnsDevice], {
    error: 'Must be "webpush", "fcm" or "apns".',
  })
  .meta({ id: "NewDevice", description: "A device to register." });

/** Whether the server may accept `http:`, and which addresses, depends on its settings. */
function isEndpoint(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password, hash } = new URL(value);
  return /^https?:$/.test(protocol) && username === "" && password === "" && hash === "";
}

import * as z from "zod";
import { commonErrors, memberErrors, problems } from "../../errors/errors";
import { pushPublicKey } from "../../examples/data";
import { example, metadata } from "../../operation-metadata";
import { pushProviders } from "../../resources/device";
import { c, nothing } from "../../router";
import { timestamp } from "../../rules/fields";

const pushSettings = z
  .object({
    providers: z.array(z.string()).meta({
      description: "The providers that are set up: `webpush`, `fcm`, `apns`.",
      examples: [["webpush"]],
    }),
    webpush: z
      .object({
        public_key: z.string().meta({
          description: "The `applicationServerKey` of subscriptions, in base64url.",
          examples: [pushPublicKey],
        }),
      })
      .optional()
      .meta({ id: "WebPushSettings", description: "For Web Push. Absent where it is not set up." }),
  })
  .meta({ id: "PushSettings", description: "How this service pushes messages." });

const pushService = z
  .object({
    service: z.string().meta({
      description: "`fcm`, `apns`, `apns-development`, or the host of a service of Web Push.",
      examples: ["updates.push.services.mozilla.com"],
    }),
    provider: z.enum(pushProviders).meta({ description: "The provider of its devices." }),
    device_count: z.int().meta({ description: "How many devices are registered there." }),
    waiting_count: z.int().meta({ description: "How many pushes wait for their next attempt." }),
    failing_since: timestamp
      .optional()
      .meta({ description: "Since when every push has failed. Absent if the last one was accepted." }),
    error: z
      .string()
      .optional()
      .meta({ description: "Why the last push failed. Absent if it was accepted.", examples: ["HTTP 503"] }),
  })
  .meta({ id: "PushService", description: "A push service to which messages are sent." });

export const push = c.router({
  settings: {
    method: "GET",
    path: "/push",
    summary: "Get the settings of push notifications",
    description: "Which providers are set up, and the key with which a browser subscribes.",
    query: nothing,
    responses: { 200: pushSettings, ...problems(memberErrors) },
    metadata: metadata({
      access: "any_key",
      user: "self",
      examples: {
        responses: example("With Web Push", {
          providers: ["webpush"],
          webpush: { public_key: pushPublicKey },
        }),
      },
    }),
  },
  services: {
    method: "GET",
    path: "/push/services",
    summary: "List the push services",
    description: "The push services of all registered devices, with those that fail first.",
    query: nothing,
    responses: {
      200: z
        .object({ services: z.array(pushService).meta({ description: "The services, at most 100." }) })
        .meta({ id: "PushServices", description: "The push services of all devices." }),
      ...problems(commonErrors),
    },
    metadata: metadata({
      access: "any_key",
      user: "no",
      examples: {
        responses: example("One service", {
          services: [
            {
              service: "updates.push.services.mozilla.com",
              provider: "webpush",
              device_count: 1_204,
              waiting_count: 0,
            },
          ],
        }),
      },
    }),
  },
});

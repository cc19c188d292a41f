import * as z from "zod";
import { bodyErrors, commonErrors, problems, unkeyedBodyErrors } from "../../errors/errors";
import { device as deviceExample, newDevice as newDeviceExample } from "../../examples/data";
import { example, metadata } from "../../operation-metadata";
import { device, devicePathParams, newDevice } from "../../resources/device";
import { pingResult } from "../../resources/webhook";
import { c, nothing } from "../../router";
import { userPathParams } from "../../rules/fields";
import { changeHeaders } from "../../rules/idempotency";
import { limits } from "../../rules/limits";

/** The operations of `users` on the devices to which messages are pushed. */
export const devices = c.router({
  list: {
    method: "GET",
    path: "/users/:user_id/devices",
    summary: "List the devices of a user",
    description:
      "All devices by their last registration, newest first. Tokens, endpoints and keys are never shown.",
    pathParams: userPathParams,
    query: nothing,
    responses: {
      200: z
        .object({ devices: z.array(device).meta({ description: "The devices." }) })
        .meta({ id: "Devices", description: "The devices of a user." }),
      ...problems([...commonErrors, "user_not_found"]),
    },
    metadata: metadata({
      access: "any_key",
      user: "self",
      examples: { responses: example("One device", { devices: [deviceExample] }) },
    }),
  },
  register: {
    method: "PUT",
    path: "/users/:user_id/devices/:device_id",
    summary: "Register a device",
    description: `From now on, messages for the user are pushed to the device. An app calls it at every start, with the same id. A user has at most ${limits.devicesPerUser} devices: a further one replaces the one whose last registration is the oldest. A token or endpoint belongs to one device: registered for another user or id, it leaves the first.`,
    pathParams: devicePathParams,
    headers: changeHeaders,
    query: nothing,
    body: newDevice,
    responses: {
      200: device,
      ...problems([...bodyErrors, "user_not_found", "push_not_configured"]),
    },
    metadata: metadata({
      access: "any_key",
      user: "self",
      auditedFrom: "all",
      examples: {
        requests: {
          webpush: { summary: "A browser", value: newDeviceExample },
          fcm: {
            summary: "An app with Firebase Cloud Messaging",
            value: { provider: "fcm", token: "fMl5:APA91bExample" },
          },
          apns: {
            summary: "An app on iOS",
            value: {
              provider: "apns",
              token: "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0",
              topic: "com.example.chat",
            },
          },
        },
        responses: example("The device", deviceExample),
      },
    }),
  },
  remove: {
    method: "DELETE",
    path: "/users/:user_id/devices/:device_id",
    summary: "Remove a device",
    description:
      "When the person signs out. From one second after the response, nothing is pushed to the device. Also succeeds when there is no such device.",
    pathParams: devicePathParams,
    headers: changeHeaders,
    query: nothing,
    body: nothing.optional(),
    responses: { 200: c.noBody(), ...problems([...bodyErrors, "user_not_found"]) },
    metadata: metadata({ access: "any_key", user: "self", auditedFrom: "all" }),
  },
  ping: {
    method: "POST",
    path: "/users/:user_id/devices/:device_id/ping",
    summary: "Send a test push to a device",
    description:
      "Pushes a notification without a message, and returns what the push service responded. Takes up to 15 seconds. The response is also the `last_push` of the device, and removes one that its push service does not know. Each request pushes again: an `Idempotency-Key` has no effect.",
    pathParams: devicePathParams,
    headers: changeHeaders,
    query: nothing,
    body: nothing.optional(),
    responses: {
      200: pingResult,
      ...problems([...unkeyedBodyErrors, "user_not_found", "device_not_found", "push_not_configured"]),
    },
    metadata: metadata({
      access: "any_key",
      user: "self",
      auditedFrom: "all",
      examples: { responses: example("The push service accepted it", { status: 201, duration_ms: 48 }) },
    }),
  },
});

import { contract } from "@madang/contract";
import type { z } from "zod";
import { defineHandlers } from "../../call/handlers";
import type { ChatDeps } from "../../chat/deps";
import { invalidField } from "../../errors/service-error";
import type { Receivers } from "../webhooks/delivery/receivers";
import { recordPush } from "./delivery/queue-store";
import { type DeviceSecrets, type DeviceTarget, serviceOf } from "./device-secrets";
import { listDevices, registerDevice, removeDevice, requireDevice } from "./devices-store";
import { presentDevice, presentPing, presentService } from "./present";
import { isPublicKey } from "./providers/encrypt";
import { topicOf } from "./providers/notification";
import { type Providers, requireProvider } from "./providers/providers";
import { listServices } from "./services-store";

export interface PushDeps extends ChatDeps {
  readonly providers: Providers;
  readonly deviceSecrets: DeviceSecrets;
  readonly receivers: Receivers;
}

type NewDevice = z.infer<typeof contract.users.devices.register.body>;

const pingTimeoutMs = 40_000;

export const pushHandlers = (deps: PushDeps) => ({
  users: { devices: deviceHandlers(deps) },
  push: defineHandlers(contract.push, {
    settings: async () => {
      const { names, publicKey } = deps.providers;
      return {
        status: 200,
        body: {
          providers: [...names],
          ...(publicKey !== undefined && { webpush: { public_key: publicKey } }),
        },
      };
    },
    services: async () => ({
      status: 200,
      body: { services: (await listServices(deps.db)).map(presentService) },
    }),
  }),
});

function deviceHandlers({ db, now, providers, deviceSecrets, receivers, wake }: PushDeps) {
  return defineHandlers(contract.users.devices, {
    list: async ({ params }) => ({
      status: 200,
      body: { devices: (await listDevices(db, params.user_id)).map(presentDevice) },
    }),
    register: async ({ params, body, writer }) => {
      requireProvider(providers, body.provider);
      const target = await requireTarget(body, providers, receivers);
      const device = {
        deviceId: params.device_id,
        provider: target.provider,
        service: serviceOf(target),
        digest: deviceSecrets.digest(target),
        sealed: deviceSecrets.seal(target),
        locale: body.locale,
      };
      const registered = await registerDevice(writer, params.user_id, device, now());
      wake("pushes");
      return { status: 200, body: presentDevice(registered) };
    },
    remove: async ({ params, writer }) => {
      await removeDevice(writer, params.user_id, params.device_id);
      return { status: 200, body: undefined };
    },
    ping: async ({ params, res }) => {
      // The push service may take longer than a response without progress may.
      res.setTimeout(pingTimeoutMs);
      const device = await requireDevice(db, params.user_id, params.device_id);
      const target = deviceSecrets.open(device.sealed);
      if (target === undefined) throw new Error("A device was sealed by another service.");
      const outcome = await providers.send(target, {
        topic: topicOf("ping"),
        payload: {
          type: "ping",
          title: "Test notification",
          body: "Push notifications reach this device.",
          created_at: now(),
        },
      });
      await recordPush(db, device, outcome);
      return { status: 200, body: presentPing(outcome) };
    },
  });
}

/** Where messages for a device go. Rejects an endpoint in the own network, and a key with which nothing can be encrypted. */
async function requireTarget(
  device: NewDevice,
  { apnsTopic }: Providers,
  receivers: Receivers,
): Promise<DeviceTarget> {
  switch (device.provider) {
    case "webpush": {
      const { endpoint, keys } = device;
      const urlError = await receivers.findUrlError(endpoint);
      if (urlError !== undefined) throw invalidField("body", "endpoint", urlError);
      if (!isPublicKey(Buffer.from(keys.p256dh, "base64url")))
        throw invalidField("body", "keys.p256dh", "Must be a public key of the curve P-256.");
      return { provider: "webpush", endpoint, ...keys };
    }
    case "fcm":
      return { provider: "fcm", token: device.token };
    case "apns": {
      const { topic = apnsTopic, environment = "production" } = device;
      if (topic === undefined)
        throw invalidField("body", "topic", "Is required, because MADANG_APNS_TOPIC is not set.");
      // The same token in both cases is one device.
      return { provider: "apns", token: device.token.toLowerCase(), topic, environment };
    }
  }
}

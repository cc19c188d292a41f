import { createHmac } from "node:crypto";
import { createSealer } from "../../security/seal";
import type { KeyMaker } from "../../security/secret";
import type { ApnsTarget } from "./providers/apns";
import type { FcmTarget } from "./providers/fcm";
import type { WebPushTarget } from "./providers/web-push";

/** Where the messages for a device go. */
export type DeviceTarget = WebPushTarget | FcmTarget | ApnsTarget;

/** How the database stores tokens, endpoints and keys. */
export interface DeviceSecrets {
  seal(target: DeviceTarget): Buffer;
  /** Undefined if it was sealed by another service. */
  open(sealed: Buffer): DeviceTarget | undefined;
  /** Of the token or endpoint: equal for the same one. */
  digest(target: DeviceTarget): Buffer;
}

/** The keys are derived and do not change with the master key, so no device is sealed again when it changes. */
export function createDeviceSecrets(
  { derive }: Pick<KeyMaker, "derive">,
  randomBytes: (length: number) => Buffer,
): DeviceSecrets {
  const sealer = createSealer<DeviceTarget>([derive("devices")], randomBytes);
  const digestKey = derive("digests of devices");
  return {
    seal: (target) => Buffer.from(sealer.seal(target), "base64url"),
    open: (sealed) => sealer.open(sealed.toString("base64url")),
    digest: (target) =>
      createHmac("sha256", digestKey)
        .update(`${target.provider} ${target.provider === "webpush" ? target.endpoint : target.token}`)
        .digest(),
  };
}

/** The services with fixed addresses, which no device can choose. */
export const providerServices: readonly string[] = ["fcm", "apns", "apns-development"];

/** The push service of a device: the host of an endpoint, or a name. A host that has such a name gets its port, too. */
export function serviceOf(target: DeviceTarget): string {
  if (target.provider === "webpush") {
    const { host } = new URL(target.endpoint);
    return providerServices.includes(host) ? `${host}:443` : host;
  }
  if (target.provider === "apns" && target.environment === "development") return "apns-development";
  return target.provider;
}

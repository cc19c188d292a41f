import { readFileSync } from "node:fs";
import type { PushProvider } from "@madang/contract";
import { ServiceError, SettingError } from "../../../errors/service-error";
import type { KeyMaker } from "../../../security/secret";
import type { Receivers } from "../../webhooks/delivery/receivers";
import type { DeviceTarget } from "../device-secrets";
import { type Apns, createApns } from "./apns";
import { createFcm } from "./fcm";
import type { Notification } from "./notification";
import type { PushOutcome } from "./outcome";
import { createVapid } from "./vapid";
import { sendWebPush } from "./web-push";

/** The settings of the providers. */
export interface ProviderSettings {
  readonly MADANG_PUSH_CONTACT?: string | undefined;
  readonly MADANG_FCM_CREDENTIALS?: string | undefined;
  readonly MADANG_APNS_KEY?: string | undefined;
  readonly MADANG_APNS_KEY_ID?: string | undefined;
  readonly MADANG_APNS_TEAM_ID?: string | undefined;
  readonly MADANG_APNS_TOPIC?: string | undefined;
}

/** The providers that are set up. */
export interface Providers {
  readonly names: readonly PushProvider[];
  /** For subscriptions. Absent without Web Push. */
  readonly publicKey: string | undefined;
  /** The topic of a device without one. */
  readonly apnsTopic: string | undefined;
  /**
   * Makes one attempt. Never throws. `isWanted` is asked before anything is sent: what comes before, such as a connection, may take long.
   */
  send(
    target: DeviceTarget,
    notification: Notification,
    isWanted?: () => Promise<boolean>,
  ): Promise<PushOutcome>;
  close(): void;
}

/** Where the services of tests are. */
export interface ProviderUrls {
  readonly fcm?: string;
  readonly apns?: { readonly production: string; readonly development: string };
}

interface ProviderDeps {
  readonly settings: ProviderSettings;
  readonly keyMaker: Pick<KeyMaker, "derive">;
  readonly receivers: Receivers;
  readonly now: () => number;
  readonly randomBytes: (length: number) => Buffer;
  readonly urls?: ProviderUrls | undefined;
}

/** Throws a `SettingError` for a file that cannot be read or is not what it must be. */
export function openProviders({
  settings,
  keyMaker,
  receivers,
  now,
  randomBytes,
  urls = {},
}: ProviderDeps): Providers {
  const contact = settings.MADANG_PUSH_CONTACT;
  const vapid = contact === undefined ? undefined : createVapid(keyMaker, contact, now);
  const credentials = settings.MADANG_FCM_CREDENTIALS;
  const fcm =
    credentials === undefined
      ? undefined
      : createFcm({ credentials: read("MADANG_FCM_CREDENTIALS", credentials), now, url: urls.fcm });
  const apns = openApns(settings, now, urls);
  const senders: { readonly [Name in PushProvider]: boolean } = {
    webpush: vapid !== undefined,
    fcm: fcm !== undefined,
    apns: apns !== undefined,
  };
  return {
    names: (["webpush", "fcm", "apns"] as const).filter((name) => senders[name]),
    publicKey: vapid?.publicKey,
    apnsTopic: settings.MADANG_APNS_TOPIC,
    async send(target, notification, isWanted) {
      switch (target.provider) {
        case "webpush":
          return sendWebPush(
            { vapid: vapid ?? reject(target), receivers, now, randomBytes },
            target,
            notification,
            isWanted,
          );
        case "fcm":
          return (fcm ?? reject(target)).send(target, notification, isWanted);
        case "apns":
          return (apns ?? reject(target)).send(target, notification, isWanted);
      }
    },
    close: () => apns?.close(),
  };
}

const missing: { readonly [Name in PushProvider]: string } = {
  webpush: "Set MADANG_PUSH_CONTACT.",
  fcm: "Set MADANG_FCM_CREDENTIALS.",
  apns: "Set MADANG_APNS_KEY, MADANG_APNS_KEY_ID and MADANG_APNS_TEAM_ID.",
};

export function requireProvider({ names }: Pick<Providers, "names">, provider: PushProvider): void {
  if (!names.includes(provider)) reject({ provider });
}

function reject({ provider }: { readonly provider: PushProvider }): never {
  throw new ServiceError(
    "push_not_configured",
    `This service is not set up for ${provider}. ${missing[provider]}`,
  );
}

function openApns(settings: ProviderSettings, now: () => number, urls: ProviderUrls): Apns | undefined {
  const { MADANG_APNS_KEY: file, MADANG_APNS_KEY_ID: keyId, MADANG_APNS_TEAM_ID: teamId } = settings;
  if (file === undefined && keyId === undefined && teamId === undefined) return undefined;
  if (file === undefined || keyId === undefined || teamId === undefined)
    throw new SettingError(
      "MADANG_APNS_KEY, MADANG_APNS_KEY_ID and MADANG_APNS_TEAM_ID must be set together.",
    );
  return createApns({ key: read("MADANG_APNS_KEY", file), keyId, teamId, now, urls: urls.apns });
}

function read(setting: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new SettingError(`${setting} cannot be read: ${error instanceof Error ? error.message : error}.`);
  }
}

// For frameworks whose components run on the server unless they say otherwise, such as Next.js.
"use client";

import type { ChatClient } from "@madang/client";
// By its name, so that both entries share the context of <ChatProvider>.
import { useChat, useMe } from "@madang/react";
import { useCallback, useEffect, useState } from "react";

/**
 * - `unsupported`: the browser or the service cannot push. On iOS, the page must be on the home screen.
 * - `loading`: not known yet.
 * - `off`: `subscribe` turns notifications on, after a tap or click of the person.
 * - `denied`: the person does not want notifications of this page; only the settings of the browser change that.
 * - `on`: messages are pushed to this browser.
 */
export type PushState = "unsupported" | "loading" | "off" | "denied" | "on";

/** What `usePush` returns. */
export interface PushView {
  readonly state: PushState;
  /** Asks the person, subscribes and registers this browser as a device of the user. Throws what the service or the browser throws. */
  readonly subscribe: () => Promise<void>;
  /** Ends the pushes to this browser: when the person wants none, and before it signs out. */
  readonly unsubscribe: () => Promise<void>;
}

/**
 * Pushes messages to this browser while the page is closed. Registers it again at each start of the page, with a new subscription if the key of
 * the service has changed. A subscription that another user of the browser has left behind is ended.
 *
 * @param registration The service worker of the page, which calls `handlePush`. Undefined until it is known.
 * @example const { state, subscribe, unsubscribe } = usePush(registration);
 */
export function usePush(registration: ServiceWorkerRegistration | undefined): PushView {
  const chat = useChat();
  const userId = useMe()?.user_id;
  const [state, setState] = useState<PushState>("loading");
  useEffect(() => {
    let isCurrent = true;
    if (!isSupported()) return setState("unsupported");
    if (registration === undefined || userId === undefined) return;
    // One at a time, also of several tabs: one may be between two subscriptions.
    const resumed = navigator.locks.request("madang-push", () => resume(chat, registration, userId));
    resumed.then(
      (state) => isCurrent && setState(state),
      // The service cannot be reached: the next start registers again.
      () => isCurrent && setState("off"),
    );
    return () => {
      isCurrent = false;
    };
  }, [chat, registration, userId]);
  const subscribe = useCallback(async () => {
    if (registration === undefined || userId === undefined) return;
    if ((await Notification.requestPermission()) !== "granted") return setState("denied");
    const { webpush } = await chat.push.settings();
    if (webpush === undefined) return setState("unsupported");
    await register(chat, userId, await subscribeTo(registration, webpush.public_key));
    setState("on");
  }, [chat, registration, userId]);
  const unsubscribe = useCallback(async () => {
    const subscription = await registration?.pushManager.getSubscription();
    await subscription?.unsubscribe();
    if (userId !== undefined) await chat.users.devices.remove(userId, deviceId());
    localStorage.removeItem(ownerKey);
    setState("off");
  }, [chat, registration, userId]);
  return { state, subscribe, unsubscribe };
}

const deviceKey = "madang-device";
const ownerKey = "madang-device-user";

const isSupported = () =>
  typeof Notification !== "undefined" && typeof navigator !== "undefined" && "serviceWorker" in navigator;

/** The state at the start of the page. */
async function resume(
  chat: ChatClient,
  registration: ServiceWorkerRegistration,
  userId: string,
): Promise<PushState> {
  if (!("pushManager" in registration)) return "unsupported";
  const { webpush } = await chat.push.settings();
  if (webpush === undefined) return "unsupported";
  if (Notification.permission === "denied") return "denied";
  const subscription = await registration.pushManager.getSubscription();
  if (subscription === null) return "off";
  const isOwn = localStorage.getItem(ownerKey) === userId;
  const isCurrent = isOwn && hasKey(subscription, webpush.public_key);
  if (!isCurrent) await subscription.unsubscribe();
  if (!isOwn) return "off";
  // The person wants notifications, whatever the key.
  await register(
    chat,
    userId,
    isCurrent ? subscription : await subscribeTo(registration, webpush.public_key),
  );
  return "on";
}

const subscribeTo = ({ pushManager }: ServiceWorkerRegistration, publicKey: string) =>
  pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });

async function register(chat: ChatClient, userId: string, subscription: PushSubscription): Promise<void> {
  const { endpoint = "", keys = {} } = subscription.toJSON();
  const { p256dh = "", auth = "" } = keys;
  await chat.users.devices.register(userId, deviceId(), {
    provider: "webpush",
    endpoint,
    keys: { p256dh, auth },
    // Chromium reports `en-US@posix` on a system without a locale.
    locale: navigator.language.replace(/@.*/, ""),
  });
  localStorage.setItem(ownerKey, userId);
}

/** Whether the subscription is for the key of the service, which is another one in another database. */
function hasKey({ options }: PushSubscription, publicKey: string): boolean {
  const { applicationServerKey: key } = options;
  if (key === null) return false;
  const text = btoa(String.fromCharCode(...new Uint8Array(key)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "") === publicKey;
}

/** Chosen once for this browser. */
function deviceId(): string {
  const known = localStorage.getItem(deviceKey);
  if (known !== null) return known;
  const id = `web-${[...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  localStorage.setItem(deviceKey, id);
  return id;
}

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ChatClient } from "@madang/client";
import type { PushState } from "@madang/react/push";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { build } from "tsup";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { bind } from "../../src/http/listen/bind";
import { chatWith } from "../support/chat";
import { type PushReceiver, startPushReceiver } from "../support/push-receiver";
import { startServer, type TestServer } from "../support/server";
import { hasBrowser, openBrowser } from "./browser";

const kit = dirname(createRequire(import.meta.url).resolve("@madang/react/package.json"));
const library = join(kit, "dist/service-worker.js");
/** The packaged browser shows no notifications and no badge: a list takes the place of the screen. */
const worker = `import { handleClick, handlePush } from "/library.js";
let shown = [];
let badge = 0;
const report = async () => {
  const list = shown.map(({ title, body, tag }) => ({ title, body, tag }));
  for (const client of await clients.matchAll({ includeUncontrolled: true })) client.postMessage({ list, badge });
};
const close = (tag) => { shown = shown.filter((each) => each.tag !== tag); };
registration.showNotification = async (title, { tag, body, data }) => {
  close(tag);
  shown.push({ title, tag, body, data, close: () => close(tag) });
};
registration.getNotifications = async ({ tag } = {}) => shown.filter((each) => tag === undefined || each.tag === tag);
Object.defineProperty(navigator, "setAppBadge", { value: async (count) => { badge = count; await report(); } });
addEventListener("message", (event) => {
  const notification = shown.find(({ tag }) => tag === event.data);
  handleClick({ notification, waitUntil: (work) => event.waitUntil(work.then(report)) });
});
addEventListener("push", (event) => handlePush(event));
addEventListener("activate", (event) => event.waitUntil(clients.claim()));`;

/** A page whose `usePush` is `window.push`, with the button of the guide, which registers the service worker. */
const source = `
import { createElement, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { ChatProvider } from "@madang/react";
import { usePush } from "@madang/react/push";
import { Notifications } from ${JSON.stringify(join(kit, "samples/push.tsx"))};

function Push() {
  const [registration, setRegistration] = useState();
  useEffect(() => void navigator.serviceWorker.ready.then(setRegistration), []);
  window.push = usePush(registration);
  return createElement(Notifications);
}
const { url, token } = window.settings;
createRoot(document.body).render(createElement(ChatProvider, { url, token }, createElement(Push)));`;

/**
 * The packaged browser asks nobody and reaches no push service: the person answers `localStorage.answer`, and subscriptions are those of a
 * receiver.
 */
const stubs = `
Object.defineProperty(Notification, "permission", { get: () => localStorage.permission ?? "default" });
Notification.requestPermission = async () => (localStorage.permission = localStorage.answer ?? "granted");
const bytesOf = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
const read = () => {
  const { subscription } = localStorage;
  if (subscription === undefined) return null;
  const { endpoint, keys, publicKey } = JSON.parse(subscription);
  return {
    options: { applicationServerKey: bytesOf(publicKey).buffer },
    toJSON: () => ({ endpoint, keys }),
    unsubscribe: async () => delete localStorage.subscription,
  };
};
PushManager.prototype.getSubscription = async () => read();
PushManager.prototype.subscribe = async ({ applicationServerKey: publicKey, userVisibleOnly }) => {
  if (!userVisibleOnly) throw new Error("Browsers push nothing that is not shown.");
  const { device } = await window.subscribe();
  localStorage.subscription = JSON.stringify({ ...device, publicKey });
  return read();
};`;

const stateOf = (page: Page) => page.evaluate("window.push?.state") as Promise<PushState>;

describe.skipIf(!hasBrowser)("push in a page", () => {
  let browser: Browser;
  let server: TestServer;
  let admin: ChatClient;
  let receiver: PushReceiver;
  let origin: string;
  let folder: string;
  const site = createServer(async (request, response) => {
    const [path = ""] = (request.url ?? "").split("?");
    const isScript = path.endsWith(".js");
    response.setHeader("Content-Type", isScript ? "text/javascript" : "text/html");
    const files: Record<string, string> = { "/library.js": library, "/page.js": join(folder, "page.js") };
    const file = files[path];
    if (file !== undefined) response.end(await readFile(file));
    else if (isScript) response.end(worker);
    else
      response.end(
        `<title>Chat</title><body>${path === "/" ? "" : '<script type="module" src="/page.js"></script>'}`,
      );
  });
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "madang-push-page-"));
    await writeFile(join(folder, "source.js"), source);
    await build({
      entry: { page: join(folder, "source.js") },
      outDir: folder,
      outExtension: () => ({ js: ".js" }),
      format: "esm",
      platform: "browser",
      target: "es2022",
      noExternal: [/./],
      env: { NODE_ENV: "production" },
      config: false,
      silent: true,
      esbuildOptions(options) {
        // As a page has it: the paths of the package lead to its sources.
        delete options.tsconfig;
        options.tsconfigRaw = { compilerOptions: { jsx: "react-jsx" } };
        options.nodePaths = [join(kit, "node_modules"), join(kit, "../../apps/server/node_modules")];
      },
    });
    origin = (await bind(site, { PORT: 0, HOST: "127.0.0.1" })).replace("127.0.0.1", "localhost");
    const settings = {
      MADANG_ORIGINS: origin,
      MADANG_WEBHOOK_ALLOW: "127.0.0.0/8",
      MADANG_PUSH_DELAY_MS: "100",
    };
    [browser, server] = await Promise.all([
      openBrowser(),
      startServer({ settings, hasBackgroundTasks: true }),
    ]);
    admin = chatWith(server);
    const { webpush } = await admin.push.settings();
    receiver = await startPushReceiver(webpush?.public_key);
    for (const user_id of ["kim_01", "park_01"]) await admin.users.create({ user_id, name: user_id });
    await admin.channels.create({ channel_id: "room_1", name: "Lunch", members: ["kim_01", "park_01"] });
  });
  afterAll(async () => {
    await browser?.close();
    site.closeAllConnections();
    site.close();
    await server?.close();
    await receiver?.close();
    await rm(folder, { recursive: true });
  });

  async function openContext(): Promise<BrowserContext> {
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    return context;
  }

  interface Opening {
    readonly userId?: string;
    readonly prepare?: (page: Page) => Promise<unknown>;
  }

  /** A page of a user that has called `usePush`. */
  async function open(context: BrowserContext, { userId = "park_01", prepare }: Opening = {}): Promise<Page> {
    const page = await context.newPage();
    const { token } = await admin.users.createToken(userId);
    await page.exposeFunction("subscribe", () => receiver.subscribe());
    const settings = JSON.stringify({ url: server.url, token });
    await page.addInitScript(`window.settings = ${settings}; ${stubs}`);
    await prepare?.(page);
    await page.goto(`${origin}/chat`);
    return page;
  }

  const devicesOf = async (userId = "park_01") =>
    (await admin.users.devices.list(userId)).devices.map(({ device_id, provider }) => ({
      device_id,
      provider,
    }));

  async function expectState(page: Page, state: PushState): Promise<void> {
    await expect.poll(() => stateOf(page), { timeout: 20_000 }).toBe(state);
  }

  test("a person subscribes, is pushed to after a reload as well, and unsubscribes", async () => {
    const context = await openContext();
    const page = await open(context);
    await expectState(page, "off");
    expect(await devicesOf()).toEqual([]);
    await page.getByRole("button", { name: "Notify me" }).click();
    await page.getByRole("button", { name: "Stop notifications" }).waitFor();
    const [device, ...others] = await devicesOf();
    expect([device?.provider, others]).toEqual(["webpush", []]);
    await admin.users.devices.remove("park_01", device?.device_id ?? "");
    await page.reload();
    await expectState(page, "on");
    // The start has registered the browser again, as the same device.
    await expect.poll(() => devicesOf()).toEqual([device]);
    await page.evaluate("window.push.unsubscribe()");
    await expectState(page, "off");
    expect(await devicesOf()).toEqual([]);
    await page.reload();
    await expectState(page, "off");
  });

  test("a person who wants none, a browser that cannot, and a service that does not push say so", async () => {
    const page = await open(await openContext());
    await expectState(page, "off");
    await page.evaluate('localStorage.answer = "denied"; window.push.subscribe()');
    await expectState(page, "denied");
    await page.reload();
    await expectState(page, "denied");
    const withoutNotifications = (other: Page) => other.addInitScript("delete window.Notification");
    await expectState(await open(await openContext(), { prepare: withoutNotifications }), "unsupported");
    const json = { providers: ["fcm"] };
    const headers = { "access-control-allow-origin": origin };
    const otherService = (other: Page) =>
      other.route("**/v1/push", (route) => route.fulfill({ json, headers }));
    await expectState(await open(await openContext(), { prepare: otherService }), "unsupported");
    expect(await devicesOf()).toEqual([]);
  });

  const subscriptionOf = (page: Page) =>
    page.evaluate<string | undefined>("localStorage.subscription").then((text) => text && JSON.parse(text));

  test("with another key of the service, a page subscribes again, and a subscription of another user is ended", async () => {
    const context = await openContext();
    const page = await open(context);
    await expectState(page, "off");
    await page.evaluate("window.push.subscribe()");
    await expectState(page, "on");
    const before = await subscriptionOf(page);
    const [device] = await devicesOf();
    await admin.users.devices.remove("park_01", device?.device_id ?? "");
    await page.evaluate(`{
      const kept = JSON.parse(localStorage.subscription);
      localStorage.subscription = JSON.stringify({ ...kept, publicKey: "B" + kept.publicKey.slice(1).split("").reverse().join("") });
    }`);
    await page.reload();
    await expectState(page, "on");
    const after = await subscriptionOf(page);
    expect(after.publicKey).toBe(before.publicKey);
    expect(after.endpoint).not.toBe(before.endpoint);
    expect(await devicesOf()).toEqual([device]);
    const others = await open(context, { userId: "kim_01" });
    await expectState(others, "off");
    expect(await subscriptionOf(others)).toBeUndefined();
    expect(await devicesOf("kim_01")).toEqual([]);
    for (const { device_id } of await devicesOf()) await admin.users.devices.remove("park_01", device_id);
  });

  test("what the service pushes is shown once for a channel, with a badge, and a click opens the conversation", async () => {
    const context = await openContext();
    const page = await open(context);
    const deliver = await followWorker(page);
    await expectState(page, "off");
    await page.evaluate("window.push.subscribe()");
    for (const content of ["First", "Second"]) {
      await admin.messages.send("room_1", { user_id: "kim_01", type: "text", content });
      await expect.poll(() => receiver.pushes.at(-1)?.payload.body).toBe(content);
    }
    // They may arrive in another order.
    for (const { payload } of receiver.pushes.toReversed()) await deliver(payload);
    const shown = () => page.evaluate("window.shown");
    await expect
      .poll(shown)
      .toEqual({ list: [{ title: "kim_01", body: "Second", tag: "room_1" }], badge: expect.any(Number) });
    await deliver({ ...receiver.pushes.at(-1)?.payload });
    await expect.poll(shown).toMatchObject({ badge: 2 });
    await page.evaluate('navigator.serviceWorker.controller.postMessage("room_1")');
    await expect.poll(() => page.url()).toBe(`${origin}/chat#room_1`);
    await expect.poll(shown).toMatchObject({ list: [] });
    expect(receiver.faults).toEqual([]);
  });

  /** What the worker shows is `window.shown`. Returns what delivers a payload to it, as the push service of the browser would. */
  async function followWorker(page: Page): Promise<(payload: object) => Promise<unknown>> {
    const devTools = await page.context().newCDPSession(page);
    const registered = new Promise<string>((resolve) =>
      devTools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations: [first] }) => {
        if (first !== undefined) resolve(first.registrationId);
      }),
    );
    await devTools.send("ServiceWorker.enable");
    await page.evaluate(`(async () => {
      await navigator.serviceWorker.register("/service-worker.js", { type: "module" });
      await navigator.serviceWorker.ready;
      navigator.serviceWorker.addEventListener("message", ({ data }) => Object.assign(window, { shown: data }));
      navigator.serviceWorker.startMessages();
    })()`);
    const registrationId = await registered;
    return (payload) =>
      devTools.send("ServiceWorker.deliverPushMessage", {
        origin,
        registrationId,
        data: JSON.stringify(payload),
      });
  }

  test("a push shows one notification for a channel, the newest one, and a click opens the conversation", async () => {
    const page = await (await openContext()).newPage();
    await page.goto(`${origin}/?user=park`);
    const deliver = await followWorker(page);
    const shown = () => page.evaluate("window.shown?.list");
    const message = (body: string, createdAt: number, channel = "room_1") => ({
      type: "message",
      channel_id: channel,
      message_id: `${createdAt}-1`,
      title: "Kim",
      body,
      created_at: createdAt,
      unread_count: 1,
    });
    await deliver(message("First", 1));
    await expect.poll(shown).toEqual([{ title: "Kim", body: "First", tag: "room_1" }]);
    await deliver(message("Second", 2));
    await expect.poll(shown).toEqual([{ title: "Kim", body: "Second", tag: "room_1" }]);
    // A repetition of the first message.
    await deliver(message("First", 1));
    await deliver(message("Elsewhere", 3, "room_2"));
    const both = [
      { title: "Kim", body: "Second", tag: "room_1" },
      { title: "Kim", body: "Elsewhere", tag: "room_2" },
    ];
    await expect.poll(shown).toEqual(both);
    expect(await page.evaluate("window.shown.badge")).toBe(1);
    await page.evaluate('navigator.serviceWorker.controller.postMessage("room_1")');
    await expect.poll(() => page.url()).toBe(`${origin}/?user=park#room_1`);
    await expect.poll(shown).toEqual([both[1]]);
  });
});

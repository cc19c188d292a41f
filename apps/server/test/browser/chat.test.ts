import { execFile, spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { chatWith } from "../support/chat";
import { findViolations } from "../support/console-page";
import { createDatabase } from "../support/database";
import { findFreePort } from "../support/ports";
import { masterKey, startServerOn, type TestServer } from "../support/server";
import { hasBrowser, openBrowser } from "./browser";

// The program of examples/chat/README.md.
const examples = join(import.meta.dirname, "../../../../examples");
const room = "chat_lunch";
const [kimId, parkId] = ["chat_kim", "chat_park"];

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
    await page.getByRole("button", { name: "Lunch" }).click();
    await page.locator("ol li").first().waitFor();
  }

  test("two people write, reply, react, edit, search, send a picture, and see who types and has read", async () => {
    const [kim, park] = [await open(kimId), await open(parkId)];
    await send(kim, "Lunch at one?");
    await act(park, "Lunch at one?", "Reply");
    await park.getByText("Reply to Lunch at one?").waitFor();
    await park.getByLabel("Message", { exact: true }).pressSequentially("Gladly");
    await kim.getByText("Park is typing…").waitFor();
    await send(park, "Gladly. The usual place?");
    await expect
      .poll(() => readScreen(kim))
      .toEqual(["Lunch at one?", "[Lunch at one?] Gladly. The usual place?"]);
    await kim.getByText("Read by Park").waitFor();
    await act(kim, "Gladly", "👍");
    await act(park, "Gladly", "👍 1");
    await row(kim, "Gladly").getByRole("button", { name: "👍 2", pressed: true }).waitFor();
    await act(park, "Gladly", "👍 2");
    await row(kim, "Gladly").getByRole("button", { name: "👍 1", pressed: true }).waitFor();
    kim.once("dialog", (dialog) => void dialog.accept("Lunch at noon?"));
    await act(kim, "Lunch at one?", "Edit");
    await expect
      .poll(() => readScreen(park))
      .toEqual(["Lunch at noon?", "[Lunch at noon?] Gladly. The usual place?"]);
    await park.getByText("edited", { exact: true }).waitFor();
    await park
      .getByLabel("File")
      .setInputFiles({ name: "map.svg.png", mimeType: "image/png", buffer: picture });
    await kim.getByRole("img", { name: "map.svg.png" }).waitFor();
    const isDrawn = "document.querySelector('img').naturalWidth === 1";
    await expect.poll(() => kim.evaluate(isDrawn)).toBe(true);
    await kim.getByLabel("Search").fill("usual");
    await kim.getByRole("list", { name: "Results" }).getByText("Gladly").waitFor();
    await kim.getByLabel("Search").fill("");
    if (process.env.MADANG_SCREENSHOT !== undefined) {
      const [withPicture] = await chat.messages.list(room).toArray();
      await chat.messages.delete(room, withPicture?.message_id ?? "");
      await kim.reload();
      await openRoom(kim);
      await send(kim, "See you there. I bring the tickets for Sunday.");
      await chat.messages.send("chat_hiking", {
        user_id: parkId,
        type: "text",
        content: "Who drives on Sunday?",
      });
      await kim.getByText("Who drives").waitFor();
      await wait(1_500);
      await kim.screenshot({ path: process.env.MADANG_SCREENSHOT });
    }
    await act(kim, "Lunch at noon?", "Delete");
    await expect.poll(async () => (await readScreen(park))[1]).toContain("[A deleted message] Gladly");
    expect([...kim.errors, ...park.errors]).toEqual([]);
  });

  test("both pages show each of 500 messages once, in the order of the history, through 20 restarts of the service and with tokens of one minute", async () => {
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
      for (let number = 1; number <= 249; number++) {
        await type(page, `${name} ${number}`);
        await wait(60);
      }
    };
    const restartOften = async () => {
      for (let number = 0; number < 20; number++) {
        await wait(700);
        await restart();
      }
    };
    await Promise.all([write(kim, "Kim"), write(park, "Park"), restartOften()]);
    // The first tokens end.
    await expect.poll(() => tokens).toBeGreaterThanOrEqual(4);
    await type(kim, "Kim 250");
    await type(park, "Park 250");
    const stored = async () => (await chat.messages.list(room, { pageSize: 100 }).toArray()).reverse();
    await expect.poll(async () => (await stored()).length).toBe(500);
    const texts = (await stored()).map((message) => (message.type === "text" ? message.content : ""));
    for (const page of [kim, park]) await expect.poll(() => readScreen(page)).toEqual(texts);
    for (const name of ["Kim", "Park"])
      expect(texts.filter((text) => text.startsWith(name))).toEqual(
        Array.from({ length: 250 }, (_, index) => `${name} ${index + 1}`),
      );
  });

  test("what is written while nothing can be reached for 30 s, and before a reload, is sent once, in its order", async () => {
    const [kim, park] = [await open(kimId), await open(parkId)];
    await kim.context().setOffline(true);
    for (let number = 1; number <= 3; number++) await send(kim, `offline ${number}`);
    await send(park, "Where are you?");
    expect(await kim.getByText("sending").count()).toBe(3);
    await wait(30_000);
    await kim.context().setOffline(false);
    const all = ["Where are you?", "offline 1", "offline 2", "offline 3"];
    for (const page of [kim, park]) await expect.poll(() => readScreen(page)).toEqual(all);
    await kim.route(`${server.url}/**`, (route) => route.abort());
    await send(kim, "before the reload");
    await kim.getByText("sending").waitFor();
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
    await expect.poll(() => park.getByRole("button", { name: "Lunch" }).count()).toBe(0);
    await wait(1_500);
    expect(await park.locator("body").textContent()).not.toContain("for Kim only");
  });

  test("10,000 messages are scrolled through, none is left out, and only those around the visible ones are in the page", async ({
    annotate,
  }) => {
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
  });

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
    for (const file of hostile)
      await kim.getByLabel("File").setInputFiles({ ...file, buffer: Buffer.from(script) });
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

  test.each([
    { width: 1280, colorScheme: "light" },
    { width: 1280, colorScheme: "dark" },
    { width: 390, colorScheme: "light" },
    { width: 390, colorScheme: "dark" },
  ] as const)("is accessible, and not wider than the window: $width px, $colorScheme", async (look) => {
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
    if (process.env.MADANG_SCREENSHOT !== undefined)
      await page.screenshot({
        path: `${process.env.MADANG_SCREENSHOT}-${look.width}-${look.colorScheme}.png`,
      });
    if (look.width < 701) {
      await page.getByRole("button", { name: "Back" }).click();
      await page.getByRole("button", { name: "Lunch" }).waitFor();
      expect(await findViolations(page)).toEqual([]);
    }
  });
});

/** A PNG of one pixel. */
const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** Scrolls up until there is nothing above, and collects what was seen. */
const scrollToTheBeginning = `(async () => {
  let longestMs = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longestMs = Math.max(longestMs, duration);
  }).observe({ type: "longtask" });
  const list = document.querySelector("ol");
  const seen = new Set();
  let maxRows = 0;
  // A busy machine takes a while to load a page.
  for (let still = 0; still < (seen.has(0) ? 40 : 1_500);) {
    const before = seen.size;
    for (const text of list.querySelectorAll(".text")) seen.add(Number(text.textContent.slice(8)));
    maxRows = Math.max(maxRows, list.children.length);
    still = seen.size === before ? still + 1 : 0;
    list.scrollTop -= 600;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { numbers: [...seen].sort((one, other) => one - other), maxRows, longestMs };
})()`;

const row = (page: Page, text: string) =>
  page.locator("ol li").filter({ has: page.locator(".text", { hasText: text }) });

async function act(page: Page, text: string, name: string): Promise<void> {
  await row(page, text).hover();
  await row(page, text).getByRole("button", { name, exact: true }).click();
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
  return page.locator("ol li[data-message]").evaluateAll((items) =>
    items.map((item) => {
      const quote = item.querySelector("blockquote")?.textContent;
      return `${quote ? `[${quote}] ` : ""}${item.querySelector(".text")?.textContent}`;
    }),
  );
}

async function buildPage(url: string): Promise<void> {
  await rm(join(examples, "chat/dist"), { recursive: true, force: true });
  const args = [join(examples, "node_modules/vite/bin/vite.js"), "build", "--config", "chat/vite.config.ts"];
  await promisify(execFile)(process.execPath, args, {
    cwd: examples,
    env: { PATH: process.env.PATH, MADANG_URL: url },
  });
}

async function startApplication(url: string, port: number): Promise<{ stop(): Promise<unknown> }> {
  const application = spawn(process.execPath, ["chat/server.ts"], {
    cwd: examples,
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

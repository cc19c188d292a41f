import { execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { pack } from "../../../../packages/cli/test/support/install-packed";
import { chatWith } from "../support/chat";
import { createDatabase } from "../support/database";
import { findFreePort } from "../support/ports";
import { masterKey, startServerOn, type TestServer } from "../support/server";
import { hasBrowser, openBrowser } from "./browser";

// Expo and React Native are 420 MB, which npm downloads. A phone is not needed: Expo makes a page of the same components.

const createMadang = join(import.meta.dirname, "../../../../packages/create-madang/dist/main.js");
const [kimId, parkId] = ["chat_kim", "chat_park"];
const room = "chat_lunch";

describe.skipIf(!hasBrowser)("the template expo, as a page with the packed packages, on a phone", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "madang-expo-")));
  const project = join(folder, "my-chat");
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
    await createProject();
    const env = {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      CI: "1",
      EXPO_NO_TELEMETRY: "1",
      EXPO_PUBLIC_MADANG_URL: server.url,
      EXPO_PUBLIC_SERVER_URL: address,
      MADANG_URL: server.url,
      MADANG_API_KEY: masterKey,
      PORT: String(ownPort),
    };
    for (const script of ["typecheck", "build"])
      await promisify(execFile)("npm", ["run", script], { cwd: project, env });
    application = await start(env);
    browser = await openBrowser();
  }, 1_200_000);
  afterAll(async () => {
    await browser?.close();
    await application?.stop();
    await server?.close();
    await database?.drop();
    rmSync(folder, { recursive: true });
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
  });

  /** What a person does by the README. */
  async function createProject(): Promise<void> {
    const packed = join(folder, "packed");
    mkdirSync(packed);
    for (const name of ["client", "react"]) pack(`packages/${name}`, packed);
    const args = [createMadang, project, "--template", "expo", "--packages", packed];
    await promisify(execFile)(process.execPath, args);
    await promisify(execFile)("npm", ["install", "--no-audit", "--no-fund"], { cwd: project });
  }

  async function start(env: NodeJS.ProcessEnv) {
    const child = spawn(process.execPath, ["server/main.ts"], { cwd: project, env, stdio: "pipe" });
    const exited = new Promise((resolve) => child.once("exit", resolve));
    let output = "";
    child.stderr.on("data", (text) => {
      output += text;
    });
    await new Promise<void>((resolve, reject) => {
      child.once("exit", () => reject(new Error(`The server ended instead of starting: ${output}`)));
      child.stdout.once("data", () => resolve());
    });
    return {
      stop() {
        child.kill("SIGTERM");
        return exited;
      },
    };
  }

  async function signIn(name: string) {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(address);
    await page.getByRole("button", { name }).click();
    return Object.assign(page, { errors });
  }

  async function openRoom(name: string) {
    const page = await signIn(name);
    await line(page).click();
    await page.getByRole("heading", { name: "Lunch" }).waitFor();
    return page;
  }

  test("two people write, edit, answer, react and delete, and see who types and has read", async () => {
    const [kim, park] = [await openRoom("Kim Min-jun"), await signIn("박서연")];
    await send(kim, "Lunch at one?");
    await line(park).getByText("Kim Min-jun: Lunch at one?").waitFor();
    await line(park).getByLabel("1 unread").waitFor();
    await line(park).click();
    await kim.getByText("Read by 박서연").waitFor();

    await choose(kim, "Lunch at one?", "Edit");
    await expect.poll(() => field(kim).inputValue()).toBe("Lunch at one?");
    await field(kim).fill("Lunch at noon?");
    await kim.getByRole("button", { name: "Save" }).click();
    await row(park, "Lunch at noon?").getByText("edited").waitFor();

    // After "Reply", the field has the focus.
    await choose(park, "Lunch at noon?", "Reply");
    await park.getByText("Reply to Kim Min-jun").waitFor();
    await expect.poll(() => park.evaluate("document.activeElement.ariaLabel")).toBe("Message");
    await park.keyboard.type("Gladly");
    await kim.getByText("박서연 is typing…").waitFor();
    await park.getByRole("button", { name: "Send" }).click();
    await row(kim, "Gladly").getByRole("button", { name: "Lunch at noon?" }).waitFor();

    await hold(kim, "Gladly");
    await kim.getByRole("button", { name: "👍", exact: true }).click();
    await row(park, "Gladly").getByRole("button", { name: "👍 1" }).click();
    await row(kim, "Gladly").getByRole("button", { name: "👍 2" }).waitFor();

    await choose(kim, "Lunch at noon?", "Delete");
    await row(park, "Gladly").getByText("Deleted message").waitFor();
    await row(park, "Message deleted").waitFor();
    await kim.getByRole("button", { name: "Back" }).click();
    await line(kim).getByText("박서연: Gladly").waitFor();
    expect([kim.errors, park.errors]).toEqual([[], []]);
  });

  test("an answer is shown while it is written, and can be stopped", async () => {
    const kim = await openRoom("Kim Min-jun");
    const writer = await chat.messages.stream(room, { user_id: parkId, type: "text" });
    await writer.append("There are three ways");
    await row(kim, "There are three ways▍").waitFor();
    await writer.append(": by train");
    await row(kim, "three ways: by train▍").getByRole("button", { name: "Stop" }).click();
    await row(kim, "three ways: by train").getByText("Stopped").waitFor();
    expect(await row(kim, "▍").count()).toBe(0);
    expect(kim.errors).toEqual([]);
  });

  test("a conversation that was never read opens at the line above its first message, which stays there", async () => {
    for (let number = 1; number <= 30; number++)
      await chat.messages.send("chat_hiking", { user_id: parkId, type: "text", content: `Number ${number}` });
    const kim = await signIn("Kim Min-jun");
    await line(kim, "Hiking on Sunday").click();
    const unread = row(kim, "New messages");
    await expect.poll(() => unread.getByText(/^Number/).textContent()).toBe("Number 1");
    await chat.messages.send("chat_hiking", { user_id: parkId, type: "text", content: "Later" });
    await row(kim, "Later").waitFor({ state: "attached" });
    expect(await unread.getByText(/^Number/).textContent()).toBe("Number 1");
    const [first, list] = [
      await unread.boundingBox(),
      await kim.getByRole("list", { name: "Messages" }).boundingBox(),
    ];
    expect(first?.y).toBeGreaterThan(list?.y ?? 0);
    expect(first?.y).toBeLessThan((list?.y ?? 0) + (list?.height ?? 0));
    expect(kim.errors).toEqual([]);
  });

  test("the messages of a person who is blocked are folded, until they are shown or the block ends", async () => {
    await chat.messages.send(room, { user_id: parkId, type: "text", content: "Buy my shoes" });
    const kim = await openRoom("Kim Min-jun");
    await choose(kim, "Buy my shoes", "Block 박서연");
    const notice = kim.getByRole("alert").getByText("You have blocked 박서연");
    await notice.waitFor();
    const folded = kim.getByRole("listitem").filter({ hasText: "somebody you have blocked" });
    await folded.first().waitFor();
    expect(await row(kim, "Buy my shoes").count()).toBe(0);
    await folded.first().getByRole("button", { name: "Show" }).click();
    await row(kim, "Buy my shoes").waitFor();
    const [above, newest] = [await notice.boundingBox(), await row(kim, "Buy my shoes").boundingBox()];
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThan(newest?.y ?? 0);
    await kim.getByRole("button", { name: "Back" }).click();
    await line(kim).getByText("박서연: Message of somebody you have blocked").waitFor();
    await kim.getByRole("textbox", { name: "Search" }).fill("shoes");
    // The result also has the name of the person.
    const result = (text: string) => kim.getByRole("button", { name: "박서연 · Lunch" }).getByText(text);
    await result("Message of somebody you have blocked").waitFor();
    await chat.users.blocks.remove(kimId, parkId);
    await result("Buy my shoes").waitFor();
    await kim.getByRole("textbox", { name: "Search" }).fill("");
    await line(kim).getByText("박서연: Buy my shoes").waitFor();
    await line(kim).click();
    await row(kim, "Buy my shoes").waitFor();
    expect(await folded.count()).toBe(0);
    expect(kim.errors).toEqual([]);
  });

  test("what is written without a connection is sent when it is back, also after a start without one", async () => {
    const [kim, park] = [await openRoom("Kim Min-jun"), await openRoom("박서연")];
    await server.close();
    await send(kim, "From the train");
    await kim.getByRole("status").getByText("You are offline.").waitFor();
    await row(kim, "From the train").getByRole("img", { name: "Sending" }).waitFor();
    server = await startServerOn(database.url, { settings });
    await row(park, "From the train").waitFor();
    await row(kim, "From the train").getByRole("img", { name: "Read" }).waitFor();

    await kim.route(`${server.url}/**`, (route) => route.abort());
    await send(kim, "From the tunnel");
    await row(kim, "From the tunnel").getByRole("img", { name: "Sending" }).waitFor();
    await kim.reload();
    await kim.getByRole("status").getByText("Connecting…").waitFor();
    await line(kim).click();
    await row(kim, "From the train").waitFor();
    await row(kim, "From the tunnel").getByRole("img", { name: "Sending" }).waitFor();
    await kim.unroute(`${server.url}/**`);
    await row(park, "From the tunnel").waitFor();
    await row(kim, "From the tunnel").getByRole("img", { name: "Read" }).waitFor();
    await expect.poll(() => kim.getByText("Connecting…").count()).toBe(0);
    const sent = await chat.messages.list(room).toArray();
    const texts = sent.map((message) => (message.type === "text" ? message.content : ""));
    expect(texts.filter((text) => text.startsWith("From"))).toEqual(["From the tunnel", "From the train"]);
    expect([kim.errors, park.errors]).toEqual([[], []]);
  });
});

const field = (page: Page) => page.getByRole("textbox", { name: "Message" });
const line = (page: Page, name = "Lunch") => page.getByRole("button", { name });

/** The oldest message with this text: the list is upside down. */
const row = (page: Page, text: string) => page.getByRole("listitem").filter({ hasText: text }).last();

async function send(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await page.getByRole("button", { name: "Send" }).click();
}

/** Opens what can be done with a message. */
const hold = (page: Page, text: string) => row(page, text).getByText(text).last().click({ delay: 700 });

async function choose(page: Page, text: string, name: string): Promise<void> {
  await hold(page, text);
  await page.getByRole("menuitem", { name, exact: true }).click();
}

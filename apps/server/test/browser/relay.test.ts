import { spawn } from "node:child_process";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { chatWith } from "../support/chat";
import { findFreePort } from "../support/ports";
import { masterKey, startServer, type TestServer } from "../support/server";
import { hasBrowser, openBrowser } from "./browser";

// The program of examples/relay/README.md.
const program = fileURLToPath(new URL("../../../../examples/relay/main.ts", import.meta.url));
const room = "relay_room";

describe.skipIf(!hasBrowser)("the relay to browsers", () => {
  let server: TestServer;
  let chat: ReturnType<typeof chatWith>;
  let proxy: Proxy;
  let port: number;
  let relay: { stop(): Promise<unknown> };
  let browser: Browser;

  beforeAll(async () => {
    [server, browser, port] = await Promise.all([startServer(), openBrowser(), findFreePort()]);
    chat = chatWith(server);
    proxy = await startProxy(server.url);
  });
  afterAll(async () => {
    await browser.close();
    await proxy.close();
    await server.close();
  });
  beforeEach(async () => {
    relay = await startRelay(proxy.url, port);
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
    await relay.stop();
    await chat.channels.delete(room);
  });

  test("two people see each other's messages at once, and nothing of other channels", async () => {
    const [kim, park] = [await open("relay_kim"), await open("relay_park")];
    await chat.users.create({ user_id: "other_1", name: "Other" });
    await chat.channels.create({
      channel_id: "other_room",
      name: "Other",
      members: ["other_1", "relay_kim"],
    });
    await chat.messages.send("other_room", { user_id: "other_1", type: "text", content: "Secret" });
    for (const [page, text] of [
      [kim, "Lunch at noon?"],
      [park, "Gladly. The usual place?"],
      [kim, "See you there."],
    ] as const) {
      await send(page, text);
      for (const each of [kim, park]) await each.getByText(text).waitFor();
    }
    const shown = ["Kim: Lunch at noon?", "Park: Gladly. The usual place?", "Kim: See you there."];
    expect(await readScreen(kim)).toEqual(shown);
    expect(await readScreen(park)).toEqual(shown);
    // Kim is a participant of the other channel, which this page does not show. Park is not.
    expect(await received(kim)).toContain("Secret");
    expect(await received(park)).not.toContain("Secret");
  });

  test("two people reply, react, and see who has read the newest message and what was edited", async () => {
    const [kim, park] = [await open("relay_kim"), await open("relay_park")];
    await send(kim, "Lunch at one?");
    await park.getByText("Lunch at one?").waitFor();
    await messageWith(park, "Lunch at one?").getByRole("button", { name: "Reply" }).click();
    await park.getByText("Reply to Kim: Lunch at one?").waitFor();
    await send(park, "Gladly. The usual place?");
    await kim.getByText("Gladly. The usual place?").waitFor();
    expect(await park.getByText("Reply to Kim").count()).toBe(0);
    const [answer, question] = (await chat.messages.list(room).firstPage()).items;
    expect(answer).toMatchObject({ reply_to: question?.message_id });

    const thumb = (page: Page) => messageWith(page, "Gladly").getByRole("button", { name: "👍" });
    await thumb(kim).click();
    for (const page of [kim, park]) await expect.poll(() => thumb(page).textContent()).toBe("👍 1");
    await thumb(park).click();
    for (const page of [kim, park]) await expect.poll(() => thumb(page).textContent()).toBe("👍 2");
    await thumb(park).click();
    for (const page of [kim, park]) await expect.poll(() => thumb(page).textContent()).toBe("👍 1");
    const [{ reactions } = {}] = (await chat.messages.list(room).firstPage()).items;
    expect(reactions).toEqual([{ reaction: "👍", count: 1 }]);

    await chat.messages.update(room, question?.message_id ?? "", { content: "Lunch at noon?" });
    for (const page of [kim, park]) {
      await messageWith(page, "Lunch at noon?").getByText("edited", { exact: true }).waitFor();
      expect(await readScreen(page)).toEqual([
        "Kim: Lunch at noon? (edited)",
        "[Kim: Lunch at noon?] Park: Gladly. The usual place?",
      ]);
    }

    await send(kim, "See you there.");
    await kim.getByText("Read by Park").waitFor();
    // A page does not show its own user.
    await park.getByText("See you there.").waitFor();
    await expect.poll(() => park.locator("#readers").textContent(), { timeout: 10_000 }).toBe("");
    if (process.env.MADANG_SCREENSHOT !== undefined)
      await kim.screenshot({ path: process.env.MADANG_SCREENSHOT });
    await chat.channels.members.leave(room, "relay_park");
    await expect.poll(() => kim.locator("#readers").textContent(), { timeout: 10_000 }).toBe("");
  });

  test("a message on a page that nobody looks at is not read", async () => {
    const hide = "Object.defineProperty(document, 'hidden', { get: () => window.isHidden ?? true });";
    const park = await open("relay_park", { prepare: (page) => page.addInitScript(hide) });
    const { message_id } = await chat.messages.send(room, {
      user_id: "relay_kim",
      type: "text",
      content: "Noon?",
    });
    await park.getByText("Noon?").waitFor();
    const readers = async () => (await chat.messages.readers(room, message_id)).reader_count;
    expect(await readers()).toBe(0);
    await park.evaluate(
      "window.isHidden = false; document.dispatchEvent(new Event('visibilitychange')); undefined",
    );
    await expect.poll(readers, { timeout: 10_000 }).toBe(1);
  });

  test("a mark and a list of readers that fail are sent and read again", async () => {
    const failOnce = (path: string) => (page: Page) =>
      page.route(path, (route) => route.abort(), { times: 1 });
    const noon = { user_id: "relay_kim", type: "text", content: "Noon?" } as const;
    const { message_id } = await chat.messages.send(room, noon);
    await open("relay_park", { prepare: failOnce("**/read?*") });
    const readerCount = async () => (await chat.messages.readers(room, message_id)).reader_count;
    await expect.poll(readerCount, { timeout: 10_000 }).toBe(1);
    // Nothing else changes, so no event makes the page ask again.
    await chat.channels.members.markRead(room, "relay_kim");
    const kim = await open("relay_kim", { prepare: failOnce("**/readers?*") });
    await kim.getByText("Read by Park").waitFor();
  });

  test("a reaction that a page reads before its event counts once, and other reactions are shown too", async () => {
    const { message_id } = await chat.messages.send(room, {
      user_id: "relay_park",
      type: "text",
      content: "Noon?",
    });
    const [released, release] = signal();
    const [arrived, onArrival] = signal();
    const kim = await open("relay_kim", {
      isConnected: false,
      prepare: (page) =>
        page.route("**/messages?*", async (route) => {
          onArrival();
          await released;
          await route.continue();
        }),
    });
    await arrived;
    await chat.messages.reactions.add(room, message_id, "lunch", "relay_park");
    await expect.poll(() => received(kim)).toContain("lunch");
    release();
    await kim.getByRole("button", { name: "lunch 1" }).waitFor();
    await chat.messages.reactions.remove(room, message_id, "lunch", "relay_park");
    await expect.poll(() => kim.getByRole("button", { name: "lunch" }).count()).toBe(0);
  });

  test("if the counts of a message cannot be read, browsers connect again and show them", async () => {
    const { message_id } = await chat.messages.send(room, {
      user_id: "relay_park",
      type: "text",
      content: "Noon?",
    });
    const kim = await open("relay_kim");
    await kim.getByText("Noon?").waitFor();
    proxy.fail(`/v1/group/channels/${room}/messages/${message_id}`);
    const reconnected = kim.waitForResponse((response) => response.url().includes("/events"));
    await chat.messages.reactions.add(room, message_id, "👍", "relay_park");
    await reconnected;
    await kim.getByRole("button", { name: "👍 1" }).waitFor();
  });

  test("a deleted message is quoted nowhere, and the text of a reply to it stays", async () => {
    const ask = { user_id: "relay_park", type: "text", content: "Something private" } as const;
    const { message_id } = await chat.messages.send(room, ask);
    await chat.messages.send(room, { ...ask, content: "Yes", reply_to: message_id });
    const kim = await open("relay_kim");
    await kim.getByText("Yes").waitFor();
    expect(await readScreen(kim)).toContain("[Park: Something private] Park: Yes");
    await messageWith(kim, "Something private").getByRole("button", { name: "Reply" }).first().click();
    await kim.getByLabel("Message").fill("I think so too");
    await chat.messages.delete(room, message_id);
    await kim.getByText("The message that you reply to is gone.").waitFor();
    expect(await readScreen(kim)).toEqual(["[An earlier message] Park: Yes"]);
    expect(await kim.locator("body").textContent()).not.toContain("private");
    expect(await kim.getByLabel("Message").inputValue()).toBe("I think so too");
    await kim.getByRole("button", { name: "Send" }).click();
    await expect.poll(() => readScreen(kim)).toContain("Kim: I think so too");
  });

  test("a system message has no sender", async () => {
    const kim = await open("relay_kim");
    await chat.messages.send(room, { type: "system", content: "Park called a taxi" });
    await kim.getByText("Park called a taxi").waitFor();
    expect(await readScreen(kim)).toEqual(["Park called a taxi"]);
  });

  test("browsers get neither reports nor moderation nor metadata of users", async () => {
    const { message_id } = await chat.messages.send(room, {
      user_id: "relay_park",
      type: "text",
      content: "Buy now",
    });
    await chat.users.meta.merge("relay_park", { phone: "number" });
    const kim = await open("relay_kim");
    const reported = { channel_id: room, message_id, reported_user_id: "relay_park" };
    await chat.reports.create({ ...reported, reporter_user_id: "relay_kim", reason: "Advertising" });
    await chat.channels.members.mute(room, "relay_park");
    await chat.users.suspend("relay_park", { until: Date.now() + 3_600_000 });
    await chat.messages.update(room, message_id, { content: "Sorry" });
    await kim.getByText("Sorry").waitFor();
    await kim.getByRole("button", { name: "👍" }).click();
    await kim.getByRole("button", { name: "👍 1" }).waitFor();
    const pages = ["/messages?", `/readers?message=${message_id}&`, `/reactions?message=${message_id}&`];
    const bodies = pages.map(async (path) => (await fetch(`${relayUrl()}${path}user=relay_kim`)).text());
    const seen = [await received(kim), ...(await Promise.all(bodies))].join("\n");
    expect(seen).toContain("Sorry");
    for (const hidden of ["Advertising", "report", "mute", "suspended", "phone", "joined_at"])
      expect(seen).not.toContain(hidden);
    await chat.users.unsuspend("relay_park");
    await chat.users.meta.delete("relay_park", ["phone"]);
    await chat.channels.members.unmute(room, "relay_park");
  });

  test("a user who is not in the channel reads, reacts and marks nothing", async () => {
    const { message_id: message } = await chat.messages.send(room, {
      user_id: "relay_park",
      type: "text",
      content: "Noon?",
    });
    await chat.channels.members.leave(room, "relay_kim");
    for (const [method, path] of [
      ["GET", "/messages"],
      ["GET", "/readers"],
      ["GET", "/reactions"],
      ["PUT", "/reactions"],
      ["PUT", "/read"],
    ] as const) {
      const query = new URLSearchParams({ user: "relay_kim", message, reaction: "👍" });
      const response = await fetch(`${relayUrl()}${path}?${query}`, { method });
      expect([method, path, response.status]).toEqual([method, path, 403]);
    }
  });

  test.each([
    ["a text", 400, "Hello"],
    ["no content", 400, "{}"],
    ["a reply to no id", 400, '{"content":"Hello","reply_to":1}'],
    ["nothing but spaces", 400, '{"content":"  "}'],
    ["a reply to a message that does not exist", 404, '{"content":"Hello","reply_to":"1-1"}'],
    ["more than a message may have", 413, JSON.stringify({ content: "x".repeat(70_000) })],
  ])("a post with %s gets %i", async (_, status, body) => {
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const response = await fetch(`${relayUrl()}/messages?user=relay_kim`, { method: "POST", headers, body });
    expect(response.status).toBe(status);
    expect((await chat.messages.list(room).firstPage()).items).toEqual([]);
  });

  test("the focus stays on a button while messages arrive", async () => {
    await chat.messages.send(room, { user_id: "relay_park", type: "text", content: "First" });
    const kim = await open("relay_kim");
    await messageWith(kim, "First").getByRole("button", { name: "Reply" }).focus();
    await chat.messages.send(room, { user_id: "relay_park", type: "text", content: "Second" });
    await kim.getByText("Second").waitFor();
    expect(await kim.evaluate("document.activeElement.textContent")).toBe("Reply");
  });

  test("a user who leaves while the channels of the browser are listed receives nothing more", async () => {
    const park = await open("relay_park");
    const held = proxy.hold("/v1/users/relay_kim/channels");
    const kim = await open("relay_kim", { isConnected: false });
    await held.arrived;
    await chat.channels.members.leave(room, "relay_kim");
    await chat.channels.create({ channel_id: "kims_room", name: "Kim", members: ["relay_kim"] });
    // The relay gets the events of a channel in order: it knows that Kim has left.
    await chat.messages.send(room, { user_id: "relay_park", type: "text", content: "Kim has left" });
    await park.getByText("Kim has left").waitFor();
    held.release();
    await kim.getByText("You are not in this channel.").waitFor();
    await chat.messages.send(room, { user_id: "relay_park", type: "text", content: "A secret" });
    await park.getByText("A secret").waitFor();
    await chat.messages.send("kims_room", { user_id: "relay_kim", type: "text", content: "The last one" });
    await expect.poll(() => received(kim)).toContain("The last one");
    expect(await received(kim)).not.toContain("A secret");
    const response = await fetch(`${relayUrl()}/messages?user=relay_kim`);
    expect(response.status).toBe(403);
  });

  test("the text of a failed send stays, and sending it again stores it once", async () => {
    const kim = await open("relay_kim");
    for (const isStored of [false, true]) {
      await kim.route("**/messages?*", async (route) => {
        if (route.request().method() !== "POST") return route.continue();
        // Stored, but the response is lost.
        if (isStored) await route.fetch();
        return route.abort();
      });
      await Promise.all([kim.waitForEvent("requestfailed"), send(kim, "See you at 12")]);
      await kim.getByText("Not sent.").waitFor();
      expect(await kim.getByLabel("Message").inputValue()).toBe("See you at 12");
      await kim.unroute("**/messages?*");
    }
    await kim.getByRole("button", { name: "Send" }).click();
    await expect.poll(() => kim.getByLabel("Message").inputValue()).toBe("");
    await expect.poll(() => kim.getByText("Not sent.").count()).toBe(0);
    expect((await chat.messages.list(room).firstPage()).items.map(contentOf)).toEqual(["See you at 12"]);
    expect(await kim.getByRole("listitem").count()).toBe(1);
  });

  test("a post without an idempotency key is rejected", async () => {
    const response = await fetch(`${relayUrl()}/messages?user=relay_kim`, {
      method: "POST",
      body: "Hello",
    });
    expect([response.status, await response.text()]).toEqual([400, "Send an Idempotency-Key header."]);
    expect((await chat.messages.list(room).firstPage()).items).toEqual([]);
  });

  test("a message that arrives before the first page is drawn after the older ones", async () => {
    const first = await chat.messages.send(room, { user_id: "relay_park", type: "text", content: "First" });
    await chat.messages.send(room, { user_id: "relay_park", type: "text", content: "Second" });
    const [arrived, onArrival] = signal();
    const [released, release] = signal();
    const kim = await open("relay_kim", {
      isConnected: false,
      prepare: (page) =>
        page.route("**/messages?*", async (route) => {
          const response = await route.fetch();
          onArrival();
          await released;
          await route.fulfill({ response });
        }),
    });
    await arrived;
    await chat.messages.send(room, { user_id: "relay_park", type: "text", content: "Third" });
    await chat.messages.delete(room, first.message_id);
    await expect.poll(() => received(kim)).toContain("message.deleted");
    release();
    await kim.getByText("Second").waitFor();
    await kim.getByText("Third").waitFor();
    expect(await readScreen(kim)).toEqual(["Park: Second", "Park: Third"]);
  });

  test("messages that are deleted and edited while a browser is disconnected change on its screen", async () => {
    const sent = [];
    for (const content of ["Stays", "Goes", "Was so"])
      sent.push(await chat.messages.send(room, { user_id: "relay_park", type: "text", content }));
    const kim = await open("relay_kim");
    await kim.getByText("Was so").waitFor();
    await relay.stop();
    await kim.getByText("Connecting").waitFor();
    await chat.messages.delete(room, sent[1]?.message_id ?? "");
    await chat.messages.update(room, sent[2]?.message_id ?? "", { content: "Is so" });
    relay = await startRelay(proxy.url, port);
    await kim.getByText("Connected").waitFor();
    expect(await readScreen(kim)).toEqual(["Park: Stays", "Park: Is so (edited)"]);
  });

  test("a page connects again after an error response", async () => {
    proxy.fail("/v1/users/relay_kim/channels");
    const kim = await open("relay_kim", { isConnected: false });
    await kim.waitForResponse((response) => response.url().includes("/events") && response.status() === 503);
    await kim.getByText("Connected").waitFor();
  });

  test("long words do not make the page wider than a phone", async () => {
    const content = "마당".repeat(300) + "https://example.com/".repeat(20);
    await chat.messages.send(room, { user_id: "relay_park", type: "text", content });
    const kim = await open("relay_kim", { viewport: { width: 390, height: 844 } });
    await kim.getByRole("listitem").waitFor();
    expect(await kim.evaluate("document.documentElement.scrollWidth")).toBe(390);
    if (process.env.MADANG_SCREENSHOT !== undefined)
      await kim.screenshot({ path: `${process.env.MADANG_SCREENSHOT}-phone.png` });
  });

  const relayUrl = () => `http://127.0.0.1:${port}`;

  async function open(
    userId: string,
    {
      isConnected = true,
      prepare = async (_page: Page): Promise<unknown> => undefined,
      viewport = { width: 560, height: 640 },
    } = {},
  ): Promise<Page> {
    const context = await browser.newContext({ viewport });
    const page = await context.newPage();
    await page.addInitScript(recordEvents);
    await prepare(page);
    await page.goto(`http://127.0.0.1:${port}/?user=${userId}`);
    if (isConnected) await page.getByText("Connected").waitFor();
    return page;
  }
});

/** Keeps what the page receives from the relay, whether the page shows it or not. */
const recordEvents = `
  window.received = "";
  window.EventSource = class extends EventSource {
    constructor(url) {
      super(url);
      this.addEventListener("message", ({ data }) => { window.received += data; });
    }
  };`;

function received(page: Page): Promise<string> {
  return page.evaluate<string>("window.received");
}

/** The messages on the page, as `[what it replies to] sender: text (edited)`. */
async function readScreen(page: Page): Promise<string[]> {
  return page.getByRole("listitem").evaluateAll((items) =>
    items.map((item) => {
      const text = (selector: string) => item.querySelector(selector)?.textContent;
      const [quote, name, mark] = [text("blockquote"), text("b"), text("small")];
      return `${quote ? `[${quote}] ` : ""}${name ? `${name}: ` : ""}${text("span")}${mark ? ` (${mark})` : ""}`;
    }),
  );
}

/** The item of the message with this text, which may also be in the quote of another. */
const messageWith = (page: Page, text: string) =>
  page.getByRole("listitem").filter({ has: page.locator("span", { hasText: text }) });

async function send(page: Page, text: string): Promise<void> {
  await page.getByLabel("Message").fill(text);
  await page.getByRole("button", { name: "Send" }).click();
}

function contentOf(message: { type: string; content?: string }): string | undefined {
  return message.content;
}

function signal(): [given: Promise<void>, give: () => void] {
  const { promise, resolve } = Promise.withResolvers<void>();
  return [promise, resolve];
}

async function startRelay(url: string, port: number): Promise<{ stop(): Promise<unknown> }> {
  const relay = spawn(process.execPath, [program], {
    env: { PATH: process.env.PATH, MADANG_URL: url, MADANG_API_KEY: masterKey, RELAY_PORT: String(port) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise<void>((resolve, reject) => {
    relay.once("exit", () => reject(new Error("The relay ended instead of starting.")));
    relay.stdout.once("data", () => resolve());
  });
  return {
    stop() {
      if (relay.exitCode !== null) return Promise.resolve();
      const exited = new Promise((resolve) => relay.once("exit", resolve));
      relay.kill("SIGTERM");
      return exited;
    },
  };
}

interface Proxy {
  readonly url: string;
  /** Holds the next response to this path. `arrived` is settled when the server has responded. */
  hold(path: string): { readonly arrived: Promise<void>; release(): void };
  /** Responds to the next request to this path with 503, as often as the SDK tries. */
  fail(path: string): void;
  close(): Promise<unknown>;
}

/** Between the relay and the service. */
async function startProxy(target: string): Promise<Proxy> {
  const holds = new Map<string, { onArrival(): void; released: Promise<void> }>();
  const failing = new Set<string>();
  const proxy = createServer((incoming, outgoing) => {
    const { pathname } = new URL(incoming.url ?? "/", target);
    if (failing.delete(pathname)) {
      // The SDK does not retry when it is asked to wait for so long.
      outgoing.writeHead(503, { "Retry-After": "3600", "Content-Type": "application/problem+json" });
      return void outgoing.end("{}");
    }
    const { method, headers } = incoming;
    const forwarded = request(`${target}${incoming.url}`, { method, headers }, async (response) => {
      const hold = holds.get(pathname);
      holds.delete(pathname);
      hold?.onArrival();
      await hold?.released;
      outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders);
      // The headers of a stream must not wait for its first event.
      outgoing.flushHeaders();
      response.pipe(outgoing);
    });
    forwarded.once("error", () => outgoing.destroy());
    outgoing.once("close", () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return {
    // A server that listens on a port has an address of this form.
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    hold(path) {
      const [arrived, onArrival] = signal();
      const [released, release] = signal();
      holds.set(path, { onArrival, released });
      return { arrived, release };
    },
    fail: (path) => void failing.add(path),
    close() {
      proxy.closeAllConnections();
      return new Promise((resolve) => proxy.close(resolve));
    },
  };
}

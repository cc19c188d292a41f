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
    const shown = ["Kim\nLunch at noon?", "Park\nGladly. The usual place?", "Kim\nSee you there."];
    expect(await kim.getByRole("listitem").allInnerTexts()).toEqual(shown);
    expect(await park.getByRole("listitem").allInnerTexts()).toEqual(shown);
    // Kim is a participant of the other channel, which this page does not show. Park is not.
    expect(await received(kim)).toContain("Secret");
    expect(await received(park)).not.toContain("Secret");
    if (process.env.MADANG_SCREENSHOT !== undefined)
      await park.screenshot({ path: process.env.MADANG_SCREENSHOT });
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
    const response = await fetch(`http://127.0.0.1:${port}/messages?user=relay_kim`);
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
    const response = await fetch(`http://127.0.0.1:${port}/messages?user=relay_kim`, {
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
    expect(await kim.getByRole("listitem").allInnerTexts()).toEqual(["Park\nSecond", "Park\nThird"]);
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
    expect(await kim.getByRole("listitem").allInnerTexts()).toEqual(["Park\nStays", "Park\nIs so"]);
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

  async function open(
    userId: string,
    {
      isConnected = true,
      prepare = async (_page: Page): Promise<unknown> => undefined,
      viewport = { width: 560, height: 520 },
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

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { ChatClient } from "@madang/client";
import type { Browser, Route } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { chatWith } from "../../support/chat";
import { openConsole, openSignIn, signIn } from "../../support/console-page";
import { createDatabase } from "../../support/database";
import { isLong } from "../../support/report";
import { masterKey, startServerOn, type TestServer } from "../../support/server";
import { hasBrowser, openBrowser } from "../browser";

const settings = { MADANG_CONSOLE: "on" };

const rejection = (detail: string) => ({
  status: 403,
  json: { status: 403, code: "scope_missing", detail },
  contentType: "application/problem+json",
});

let server: TestServer;
let database: Awaited<ReturnType<typeof createDatabase>>;
let chat: ChatClient;
let browser: Browser;

beforeAll(async () => {
  if (!hasBrowser) return;
  database = await createDatabase();
  [server, browser] = await Promise.all([startServerOn(database.url, { settings }), openBrowser()]);
  chat = chatWith(server);
  await chat.users.create({ user_id: "kim_01", name: "Kim" });
  await chat.channels.create({ channel_id: "lunch_01", name: "Lunch", members: ["kim_01"] });
  await chat.messages.send("lunch_01", { user_id: "kim_01", type: "text", content: "Noon?" });
});
afterEach(async () => {
  for (const context of browser?.contexts() ?? []) await context.close();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
  await database?.drop();
});

/** In CI, a sample of each kind of task and of failure. */
const long = test.runIf(isLong);

describe.skipIf(!hasBrowser)("the console", () => {
  test("shows what a read-only key may not do as not permitted, before a click", async () => {
    const { key } = await chat.keys.create({ label: "reader", scopes: ["read"] });
    const { page, problems, open } = await openConsole(browser, server, { key, path: "/users/kim_01" });
    await page.getByRole("heading", { name: "Kim" }).waitFor();
    await page.getByRole("button", { name: "Actions" }).click();
    const remove = page.getByRole("menuitem", { name: "Delete user" });
    expect(await remove.getAttribute("aria-disabled")).toBe("true");
    expect(await remove.getAttribute("title")).toBe("This requires a key with the scope users.delete.");
    await open("/");
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await page.keyboard.type("/Kim");
    const field = page.getByRole("searchbox", { name: "Find by ID or name" });
    expect(await field.inputValue()).toBe("Kim");
    await open("/channels/lunch_01");
    await page.getByText("Noon?").waitFor();
    await page.getByText("This requires a key with the scope messages.send.").waitFor();
    await open("/channels/lunch_01/settings");
    await page.getByRole("button", { name: "Delete channel" }).waitFor();
    expect(await page.getByRole("button", { name: "Delete channel" }).isDisabled()).toBe(true);
    await chat.reports.create({ channel_id: "lunch_01", reason: "Advertising" });
    await open("/reports");
    const button = page.getByRole("button", { name: "Resolve" });
    await button.waitFor();
    expect(await button.isDisabled()).toBe(true);
    const isCut = await button.evaluate((element) => {
      const cell = element.closest("td");
      return cell !== null && cell.scrollWidth > cell.clientWidth;
    });
    expect(isCut).toBe(false);
    for (const [path, text] of [
      ["/search", "This requires a key with the scope messages.searchAll."],
      ["/users/kim_01/messages", "This requires a key with the scope users.messages."],
      ["/users/kim_01/messages?q=noon", "This requires a key with the scope messages.searchAll."],
      ["/audit", "This requires a key with the scope audit.list."],
      ["/privacy", "This requires a key with the scope privacy.list."],
      ["/webhooks", "This requires the master key."],
      ["/keys", "This requires the master key."],
    ] as const) {
      await open(path);
      await page.getByText("Not permitted").waitFor();
      await page.getByText(text).waitFor();
    }
    expect(problems).toEqual([]);
  });

  test("asks to sign in again when the key is revoked meanwhile, and goes on where it was", async () => {
    const { key } = await chat.keys.create({ label: "short" });
    const { page, open } = await openConsole(browser, server, { key, path: "/users" });
    await page.getByRole("link", { name: "Kim" }).waitFor();
    await chat.keys.delete(key);
    await page.waitForTimeout(1_000);
    await page.getByRole("link", { name: "Channels" }).click();
    await page.getByLabel("API key").waitFor();
    expect(await page.getByText("Lunch").count()).toBe(0);
    await signIn(page);
    await page.getByRole("link", { name: "Lunch" }).waitFor();
    await open("/users");
    await page.getByRole("link", { name: "Kim" }).waitFor();
  });

  long("is there for a browser that names a language as no other does, such as en-US@posix", async () => {
    const { page, problems, open } = await openSignIn(browser, server);
    await page.addInitScript(`Object.defineProperties(navigator, {
      language: { value: "en-US@posix" }, languages: { value: ["en-US@posix", "en-GB"] } })`);
    await open("/");
    await signIn(page);
    await page.locator(".chart-day").first().waitFor();
    await open("/channels/lunch_01");
    await page.getByText("Noon?").waitFor();
    expect(problems).toEqual([]);
  });

  test("is closed after signing out, in other tabs, too", async () => {
    const { page } = await openConsole(browser, server, { path: "/users" });
    const other = await page.context().newPage();
    await other.goto(`${server.url}/console/users`);
    await other.getByRole("link", { name: "Kim" }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("API key").waitFor();
    await other.getByLabel("API key").waitFor();
    expect(await other.getByText("Kim").count()).toBe(0);
  });

  test("shows nothing of who was signed in to who signs in next, in other tabs, too", async () => {
    const { page, problems } = await openConsole(browser, server, { path: "/users" });
    const other = await page.context().newPage();
    await other.goto(`${server.url}/console/users`);
    await other.getByRole("link", { name: "Kim" }).waitFor();
    const { key } = await chat.keys.create({ label: "channels", scopes: ["channels.list", "usage.daily"] });
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("API key").waitFor();
    await signIn(page, key);
    await other.getByText("This requires a key with the scope users.list.").waitFor({ timeout: 10_000 });
    expect(await other.getByText("Kim").count()).toBe(0);
    await other.getByRole("link", { name: "Channels" }).click();
    await other.getByRole("link", { name: "Lunch" }).waitFor();
    expect(problems).toEqual([]);
  });

  test("loads an opened conversation once, and follows it until it is left", async () => {
    const { page } = await openConsole(browser, server, { path: "/channels" });
    const requests: string[] = [];
    const open = new Set<string>();
    page.on("request", (request) => {
      requests.push(request.url().replace(server.url, ""));
      open.add(request.url());
    });
    page.on("requestfinished", (request) => open.delete(request.url()));
    page.on("requestfailed", (request) => open.delete(request.url()));
    await page.getByRole("link", { name: "Lunch" }).click();
    await page.getByText("Noon?").waitFor();
    const streams = () => requests.filter((url) => url.startsWith("/v1/events/stream"));
    await expect.poll(streams).toHaveLength(1);
    await page.waitForTimeout(500);
    const lists = requests.filter((url) => url.startsWith("/v1/group/channels/lunch_01/messages"));
    expect(lists).toEqual(["/v1/group/channels/lunch_01/messages?limit=50"]);
    expect(requests.filter((url) => url.startsWith("/v1/events?"))).toHaveLength(1);
    await page.getByRole("link", { name: "Reports" }).click();
    await expect.poll(() => [...open]).toEqual([]);
  });

  long("fetches a page of the audit log only when asked to, however many reads there are", async () => {
    const { page, open } = await openConsole(browser, server, { path: "/users" });
    await page.getByRole("link", { name: "Kim" }).waitFor();
    const reads = Array.from({ length: 100 }, () => ({ method: "GET", operation: "users.get" }));
    const change = { method: "DELETE", operation: "messages.delete" };
    const lists: string[] = [];
    await page.route(/\/v1\/audit\?/, (route) => {
      const at = new URL(route.request().url()).searchParams.get("next") ?? "page 0";
      lists.push(at);
      const number = Number(at.split(" ")[1]);
      const entries = (number === 2 ? [...reads, change] : reads).map((entry, index) => ({
        ...entry,
        entry_id: `${number}-${index}`,
        at: Date.now(),
        status: 200,
        kind: "master",
        address: "127.0.0.1",
      }));
      return route.fulfill({ json: { entries, next: `page ${number + 1}` } });
    });
    await open("/audit");
    await page.getByText("No changes among the latest entries").waitFor();
    await page.waitForTimeout(500);
    expect(lists).toEqual(["page 0"]);
    const more = page.getByRole("button", { name: "Show more" });
    for (const [index, list] of ["page 1", "page 2", "page 3"].entries()) {
      await more.click();
      await expect.poll(() => lists.slice(1)).toHaveLength(index + 1);
      expect(lists.at(-1)).toBe(list);
    }
    const table = page.getByRole("table");
    await table.getByText("messages.delete").waitFor();
    await page.waitForTimeout(500);
    expect(lists).toHaveLength(4);
    await page.getByLabel("Show reads").check();
    await table.getByText("users.get").first().waitFor();
    await page.waitForTimeout(500);
    expect(lists).toHaveLength(4);
  });

  test("says that signing out failed, and stays signed in until it succeeds", async () => {
    const { page } = await openConsole(browser, server, { path: "/users" });
    const deletion = (respond: (route: Route) => Promise<void>) => (route: Route) =>
      route.request().method() === "DELETE" ? respond(route) : route.continue();
    for (const respond of [
      deletion((route) => route.fulfill({ status: 503 })),
      deletion((route) => route.abort()),
    ]) {
      await page.route("**/console/session", respond);
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByText("Signing out failed. Try again.").waitFor();
      expect(await page.getByLabel("API key").count()).toBe(0);
      await page.getByText("Signing out failed. Try again.").waitFor({ state: "detached" });
      await page.unroute("**/console/session");
    }
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("API key").waitFor();
  });

  test("announces that the server is gone, and shows what happened meanwhile when it is back", async () => {
    const { page } = await openConsole(browser, server, { path: "/channels/lunch_01" });
    await page.getByText("Noon?").waitFor();
    const { port } = new URL(server.url);
    await server.close();
    await page.getByText("Connection lost").waitFor();
    // What was there stays.
    expect(await page.getByText("Noon?").count()).toBe(1);
    server = await startServerOn(database.url, { settings: { ...settings, PORT: port } });
    chat = chatWith(server);
    await chat.messages.send("lunch_01", { user_id: "kim_01", type: "text", content: "Missed you" });
    await page.getByText("Missed you").waitFor();
    await page.getByText("Connection lost").waitFor({ state: "detached" });
  });

  test.each([
    ["/channels/lunch_01", ".messages"],
    ["/events", "tbody"],
  ])("says on %s that it does not update any more, and goes on when asked to", async (path, list) => {
    const { page, open } = await openConsole(browser, server);
    const streams = /\/v1\/events\/stream/;
    await page.route(streams, (route) => route.fulfill(rejection("The key may not.")));
    await open(path);
    const banner = page.getByRole("alert").getByText("This page does not update any more. The key may not.");
    await banner.waitFor();
    expect(await page.getByText("Live", { exact: true }).count()).toBe(0);
    await page.unroute(streams);
    await page.getByRole("button", { name: "Try again" }).click();
    await banner.waitFor({ state: "detached" });
    // The stream opens.
    await page.waitForTimeout(500);
    await chat.messages.send("lunch_01", { user_id: "kim_01", type: "text", content: `Live on ${path}` });
    const shown = path === "/events" ? "message.created" : `Live on ${path}`;
    await page.locator(list).getByText(shown).first().waitFor();
  });

  test("shows an error of the server with its request id, and tries again", async () => {
    const { page } = await openConsole(browser, server, { path: "/users" });
    const channels = /\/v1\/group\/channels\?/;
    const body = {
      type: "about:blank",
      title: "Error",
      status: 500,
      detail: "It broke.",
      code: "internal",
      request_id: "req-1",
    };
    await page.route(channels, (route) =>
      route.fulfill({
        status: 500,
        body: JSON.stringify(body),
        contentType: "application/problem+json",
        headers: { "x-request-id": "req-1" },
      }),
    );
    await page.getByRole("link", { name: "Channels" }).click();
    await page.getByText("internal · req-1").waitFor();
    await page.unroute(channels);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("link", { name: "Lunch" }).waitFor();
  });

  long("says that the code of a page could not be loaded, and loads it when asked to", async () => {
    const { page } = await openConsole(browser, server, { path: "/users" });
    const code = /\/assets\/channels-[^/]*\.js$/;
    await page.route(code, (route) => route.fulfill({ status: 404 }));
    await page.getByRole("link", { name: "Channels" }).click();
    await page.getByText("This could not be loaded").waitFor();
    expect(await page.getByRole("link", { name: "Users" }).count()).toBe(1);
    await page.unroute(code);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("link", { name: "Lunch" }).waitFor();
  });

  long(
    "goes on with a search whose first pages are empty, and shows an error there as an error",
    async () => {
      const { page, open } = await openConsole(browser, server, { path: "/users" });
      const message = await chat.messages.send("lunch_01", {
        user_id: "kim_01",
        type: "text",
        content: "At last",
      });
      const pages = [{ messages: [], next: "b" }, { messages: [], next: "c" }, { messages: [message] }];
      await page.route(/\/messages\/search\?/, (route) => {
        const next = new URL(route.request().url()).searchParams.get("next") ?? "a";
        return route.fulfill({ json: pages["abc".indexOf(next)] });
      });
      for (const path of ["/search?q=last", "/channels/lunch_01?q=last"]) {
        await open(path);
        await page.getByRole("link", { name: "At last" }).waitFor();
      }
      pages.splice(1);
      await page.route(/next=b/, (route) => route.fulfill({ status: 404, json: { code: "user_not_found" } }));
      await open("/search?q=last");
      await page.getByRole("button", { name: "Try again" }).waitFor();
      expect(await page.getByText("Nothing matches").count()).toBe(0);
    },
  );

  long("says that the rest of a list could not be loaded, and loads it when asked to", async () => {
    const { page, open } = await openConsole(browser, server);
    const message = { user_id: "kim_01", type: "text" } as const;
    const first = await chat.messages.send("lunch_01", { ...message, content: "Half of it" });
    const second = await chat.messages.send("lunch_01", { ...message, content: "The other half" });
    const rest = /\/messages\/search\?.*next=b/;
    await page.route(/\/messages\/search\?/, (route) => {
      const json = rest.test(route.request().url())
        ? { messages: [second] }
        : { messages: [first], next: "b" };
      return route.fulfill({ json });
    });
    await page.route(rest, (route) => route.fulfill(rejection("Not yet.")));
    await open("/search?q=half");
    const alert = page.getByRole("alert").getByText("Not everything could be loaded. Not yet.");
    await alert.waitFor();
    expect(await page.getByRole("link", { name: "Half of it" }).count()).toBe(1);
    await page.unroute(rest);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("link", { name: "The other half" }).waitFor();
    await alert.waitFor({ state: "detached" });
  });

  long("says that a search failed, and finds what was searched when asked to", async () => {
    const { page, open } = await openConsole(browser, server);
    for (const [path, id, name] of [
      ["/users", "kim_01", "Kim"],
      ["/channels", "lunch_01", "Lunch"],
    ] as const) {
      const search = new RegExp(`/v1/.*[?&]q=${id}`);
      await page.route(search, (route) => route.fulfill(rejection("Not yet.")));
      await open(`${path}?q=${id}`);
      await page.getByRole("alert").getByText("Not yet.").waitFor();
      expect(await page.getByText("Nothing matches").count()).toBe(0);
      await page.unroute(search);
      await page.getByRole("button", { name: "Try again" }).click();
      await page.getByRole("link", { name }).waitFor();
    }
  });

  long("says why it cannot jump to a day, and that nothing was written until then", async () => {
    const { page, open } = await openConsole(browser, server);
    const day = new Date().toISOString().slice(0, 10);
    const around = /\/messages\?.*around=/;
    await page.route(around, (route) => route.fulfill(rejection("Not yet.")));
    await open(`/channels/lunch_01?day=${day}`);
    await page.getByRole("alert").getByText("Not yet.").waitFor();
    expect(await page.getByText("Noon?").count()).toBe(0);
    await page.unroute(around);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("Noon?").waitFor();
    await open("/channels/lunch_01?day=2020-02-29");
    await page.getByText(/No messages on .*2020/).waitFor();
  });

  long("says that a part of a conversation could not be loaded, and loads it when asked to", async () => {
    await chat.channels.create({ channel_id: "broken_01", name: "Broken", members: ["kim_01"] });
    const texts = Array.from({ length: 120 }, (_, index) => ({
      user_id: "kim_01",
      type: "text" as const,
      content: `Line ${index}.`,
      created_at: Date.now() - (120 - index) * 60_000,
    }));
    await chat.imports.messages("broken_01", texts);
    const { page, open } = await openConsole(browser, server);
    const rest = /\/broken_01\/messages\?.*(before|after)=/;
    let count = 0;
    await page.route(rest, (route) => {
      count++;
      return route.fulfill(rejection("Not yet."));
    });
    await open("/channels/broken_01");
    await page.getByText("Line 119.").waitFor();
    const alert = page.getByRole("alert").getByText("Not everything could be loaded. Not yet.");
    await page.evaluate("document.querySelector('.messages').scrollTop = 0");
    await alert.waitFor();
    expect(await page.locator(".messages").getByText("Loading…").count()).toBe(0);
    await page.unroute(rest);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("Line 20.").waitFor();
    await alert.waitFor({ state: "detached" });
    await page.waitForTimeout(500);
    // It asks again only when the reader does, and what is new comes with its event.
    expect(count).toBeLessThanOrEqual(3);
    await page.route(rest, (route) => route.fulfill(rejection("Not yet.")));
    await chat.messages.send("broken_01", { user_id: "kim_01", type: "text", content: "The newest" });
    await page.getByText("The newest").waitFor();
    expect(await alert.count()).toBe(0);
  });

  long("says that bans could not be loaded, and that one could not be lifted", async () => {
    await chat.users.create({ user_id: "loud_01", name: "Loud" });
    await chat.channels.bans.add("lunch_01", "loud_01", { reason: "Shouting" });
    const { page, open } = await openConsole(browser, server);
    const bans = /\/lunch_01\/bans/;
    await page.route(bans, (route) => route.fulfill(rejection("The key may not.")));
    await open("/channels/lunch_01/members");
    const section = page.getByRole("region", { name: "Banned" });
    await section.getByText("The key may not.").waitFor();
    await page.unroute(bans);
    await section.getByRole("button", { name: "Try again" }).click();
    await section.getByText("Shouting").waitFor();
    await page.route(bans, (route) => route.fulfill(rejection("Still not.")));
    await section.getByRole("button", { name: "Lift ban" }).click();
    await page.getByRole("status").getByText("Still not.").waitFor();
  });

  test("keeps a dialog open until what was confirmed has succeeded or failed", async () => {
    await chat.users.create({ user_id: "slow_01", name: "Slow" });
    const { page } = await openConsole(browser, server, { path: "/users/slow_01" });
    const requests: Route[] = [];
    await page.route(/\/users\/slow_01$/, (route) =>
      route.request().method() === "DELETE" ? void requests.push(route) : route.continue(),
    );
    await page.getByRole("button", { name: "Actions" }).click();
    await page.getByRole("menuitem", { name: "Delete user" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason").fill("Left");
    await dialog.getByRole("button", { name: "Delete user" }).click();
    await expect.poll(() => requests.length).toBe(1);
    for (const name of ["Cancel", "Close"])
      expect(await dialog.getByRole("button", { name }).isDisabled()).toBe(true);
    await page.keyboard.press("Escape");
    await page.waitForTimeout(300);
    await requests[0]?.fulfill(rejection("Not now."));
    await dialog.getByRole("alert").getByText("Not now.").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  long("aborts an export that is cancelled", async () => {
    const { page } = await openConsole(browser, server, { path: "/users/kim_01" });
    const requests: Route[] = [];
    const aborted: string[] = [];
    page.on("requestfailed", (request) => aborted.push(request.url()));
    await page.route(/\/v1\/privacy\/users\/kim_01/, (route) => void requests.push(route));
    await page.getByRole("button", { name: "Actions" }).click();
    await page.getByRole("menuitem", { name: "Export personal data" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason").fill("Asked by mail");
    await dialog.getByRole("button", { name: "Export" }).click();
    await expect.poll(() => requests.length).toBe(1);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => aborted).toContain(requests[0]?.request().url());
  });

  test("shows who does not exist, a page that does not exist, and empty lists in words", async () => {
    const { page, open } = await openConsole(browser, server, { path: "/users/nobody_99" });
    await page.getByText("user_not_found").waitFor();
    await open("/nowhere");
    await page.getByText("There is no such page").waitFor();
    await open("/users?q=Zzz");
    await page.getByText("Nothing matches “Zzz”").waitFor();
    await open("/webhooks");
    await page.getByText("No webhooks yet").waitFor();
    await open("/keys");
    await open("/privacy");
    await page.getByText("No erasures yet").waitFor();
  });

  test("gives nothing to a page of another port, with whose requests the browser sends the cookie", async () => {
    const { page, open } = await openConsole(browser, server, { path: "/users" });
    const html = "<!doctype html><body></body>";
    const evil = createServer((_, response) =>
      response.writeHead(200, { "Content-Type": "text/html" }).end(html),
    );
    evil.listen(0, "127.0.0.1");
    onTestFinished(() => void evil.close());
    await once(evil, "listening");
    // A server that listens on a port has an address of this form.
    const { port } = evil.address() as AddressInfo;
    const cookies: Promise<string | null>[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") cookies.push(request.headerValue("cookie"));
    });
    const users = JSON.stringify(`${server.url}/v1/users`);
    await page.goto(`http://127.0.0.1:${port}/`);
    // It is sent. Its response is withheld from the page.
    await page.evaluate(`fetch(${users}, { method: "POST", mode: "no-cors", credentials: "include",
      body: '{"user_id":"forged_01","name":"Forged"}' }).catch(() => undefined)`);
    const read = `fetch(${users}, { credentials: "include" }).then(() => "read", () => "blocked")`;
    expect(await page.evaluate(read)).toBe("blocked");
    await page.evaluate(`new Promise((resolve) => {
      const frame = document.createElement("iframe");
      frame.src = ${JSON.stringify(`${server.url}/console/users`)};
      frame.onload = resolve;
      document.body.append(frame);
    })`);
    await page.waitForTimeout(500);
    expect(await page.frames()[1]?.locator("#root").count()).toBe(0);
    await page.evaluate(`(() => {
      const form = document.createElement("form");
      Object.assign(form, { method: "post", enctype: "text/plain", action: ${users} });
      form.append(Object.assign(document.createElement("input"), {
        name: '{"user_id":"forged_01","name":"', value: '"}' }));
      document.body.append(form);
      form.submit();
    })()`);
    await page.waitForURL(`${server.url}/v1/users`);
    expect((await Promise.all(cookies)).at(-1)).toContain("madang-console-");
    await expect(chat.users.get("forged_01")).rejects.toMatchObject({ code: "user_not_found" });
    await open("/users");
    await page.getByRole("link", { name: "Kim" }).waitFor();
  });

  test("cannot be framed, and a key is in no error of the sign-in", async () => {
    const { page, open } = await openSignIn(browser, server);
    await open("/users");
    const response = await page.goto(`${server.url}/console/users`);
    expect(response?.headers()["content-security-policy"]).toContain("frame-ancestors 'none'");
    await page.route("**/console/session", (route) =>
      route.request().method() === "POST" ? route.abort() : route.continue(),
    );
    await page.getByLabel("Your name").fill("Jane");
    await page.getByLabel("API key").fill(masterKey);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("The service cannot be reached.").waitFor();
    expect(await page.locator("body").textContent()).not.toContain(masterKey);
  });
});

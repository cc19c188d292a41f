import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call } from "../support/call";
import { masterKey, startServer, type TestServer } from "../support/server";
import { hasBrowser, openBrowser } from "./browser";

const dist = join(createRequire(import.meta.url).resolve("@madang/client/package.json"), "../dist");

let server: TestServer;
/** Serves the page of somebody else. */
const foreign = createServer((_request, response) => {
  response.setHeader("Content-Type", "text/html");
  response.end("<!doctype html><title>foreign</title>");
});
let browser: Browser;
beforeAll(async () => {
  if (!hasBrowser) return;
  [server, browser] = await Promise.all([startServer(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
  foreign.close();
});

// The published SDK, as a module of a page.
describe.skipIf(!hasBrowser)("in a browser", () => {
  test("the client cannot be created by default, and sends nothing", async () => {
    const page = await openPage(server.url);
    const sent: string[] = [];
    page.on("request", (request) => sent.push(request.url()));
    const error = await run(page, "return new ChatClient({ baseUrl, apiKey });");
    expect(error).toMatchObject({
      kind: "validation",
      message: expect.stringContaining("dangerouslyAllowBrowser"),
    });
    expect(sent.filter((url) => url.includes("/v1/"))).toEqual([]);
  });

  test("with dangerouslyAllowBrowser, it works on a page of the same origin", async () => {
    const page = await openPage(server.url);
    const result = await run(
      page,
      `const chat = new ChatClient({ baseUrl, apiKey, dangerouslyAllowBrowser: true, maxRetries: 0 });
      for (let count = 0; count < 7; count += 1) await chat.users.create({ user_id: "page_" + count, name: "김" });
      const users = await chat.users.list({ name: "김", pageSize: 5 }).toArray();
      await chat.channels.create({ channel_id: "page_room", name: "Lunch", members: ["page_0"] });
      await chat.messages.send("page_room", { user_id: "page_0", type: "text", content: "안녕하세요" });
      const messages = await chat.exports.messages("page_room").toArray();
      await chat.users.meta.delete("page_0", ["none"]);
      const error = await chat.users.get("nobody_99").catch(({ code, requestId }) => [code, requestId !== undefined]);
      return { users: users.length, content: messages[0].content, error };`,
    );
    expect(result).toEqual({ users: 7, content: "안녕하세요", error: ["user_not_found", true] });
  });

  test("with a session of the console, it needs no key", async () => {
    const page = await openPage(server.url);
    const sent: Record<string, string>[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/v1/")) sent.push(request.headers());
    });
    const result = await run(
      page,
      `await fetch("/console/session", {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Madang-Console": "1" },
        body: JSON.stringify({ key: apiKey, actor: "Jane" }),
      });
      const chat = new ChatClient({ baseUrl: location.origin, session: true, maxRetries: 0 });
      await chat.users.create({ user_id: "session_01", name: "Kim" });
      const signal = new AbortController();
      const created = (async () => {
        for await (const { type } of chat.events.listen({ after: "latest", signal: signal.signal })) return type;
      })();
      for (let count = 0; count < 5; count += 1) {
        await chat.users.update("session_01", { name: "Kim " + count });
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
      const type = await created;
      await fetch("/console/session", { method: "DELETE", headers: { "X-Madang-Console": "1" } });
      const error = await chat.users.get("session_01").catch(({ kind, status }) => [kind, status]);
      return { type, error, cookies: document.cookie, stored: localStorage.length + sessionStorage.length };`,
    );
    expect(result).toEqual({ type: "user.updated", error: ["api", 401], cookies: "", stored: 0 });
    expect(sent.length).toBeGreaterThan(6);
    expect(sent.filter((headers) => headers.authorization !== undefined)).toEqual([]);
    const entries = (await call(server.url, "GET", "/v1/audit?operation=users.create")).body.entries;
    expect(entries).toContainEqual(
      expect.objectContaining({ kind: "console", actor: "Jane", user_id: "session_01" }),
    );
  });

  test.each([
    // The browser does not send the cookie at all.
    ["another site", "localhost", 401],
    ["another port of this host", "127.0.0.1", 403],
  ])("a page of %s cannot use the session of the console", async (_, host, expected) => {
    const context = await browser.newContext();
    const own = await openPage(server.url, context);
    const signedIn = await run(
      own,
      `const headers = { "Content-Type": "application/json", "X-Madang-Console": "1" };
      const body = JSON.stringify({ key: apiKey, actor: "Jane" });
      const { status } = await fetch("/console/session", { method: "POST", headers, body });
      return [status, (await fetch("/v1/users", { headers })).status];`,
    );
    expect(signedIn).toEqual([204, 200]);
    const page = await context.newPage();
    await page.goto(`http://${host}:${await listen(foreign)}`);
    const before = server.logLines.length;
    await page.evaluate(`(async () => {
      const baseUrl = ${JSON.stringify(server.url)};
      const body = JSON.stringify({ user_id: "forged_01", name: "Kim" });
      const requests = [
        ["/v1/users", { mode: "no-cors" }],
        ["/v1/users", { mode: "no-cors", method: "POST", body }],
        ["/v1/users", { method: "POST", body, headers: { "X-Madang-Console": "1", "Content-Type": "application/json" } }],
      ];
      for (const [path, init] of requests)
        await fetch(baseUrl + path, { ...init, credentials: "include" }).catch(() => undefined);
      const load = (element, address) => new Promise((resolve) => {
        element.onload = element.onerror = resolve;
        element.src = address;
        document.body.append(element);
      });
      await load(document.createElement("img"), baseUrl + "/v1/users");
      await load(document.createElement("script"), baseUrl + "/v1/users");
      const form = Object.assign(document.createElement("form"), { method: "post", action: baseUrl + "/v1/users", enctype: "text/plain" });
      form.append(Object.assign(document.createElement("input"), { name: body.slice(0, -1) + ', "x": "', value: '"}' }));
      document.body.append(form);
      form.submit();
    })()`);
    // Two calls of `fetch`, an image, a script and a form. The third call ends with the question whether it may be sent.
    const listStatuses = () =>
      server.logLines
        .slice(before)
        .map((line) => JSON.parse(line))
        .filter(({ method, route }) => route === "/v1/users" && method !== "OPTIONS")
        .map(({ status }) => status);
    await expect.poll(listStatuses).toHaveLength(5);
    expect(new Set(listStatuses())).toEqual(new Set([expected]));
    expect((await call(server.url, "GET", "/v1/users/forged_01")).status).toBe(404);
    await context.close();
  });

  test("on a page of another origin, the browser blocks requests, because the service sends no CORS headers", async () => {
    const page = await openPage(server.url.replace("127.0.0.1", "localhost"));
    const error = await run(
      page,
      `const chat = new ChatClient({ baseUrl, apiKey, dangerouslyAllowBrowser: true, maxRetries: 0 });
      return chat.users.create({ user_id: "elsewhere", name: "Kim" });`,
    );
    expect(error).toMatchObject({ kind: "connection" });
    expect((await call(server.url, "GET", "/v1/users/elsewhere")).status).toBe(404);
  });
});

/** The port of the server, which listens from the first call on. */
async function listen(http: Server): Promise<number> {
  if (!http.listening) await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  // A server on a port has an address with it.
  return (http.address() as AddressInfo).port;
}

/** Opens an empty page on an origin that also serves the files of the SDK. */
async function openPage(origin: string, context: Browser | BrowserContext = browser): Promise<Page> {
  const page = await context.newPage();
  await page.route(`${origin}/page`, (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html><title>page</title>" }),
  );
  await page.route(`${origin}/sdk/*.js`, (route) =>
    route.fulfill({
      contentType: "text/javascript",
      body: readFileSync(join(dist, basename(new URL(route.request().url()).pathname)), "utf8"),
    }),
  );
  await page.goto(`${origin}/page`);
  return page;
}

/** Runs a program in the page. Returns its result, or the fields of the error. */
function run(page: Page, program: string): Promise<unknown> {
  return page.evaluate(`(async () => {
    const { ChatClient } = await import("/sdk/index.js");
    const baseUrl = ${JSON.stringify(server.url)}, apiKey = ${JSON.stringify(masterKey)};
    try {
      return await (async () => { ${program} })();
    } catch (error) {
      return { kind: error.kind, message: error.message };
    }
  })()`);
}

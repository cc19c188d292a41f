import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call } from "../support/call";
import { masterKey, startServer, type TestServer } from "../support/server";
import { hasBrowser, openBrowser } from "./browser";

const dist = join(createRequire(import.meta.url).resolve("@madang/client/package.json"), "../dist");

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  if (!hasBrowser) return;
  [server, browser] = await Promise.all([startServer(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
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

/** Opens an empty page on an origin that also serves the files of the SDK. */
async function openPage(origin: string): Promise<Page> {
  const page = await browser.newPage();
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

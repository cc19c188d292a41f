import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { errorCodes, openApiDocument, operations } from "@madang/contract";
import type { AxeResults } from "axe-core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scale } from "../support/report";
import { masterKey, startServer, type TestServer } from "../support/server";
import { hasBrowser, openBrowser } from "./browser";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const desktop = { viewport: { width: 1280, height: 900 } };

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

/** The operations are on the page of their resource, which the first part of most ids names. */
const resourcePages = openApiDocument().tags.map(({ name }) => name.toLowerCase().replaceAll(" ", "-"));
const guidePages = readdirSync(new URL("../../../../docs/guides", import.meta.url)).map(
  (name) => `guides/${name.replace(".md", "")}`,
);

interface Look {
  readonly name: string;
  readonly options: BrowserContextOptions;
}

/** Each night, in every appearance. */
const looks = scale<readonly Look[]>(
  [
    { name: "phone, dark", options: { ...phone, colorScheme: "dark" } },
    { name: "desktop, light", options: { ...desktop, colorScheme: "light" } },
  ],
  [phone, desktop].flatMap((device) =>
    (["light", "dark"] as const).map((colorScheme) => ({
      name: `${device === phone ? "phone" : "desktop"}, ${colorScheme}`,
      options: { ...device, colorScheme },
    })),
  ),
);
const narrow = { name: "phone", options: phone };
const widths = scale([narrow], [narrow, { name: "desktop", options: desktop }]);

describe.skipIf(!hasBrowser)("the reference page", () => {
  test.each(looks)(
    "on $name it has no accessibility violations, with all sections open",
    async ({ name, options }) => {
      const page = await openPage(options);
      await takeScreenshots(page, name);
      expect(await findViolations(page)).toEqual([]);
      await page.goto(`${server.url}/docs/guides/webhooks`);
      expect(await findViolations(page)).toEqual([]);
      await page.goto(`${server.url}/docs/channels`);
      // Only one of the details with the same name stays open.
      await page.evaluate(
        `for (const details of document.querySelectorAll("details")) {
        details.removeAttribute("name");
        details.open = true;
      }`,
      );
      expect(await findViolations(page)).toEqual([]);
    },
  );

  test.each(widths)("on $name no page is wider than the screen, and none is endless", async ({ options }) => {
    const page = await openPage(options);
    for (const path of ["docs", ...[...resourcePages, ...guidePages].map((id) => `docs/${id}`)]) {
      await page.goto(`${server.url}/${path}`);
      const width = await page.evaluate("document.documentElement.scrollWidth");
      expect(width, path).toBeLessThanOrEqual(options.viewport.width);
      // Neither lists nor code scroll sideways, but for the code of guides.
      const wide = await page.evaluate(
        "[...document.querySelectorAll('main pre:not(.guide pre), main dl, main ul')].filter((part) => part.scrollWidth > part.clientWidth + 1).length",
      );
      expect(wide, path).toBe(0);
      expect(await page.evaluate("document.documentElement.scrollHeight"), path).toBeLessThan(50_000);
    }
  });

  test.each([
    { name: "phone", options: phone },
    { name: "desktop", options: desktop },
  ])("on $name no Copy button covers code", async ({ options }) => {
    const page = await openPage(options, "users");
    const covered = await page.evaluate(`[...document.querySelectorAll(".sample")].filter((sample) => {
      const button = sample.querySelector("button").getBoundingClientRect();
      const code = sample.querySelector("pre").getBoundingClientRect();
      return button.bottom > code.top;
    }).length`);
    expect(covered).toBe(0);
  });

  test("a search in the contents finds the operations of all pages and errors, and opens the first", async () => {
    const page = await openPage(desktop);
    const contents = page.getByRole("navigation", { name: "Contents" });
    await page.keyboard.press("/");
    await page.keyboard.type("managers add");
    expect(await contents.locator("section").getByRole("listitem").allTextContents()).toEqual([
      expect.stringContaining("Register a manager"),
    ]);
    await contents.getByText("1 result").waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/docs/managers#channels.managers.add");
    await page.getByLabel("Search").fill("user_exists");
    await contents.getByRole("link", { name: "user_exists" }).waitFor();
    expect(await findViolations(page, "nav")).toEqual([]);
    // The texts of all pages.
    await page.getByLabel("Search").fill("pg_dump");
    await contents
      .getByRole("link", { name: /^Backup/ })
      .first()
      .waitFor();
    expect(await findViolations(page, "nav")).toEqual([]);
    await page.getByLabel("Search").press("Escape");
    // The operations of this page.
    expect(await contents.getByRole("listitem").count()).toBe(3 + 1);
  });

  test("the contents mark the section that is read", async () => {
    const page = await openPage(desktop);
    for (const id of ["users.get", "messages.send"]) {
      await page.goto(`${server.url}/docs/${id.split(".")[0]}#${id}`);
      await page.locator(`nav a[href$="#${id}"][aria-current="location"]`).waitFor();
      expect(await page.locator('nav [aria-current="location"]').count()).toBe(1);
      expect(await page.locator('nav [aria-current="page"]').count()).toBe(1);
    }
  });

  test("a 401 leads to the field of the key", async () => {
    const page = await openPage(desktop, "users");
    await tryOperation(page, "users.list");
    await operation(page, "users.list").getByRole("link", { name: "Enter an API key" }).click();
    expect(await page.evaluate("document.activeElement.id")).toBe("key");
  });

  test("loads only from its own server, and does not violate its policy", async () => {
    const messages: string[] = [];
    const urls: string[] = [];
    const page = await openPage(desktop, "users", (page) => {
      page.on("console", (message) => messages.push(message.text()));
      page.on("pageerror", (error) => messages.push(error.message));
      page.on("request", (request) => urls.push(request.url()));
    });
    await page.waitForLoadState("networkidle");
    expect(messages).toEqual([]);
    expect(urls.filter((url) => !url.startsWith(`${server.url}/`) && url !== "data:,")).toEqual([]);
  });

  test("shows the response of a call, and an error with a link to its explanation", async () => {
    const page = await openPage(desktop, "users");
    expect(await tryOperation(page, "users.create")).toContain("unauthenticated");
    await page.getByLabel("API key").fill(masterKey);
    const created = await tryOperation(page, "users.create");
    expect(created).toContain("201");
    expect(created).toContain('"user_id": "kim_01"');
    const rejected = await tryOperation(page, "users.create");
    expect(rejected).toContain('"code": "user_exists"');
    expect(rejected).toContain("x-request-id");
    await operation(page, "users.create").getByRole("status").getByText("Headers").click();
    expect(await findViolations(page, '[id="users.create"]')).toEqual([]);
    await operation(page, "users.create").getByRole("link", { name: "What user_exists means" }).click();
    await page.waitForURL(`${server.url}/docs#user_exists`);
  });

  test("sends every part of a call: path, query, header and body", async () => {
    const page = await openPage(desktop, "user-metadata");
    const form = operation(page, "users.meta.merge");
    await form.getByText("Try it").click();
    await form.getByLabel("user_id").fill("a/b ?#");
    await form.getByLabel("idempotency-key").fill("key-1");
    await form.getByLabel("Body (JSON)").fill('{"meta":{"a":"b"}}');
    const request = page.waitForRequest("**/v1/users/**");
    await form.getByRole("button", { name: "Send PUT" }).click();
    const sent = await request;
    expect(sent.url()).toBe(`${server.url}/v1/users/a%2Fb%20%3F%23/meta`);
    expect(sent.postData()).toBe('{"meta":{"a":"b"}}');
    expect(sent.headers()).toMatchObject({ "idempotency-key": "key-1", "content-type": "application/json" });
    await page.goto(`${server.url}/docs/users`);
    const list = operation(page, "users.list");
    await list.getByText("Try it").click();
    await list.getByLabel("name (optional)", { exact: true }).fill("Kim & Co");
    const query = page.waitForRequest("**/v1/users?**");
    await list.getByRole("button", { name: "Send GET" }).click();
    expect((await query).url()).toBe(`${server.url}/v1/users?name=Kim+%26+Co`);
  });

  test.each([".", ".."])(
    "does not send the path parameter %s, which would change the path",
    async (value) => {
      const page = await openPage(desktop, "users");
      const form = operation(page, "users.get");
      await form.getByText("Try it").click();
      await form.getByLabel("user_id").fill(value);
      await form.getByRole("button", { name: "Send GET" }).click();
      await form.getByText("user_id must be an id.").waitFor();
    },
  );

  test("stores the key only in its field", async () => {
    const page = await openPage(desktop, "users");
    await page.getByLabel("API key").fill(masterKey);
    await tryOperation(page, "users.list");
    const state = await page.context().storageState({ indexedDB: true });
    expect(JSON.stringify(state)).not.toContain(masterKey);
    const html = await page.content();
    expect(html).not.toContain(masterKey);
    await page.reload();
    expect(await page.getByLabel("API key").inputValue()).toBe("");
  });

  test("works with the keyboard only", async () => {
    const page = await openPage(desktop, "users");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.id")).toBe("main");
    const form = operation(page, "users.get");
    await form.getByText("Try it").focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Control+A");
    await page.keyboard.type("unknown");
    await page.keyboard.press("Enter");
    await form.getByRole("status").getByText("unauthenticated").first().waitFor();
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Send GET");
  });

  test("copies a sample with the URL of its own server", async () => {
    const page = await openPage({ ...desktop, permissions: ["clipboard-read", "clipboard-write"] }, "users");
    await operation(page, "users.get").getByRole("button", { name: "Copy: Get a user, curl" }).click();
    await operation(page, "users.get").getByText("Copied").waitFor();
    const copied = await page.evaluate("navigator.clipboard.readText()");
    expect(copied).toContain(`curl "${server.url}/v1/users/kim_01"`);
  });

  test("is complete without its script", async () => {
    const page = await openPage({ ...phone, javaScriptEnabled: false });
    for (const code of errorCodes) expect(await page.locator(`[id="${code}"]`).count()).toBe(1);
    expect(await page.getByLabel("API key").isVisible()).toBe(false);
    await page.getByRole("main").getByRole("link", { name: "Managers" }).click();
    for (const { id } of operations.filter(({ id }) => id.startsWith("channels.managers.")))
      expect(await page.locator(`[id="${id}"]`).count()).toBe(1);
  });

  test("an error's type links to its section", async () => {
    const response = await fetch(`${server.url}/v1/users`);
    // Every error is problem details; anything else fails below.
    const { type } = (await response.json()) as { type: string };
    const page = await openPage(desktop);
    await page.goto(new URL(type, response.url).href);
    expect(await page.locator(":target h3").textContent()).toBe("401 unauthenticated");
  });
});

async function openPage(
  options: BrowserContextOptions,
  resource?: string,
  prepare: (page: Page) => void = () => {},
): Promise<Page> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  prepare(page);
  await page.goto(`${server.url}/docs${resource === undefined ? "" : `/${resource}`}`);
  return page;
}

/** The violations that axe finds in the page or a part of it. */
async function findViolations(page: Page, part = "html") {
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(part)})`);
  return violations.map(({ id, help, nodes }) => ({ id, help, first: nodes[0]?.html }));
}

function operation(page: Page, id: string) {
  return page.locator(`[id="${id}"]`);
}

/** Sends the form of an operation and returns the displayed response. */
async function tryOperation(page: Page, id: string): Promise<string | null> {
  const form = operation(page, id).locator("form");
  if (!(await form.isVisible())) await operation(page, id).getByText("Try it").click();
  const responded = page.waitForResponse("**/v1/**");
  await form.getByRole("button", { name: /^Send / }).click();
  await (await responded).finished();
  await form.locator("button:enabled").waitFor();
  return form.getByRole("status").textContent();
}

/** Saves screenshots in the folder `DOCS_SCREENSHOTS`, if it is set. */
async function takeScreenshots(page: Page, name: string): Promise<void> {
  const folder = process.env.DOCS_SCREENSHOTS;
  if (folder === undefined) return;
  const file = name.replaceAll(/\W+/g, "-");
  await page.screenshot({ path: `${folder}/${file}.png` });
  await page.goto(`${server.url}/docs/channels#channels.create`);
  await page.screenshot({ path: `${folder}/${file}-resource.png` });
  await operation(page, "channels.create").screenshot({ path: `${folder}/${file}-operation.png` });
  await page.goto(`${server.url}/docs`);
}

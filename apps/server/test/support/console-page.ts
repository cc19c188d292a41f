import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Browser, Page } from "playwright-core";
import { consoleHeaders } from "./console";
import { masterKey, type TestServer } from "./server";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export const widths = { desktop: { width: 1280, height: 800 }, phone: { width: 375, height: 812 } } as const;

export interface ConsoleOptions {
  readonly key?: string;
  readonly path?: string;
  readonly colorScheme?: "light" | "dark";
  readonly width?: keyof typeof widths;
  readonly locale?: string;
  readonly timeZone?: string;
}

/** The console in a browser of its own, with everything that must not happen in it. */
export interface ConsolePage {
  readonly page: Page;
  /** Console messages, uncaught errors, violations of the policy, and requests to another origin. */
  readonly problems: string[];
  /** Opens a page of the console. */
  open(path: string): Promise<void>;
}

/** A new browser context of somebody who has signed in, with a page of the console, if one is named. */
export async function openConsole(
  browser: Browser,
  server: TestServer,
  options: ConsoleOptions = {},
): Promise<ConsolePage> {
  const { key = masterKey, path, ...rest } = options;
  const opened = await openSignIn(browser, server, rest);
  // What the form sends. The context keeps the cookie.
  const response = await opened.page.request.post(`${server.url}/console/session`, {
    data: { key, actor: "Jane Doe" },
    headers: { ...consoleHeaders, Origin: server.url },
  });
  if (!response.ok()) throw new Error(`Signing in failed: ${await response.text()}`);
  if (path !== undefined) {
    await opened.open(path);
    await opened.page.locator("#main h1").waitFor();
  }
  return opened;
}

/** Opens a new browser context, in which nobody has signed in. */
export async function openSignIn(
  browser: Browser,
  server: TestServer,
  options: Omit<ConsoleOptions, "key" | "path"> = {},
): Promise<ConsolePage> {
  const { colorScheme = "light", width = "desktop", locale = "en-US", timeZone = "Asia/Seoul" } = options;
  const context = await browser.newContext({
    viewport: widths[width],
    colorScheme,
    locale,
    timezoneId: timeZone,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("console", (message) => {
    // Nobody has signed in yet: the browser reports the response that says so.
    const isExpected = message.text().includes("401") && message.location().url.endsWith("/console/session");
    if (!isExpected) problems.push(`${message.type()}: ${message.text()} ${message.location().url}`);
  });
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(`${server.url}/`)) problems.push(`request: ${request.url()}`);
  });
  await page.addInitScript(`addEventListener("securitypolicyviolation", (event) =>
    console.error("policy", event.violatedDirective, event.blockedURI));`);
  return { page, problems, open: async (path) => void (await page.goto(`${server.url}/console${path}`)) };
}

export async function signIn(page: Page, key = masterKey, locale = "en-US"): Promise<void> {
  const isKorean = locale.startsWith("ko");
  await page.getByLabel(isKorean ? "이름" : "Your name").fill("Jane Doe");
  await page.getByLabel(isKorean ? "API 키" : "API key").fill(key);
  await page.getByRole("button", { name: isKorean ? "로그인" : "Sign in" }).click();
  await page.locator("#main h1").waitFor();
}

/** What axe finds on the page, or in a part of it. */
export async function findViolations(page: Page, part = "html") {
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(part)})`);
  return violations.map(({ id, help, nodes }) => ({
    id,
    help,
    first: nodes[0]?.html,
    why: nodes[0]?.failureSummary,
  }));
}

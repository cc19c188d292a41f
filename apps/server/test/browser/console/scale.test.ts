import pg from "pg";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openConsole } from "../../support/console-page";
import { startServer, type TestServer } from "../../support/server";
import { hasBrowser, openBrowser } from "../browser";

const userCount = 100_000;
const messageCount = 1_000_000;
const intervalMs = 30_000;
const dayMs = 86_400_000;
const now = Date.now();
/** When the message with a number was sent. The last one has the number `messageCount`. */
const sentAt = (number: number) => now - (messageCount - number) * intervalMs;

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  if (!hasBrowser) return;
  [server, browser] = await Promise.all([startServer({ settings: { MADANG_CONSOLE: "on" } }), openBrowser()]);
  await fill(server.databaseUrl);
});
afterEach(async () => {
  for (const context of browser?.contexts() ?? []) await context.close();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

describe.skipIf(!hasBrowser)("with 100,000 users and a channel of 1,000,000 messages, the console", () => {
  test("scrolls through the users with only the rows around the visible ones in the page", async ({
    annotate,
  }) => {
    const { page, problems } = await openConsole(browser, server, { path: "/users" });
    await page.locator("tbody tr").first().waitFor();
    const { names, maxRows, longestMs } = await scrollUsers(page);
    expect(names).toEqual(Array.from({ length: names.length }, (_, index) => `User ${userCount - index}`));
    expect(names.length).toBeGreaterThan(1_000);
    expect(maxRows).toBeLessThan(100);
    // A measurement: it depends on the machine and on what else runs on it.
    await annotate(`longest task: ${longestMs} ms`);
    expect(problems).toEqual([]);
  });

  test("finds a user among all by the beginning of the name", async () => {
    const { page, problems } = await openConsole(browser, server, { path: "/users" });
    await page.getByRole("searchbox").fill("User 5000");
    await expect
      .poll(() => page.locator("tbody .name").allTextContents())
      .toEqual(["User 5000", ...Array.from({ length: 10 }, (_, digit) => `User 5000${digit}`)]);
    expect(problems).toEqual([]);
  });

  test("opens the conversation at its end, scrolls back, jumps to a day and returns to the end", async () => {
    const { page, problems } = await openConsole(browser, server, { path: "/channels/million_01" });
    const isShown = (number: number) => page.getByText(`Message ${number}.`, { exact: true }).waitFor();
    await isShown(messageCount);
    const seen = new Set<number>();
    for (let turn = 0; turn < 60 || (seen.size <= 500 && turn < 1_500); turn++) {
      const numbers = await page.evaluate<number[]>(`(async () => {
        const list = document.querySelector(".messages");
        list.scrollTop = Math.max(0, list.scrollTop - 1_500);
        await new Promise((done) => setTimeout(done, 40));
        return [...list.querySelectorAll(".message-text")].map((text) => Number(/\\d+/.exec(text.textContent)));
      })()`);
      for (const number of numbers) seen.add(number);
      // Only a part of the history is in the page.
      expect(numbers.length).toBeLessThanOrEqual(450);
    }
    expect(seen.size).toBeGreaterThan(500);
    // Nothing is left out.
    expect(Math.min(...seen)).toBe(messageCount - seen.size + 1);
    const day = new Date(now - 200 * dayMs).toISOString().slice(0, 10);
    await page.getByLabel("Jump to a day").fill(day);
    const start = Date.parse(`${day}T00:00:00+09:00`);
    const first = messageCount - Math.floor((now - start) / intervalMs);
    await page.locator(".message-target").getByText(`Message ${first}.`, { exact: true }).waitFor();
    await page.getByRole("button", { name: "To the latest messages" }).click();
    await isShown(messageCount);
    expect(problems).toEqual([]);
  });

  test("lists what a user wrote on a day", async () => {
    const { page, problems } = await openConsole(browser, server, { path: "/users/user_7/messages" });
    await page.locator("tbody tr").first().waitFor();
    const day = new Date(now - 100 * dayMs).toISOString().slice(0, 10);
    await page.getByLabel("Written on the day").fill(day);
    const start = Date.parse(`${day}T00:00:00+09:00`);
    // The first 1,000 users take turns.
    const ofUser = Array.from({ length: messageCount / 1_000 }, (_, turn) => turn * 1_000 + 7);
    const onDay = ofUser.filter((number) => sentAt(number) >= start && sentAt(number) < start + dayMs);
    expect(onDay.length).toBeGreaterThan(1);
    const texts = onDay.toReversed().map((number) => `Message ${number}.`);
    await expect.poll(() => page.locator("tbody .row-link").allInnerTexts()).toEqual(texts);
    expect(problems).toEqual([]);
  });
});

/** Scrolls down for some seconds, and returns the names in their order, the maximum of rows in the page and the longest task. */
function scrollUsers(page: Page) {
  return page.evaluate<{ names: string[]; maxRows: number; longestMs: number }>(`(async () => {
    let longestMs = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longestMs = Math.max(longestMs, duration);
    }).observe({ type: "longtask" });
    const list = document.querySelector(".table-scroller");
    const names = new Set();
    let maxRows = 0;
    for (let turn = 0; turn < 150 || (names.size <= 1_000 && turn < 3_000); turn++) {
      list.scrollTop += 400;
      await new Promise((done) => setTimeout(done, 40));
      const rows = list.querySelectorAll("tbody .name");
      maxRows = Math.max(maxRows, rows.length);
      for (const row of rows) names.add(row.textContent);
    }
    return { names: [...names], maxRows, longestMs };
  })()`);
}

/** Writes the rows that so many requests would have stored. */
async function fill(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  // The keys are right: checking each of them would take most of the time.
  await client.query("SET session_replication_role = replica");
  await client.query(
    `INSERT INTO users (user_id, name, created_at, updated_at)
      SELECT 'user_' || n, 'User ' || n, $1::bigint + n, $1::bigint + n FROM generate_series(1, $2::integer) n`,
    [sentAt(1) - userCount, userCount],
  );
  await client.query(
    `INSERT INTO channels (channel_id, name, total_message_count, latest_at, last_message_at, created_at, updated_at)
      VALUES ('million_01', 'Million', $1, $2, $2, $3, $3)`,
    [messageCount, now, sentAt(1)],
  );
  await client.query(
    `INSERT INTO messages (channel_pk, sender_pk, type, content, created_at, updated_at)
      SELECT c.pk, u.pk, 'text', 'Message ' || n || '.', $2::bigint + n * $3::bigint, $2::bigint + n * $3::bigint
      FROM generate_series(1, $1::integer) n JOIN users u ON u.user_id = 'user_' || (1 + (n - 1) % 1000), channels c
      WHERE c.channel_id = 'million_01' ORDER BY n`,
    [messageCount, sentAt(0), intervalMs],
  );
  await client.query("ANALYZE users, channels, messages");
  await client.end();
}

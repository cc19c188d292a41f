import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "./run";

test("getting started: the first user by curl, then a channel and a message", async () => {
  expect((await run("guides/getting-started.sh")).stdout).toContain('"user_id":"start_kim"');
  expect((await run("guides/getting-started.ts")).stdout).toBe("Park 점심 먹을까요?\n");
});

test("lists: items, one page, from a cursor on, all at once, and over HTTP", async () => {
  const lines = (await run("guides/lists.ts")).stdout.trim().split("\n");
  expect(lines.slice(0, 12)).toEqual(Array.from({ length: 12 }, (_, index) => `list_${11 - index}`));
  expect(lines.slice(12)).toEqual([
    "5 users, and there are more: true",
    "a page of 5",
    "a page of 2",
    "12 in all",
  ]);
  expect((await run("guides/lists.sh")).stdout).toContain('"users":');
});

test("an export of a year writes its messages, tells how far it came, and leaves no cursor behind", async () => {
  const folder = mkdtempSync(join(tmpdir(), "madang-export-"));
  const channel = /the channel (\w+)/.exec((await run("src/quickstart.ts")).stdout)?.[1] ?? "";
  const year = new Intl.DateTimeFormat("sv-SE", { timeZone: "Asia/Seoul" }).format().slice(0, 4);
  const { stdout } = await run("guides/export-year.ts", channel, year, join(folder, "year.ndjson"));
  expect(stdout).toMatch(/^reached \d{4}-.*\ndone\n$/);
  const written = readFileSync(join(folder, "year.ndjson"), "utf8").trim().split("\n");
  expect(written.map((line) => JSON.parse(line).content)).toEqual([
    "좋아요, 12시에 만나요.",
    "점심 먹을까요?",
  ]);
  expect(readdirSync(folder)).toEqual(["year.ndjson"]);
  rmSync(folder, { recursive: true });
});

test("one to one: the same two people get the same channel", async () => {
  expect((await run("guides/one-to-one.ts")).stdout).toBe("a new channel\nthe same channel\ntrue\n");
});

test("errors are told apart by class and by code", async () => {
  expect((await run("guides/errors.ts")).stdout.trim().split("\n")).toEqual([
    "already there: user_exists",
    expect.stringContaining("error_room"),
    "true 404 1 true",
  ]);
});

test("a job that runs twice sends one message", async () => {
  expect((await run("guides/repeat-safely.ts")).stdout).toBe("true\n");
});

import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { run } from "./run";

test("quickstart creates users, a channel and messages, and reads both lists", async () => {
  const { stdout } = await run("src/quickstart.ts");
  expect(stdout).toMatch(/created the channel lunch_\w+/);
  expect(stdout).toContain("found Kim of team blue in the list");
  expect(stdout.trim().split("\n").slice(-2)).toEqual([
    "Park: 좋아요, 12시에 만나요.",
    "Kim: 점심 먹을까요?",
  ]);
});

test("export-month writes the messages of a month in Seoul as NDJSON and reports its progress", async () => {
  const channel = /the channel (\w+)/.exec((await run("src/quickstart.ts")).stdout)?.[1] ?? "";
  const today = new Intl.DateTimeFormat("sv-SE", { timeZone: "Asia/Seoul" }).format();
  const { stdout, stderr } = await run("src/export-month.ts", channel, today.slice(0, 7));
  const messages = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(messages.map(({ content }) => content)).toEqual(["좋아요, 12시에 만나요.", "점심 먹을까요?"]);
  expect(stderr).toContain("2 messages of");
  expect((await run("src/export-month.ts", channel, "2001-02")).stdout).toBe("");
});

test("rotate-key replaces a key and deletes both keys", async () => {
  const { stdout } = await run("src/rotate-key.ts");
  expect(stdout).toMatch(/deleted sk_[\w-]+…; 1 sub keys are left/);
});

test("the program in the README is src/readme.ts, and it runs", async () => {
  const readme = await readFile(new URL("../../README.md", import.meta.url), "utf8");
  const shown = /<!-- sample: examples\/src\/readme\.ts -->\n```ts\n([\s\S]*?)```/.exec(readme)?.[1];
  expect(shown).toBe(await readFile(new URL("../src/readme.ts", import.meta.url), "utf8"));
  for (let count = 0; count < 2; count++)
    expect((await run("src/readme.ts")).stdout).toBe("Park 안녕하세요\n");
});

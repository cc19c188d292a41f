import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runInMemory } from "./support/memory-io";

const folder = mkdtempSync(join(tmpdir(), "madang-files-"));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
/** Checks a folder with one file. */
async function check(name: string, content: string) {
  const dir = join(folder, String(++count));
  mkdirSync(dir);
  writeFileSync(join(dir, name), content);
  const { exitCode, stderr } = await runInMemory(["import", dir, "--dry-run", "--json"]);
  return { exitCode, stderr, path: join(dir, name) };
}

const message = { channel_id: "room_1", user_id: "kim_01", content: "Hi", created_at: 1_600_000_000_000 };

test.each([
  ["users.ndjson", '{"user_id":"kim_01","name":"Kim"}\n{oops\n', "{oops: "],
  ["users.ndjson", "[]\n", "[]: It must be an object."],
  ["users.csv", "user_id,name,meta\nkim_01,Kim,blue\n", "kim_01,Kim,blue: "],
  ["messages.csv", "user_id,created_at\nkim_01,yesterday\n", "kim_01,yesterday: created_at is not a time"],
])("an error in a record of %s names the file and quotes the record", async (name, content, quoted) => {
  const { exitCode, stderr, path } = await check(name, content);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(`error: ${path}: ${quoted}`);
});

test("NDJSON may begin with a byte order mark", async () => {
  expect((await check("messages.ndjson", `\ufeff${JSON.stringify(message)}\n`)).exitCode).toBe(0);
});

test("a dry run finds a message from the future", async () => {
  const created_at = Date.now() + 86_400_000;
  const { exitCode, stderr } = await check("messages.ndjson", JSON.stringify({ ...message, created_at }));
  expect(exitCode).toBe(1);
  expect(stderr).toContain("created_at must not be in the future.");
});

test("a file in place of a folder is named", async () => {
  const path = join(folder, "messages.csv");
  writeFileSync(path, "user_id\n");
  expect(await runInMemory(["import", path, "--dry-run"])).toEqual({
    exitCode: 4,
    stdout: "",
    stderr: `error: ${path} is not a folder that can be read.\n`,
  });
});

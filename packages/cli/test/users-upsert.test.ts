import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFolder } from "./support/folder";
import { runInMemory } from "./support/memory-io";
import { startTestServer } from "./support/server";

const folder = createFolder();
const server = await startTestServer();
const write = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
const counts = (created: number, updated: number, unchanged: number, rejected = 0) =>
  `${JSON.stringify({ created, updated, unchanged, rejected })}\n`;

test("a file of NDJSON creates, updates and keeps users", async () => {
  const rows = Array.from({ length: 250 }, (_, index) => ({
    user_id: `line_${index}`,
    name: "Kim",
    meta: { team: "blue" },
  }));
  const path = write("users.ndjson", lines(rows));
  expect(await server.run("users", "upsert", path, "--json")).toEqual({
    exitCode: 0,
    stdout: counts(250, 0, 0),
    stderr: "",
  });
  write("users.ndjson", lines(rows.map((row, index) => (index < 50 ? { ...row, name: "Lee" } : row))));
  expect((await server.run("users", "upsert", path, "--json")).stdout).toBe(counts(0, 50, 200));
  expect(await server.chat.users.get("line_7")).toMatchObject({ name: "Lee", meta: { team: "blue" } });
});

test("a CSV file of a spreadsheet: an empty cell keeps the value, and metadata is JSON", async () => {
  await server.chat.users.create({ user_id: "cell_1", name: "Kim", profile_url: "https://a" });
  const path = write(
    "users.csv",
    '\ufeffuser_id,name,profile_url,meta\r\ncell_1,"Kim, Min-ji",,"{""team"": ""blue""}"\r\ncell_2,박서준,,\r\n',
  );
  expect((await server.run("users", "upsert", path, "--json")).stdout).toBe(counts(1, 1, 0));
  expect(await server.chat.users.get("cell_1")).toMatchObject({
    name: "Kim, Min-ji",
    profile_url: "https://a",
    meta: { team: "blue" },
  });
});

test("rejected lines are printed with their line and reason, the others are stored, and the exit code is 1", async () => {
  const full = Object.fromEntries([..."abcdefghij"].map((key) => [key, "1"]));
  await server.chat.users.create({ user_id: "full_1", name: "Full", meta: full });
  const path = write(
    "bad.ndjson",
    `${lines([
      { user_id: "good_1", name: "Good" },
      { user_id: "B", name: "Bad" },
    ])}{"user_id":\n${lines([
      { user_id: "full_1", name: "Full", meta: { k: "1" } },
      { user_id: "good_2", name: "Good", created_at: 1 },
    ])}`,
  );
  const { exitCode, stdout, stderr } = await server.run("users", "upsert", path, "--json");
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: counts(2, 0, 0, 3) });
  expect(stderr).toMatch(/bad\.ndjson:2: user_id: /);
  expect(stderr).toMatch(/bad\.ndjson:3: /);
  expect(stderr).toContain("bad.ndjson:4: the server rejects it: meta_limit_exceeded.");
  expect(stderr).toContain("These fields were left out: created_at.");
  expect(stderr).toContain("Rejected users: 3. The others are stored.");
});

test("--dry-run checks every row and sends nothing", async () => {
  const path = write("dry.ndjson", lines([{ user_id: "dry_1", name: "Dry" }, { user_id: "dry_2" }]));
  const { exitCode, stdout, stderr } = await server.run("users", "upsert", path, "--dry-run", "--json");
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '{"valid":1,"rejected":1}\n' });
  expect(stderr).toContain("dry.ndjson:2: name: ");
  await expect(server.chat.users.get("dry_1")).rejects.toMatchObject({ code: "user_not_found" });
});

test("standard input is NDJSON, or CSV with --format", async () => {
  const send = (input: string, ...args: string[]) =>
    runInMemory(["users", "upsert", "-", "--json", ...args], { env: server.env, input });
  expect((await send(lines([{ user_id: "pipe_1", name: "Pipe" }]))).stdout).toBe(counts(1, 0, 0));
  expect((await send("user_id,name\npipe_1,Pipe\n", "--format", "csv")).stdout).toBe(counts(0, 0, 1));
  expect((await send("[]\n")).stderr).toContain("stdin:1: the line must be an object");
});

test("a file that does not exist, and a key that may not", async () => {
  expect(await server.run("users", "upsert", join(folder, "none.csv"))).toMatchObject({ exitCode: 4 });
  const { key } = await server.chat.keys.create({ scopes: ["read"] });
  const path = write("one.ndjson", lines([{ user_id: "one_1", name: "One" }]));
  const env = { ...server.env, MADANG_API_KEY: key };
  expect(await runInMemory(["users", "upsert", path], { env })).toMatchObject({ exitCode: 3 });
});

import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createFolder } from "./support/folder";
import { runInMemory } from "./support/memory-io";

const folder = createFolder();

let count = 0;
/** Checks a folder with these files. */
async function check(name: string, content: string | Buffer, ...others: [string, string | Buffer][]) {
  const dir = join(folder, String(++count));
  for (const [path, text] of [[name, content] as const, ...others]) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return runInMemory(["import", dir, "--dry-run", "--json"]);
}

const message = { channel_id: "room_1", user_id: "kim_01", content: "Hi", created_at: 1_600_000_000_000 };
const file = { name: "menu.png", url: "https://example.com/menu.png", type: "image/png", size: 48_213 };
const lines = (...rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

test.each([
  ["users.ndjson", '{"user_id":"kim_01","name":"Kim"}\n{oops\n', ":2: Expected property name"],
  ["users.ndjson", "[]\n", ":1: the line must be an object in JSON."],
  ["users.ndjson", lines({ user_id: "Kim", name: "" }), ":1: user_id: Must have at least 4 characters."],
  ["users.ndjson", lines({ user_id: "kim_01", name: "" }), ":1: name: Must have at least 1 character."],
  [
    "users.ndjson",
    lines({ user_id: "kim_01", name: "Kim", meta: { "a b": "1" } }),
    ":1: meta.a b: A key must contain",
  ],
  ["members.ndjson", lines({ channel_id: "room_1" }), ":1 (channel room_1): user_id: It is required."],
  [
    "channels.ndjson",
    lines({ channel_id: "room_1", name: "Lunch", freeze: "yes" }),
    ":1 (channel room_1): freeze: Must be a boolean.",
  ],
  [
    "messages.ndjson",
    lines({ ...message, content: "" }),
    ":1 (channel room_1): content: Must have at least 1 character",
  ],
  ["messages.ndjson", lines({ ...message, type: "poll" }), ':1 (channel room_1): type: Must be "text"'],
  [
    "messages.ndjson",
    lines({ ...message, parts: [{ type: "order", id: 2 ** 53 }] }),
    ":1 (channel room_1): parts.0.id: Must be at most ±9,007,199,254,740,991",
  ],
  [
    "messages.ndjson",
    lines({ ...message, created_at: Date.now() + 86_400_000 }),
    ":1 (channel room_1): created_at must not be in the future.",
  ],
  [
    "messages.ndjson",
    lines({ ...message, external_id: "1" }, message, { ...message, external_id: "1", content: "Ho" }),
    ":3 (channel room_1): the row has the same external_id as that of line 1.",
  ],
  [
    "messages.ndjson",
    lines(message, message),
    ":2 (channel room_1): the row has the same sender, time and content, and no external_id,",
  ],
  ["users.csv", "user_id,name,meta\nkim_01,Kim,blue\n", ":2: meta must be JSON."],
  ["users.csv", 'user_id,name\nkim_01,"Kim\n\npark_1,Park\n', ":2: a quote is not closed."],
  [
    "users.csv",
    'user_id,name\r\nkim_01,"Kim\r\nLee"\r\npark_1\r\n',
    ":4: the line has 1 cells, and the header has 2.",
  ],
  ["users.csv", 'user_id,name\nkim_01,5" nail"\n', ':2: a cell that contains " must be quoted as a whole.'],
  ["users.csv", "user_id,nam\nkim_01,Kim\n", ":2: name: It is required."],
  ["users.csv", "user_id,name,name\nkim_01,Kim,Park\n", ':1: the column "name" is there twice.'],
  ["users.csv", "\n\nuser_id;name\nkim_01;Kim\n", ":3: the cells are separated by ;."],
  ["users.csv", "user_id;name\nkim_01;Kim\n", ":1: the cells are separated by ;. Save the file with commas."],
  ["users.csv", "user_id\tname\nkim_01\tKim\n", ":1: the cells are separated by tabs."],
  [
    "messages.ndjson",
    lines({ ...message, created_at: 1_706_670_000 }),
    ":1 (channel room_1): created_at: 1706670000 is a time in seconds. It must be in milliseconds.",
  ],
  [
    "members.ndjson",
    lines({ channel_id: "room_1", user_id: "kim_01", muted_until: 1_906_670_000 }),
    ":1 (channel room_1): muted_until: 1906670000 is a time in seconds.",
  ],
  [
    "bans.ndjson",
    lines({ channel_id: "room_1", user_id: "kim_01", reason: "" }),
    ":1 (channel room_1): reason: Must",
  ],
  [
    "messages.csv",
    "channel_id,user_id,created_at,content\nroom_1,kim_01,2024-01-31 03:00,Hi\n",
    ":2: created_at: It must be milliseconds or a date such as",
  ],
  [
    "messages.csv",
    "channel_id,user_id,created_at,content\nroom_1,kim_01,2024-02-30,Hi\n",
    ":2: created_at: It must be milliseconds or a date such as",
  ],
])("in %s, the problem of %j is %s", async (name, content, problem) => {
  const { exitCode, stderr } = await check(name, content);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(`${name}${problem}`);
  expect(stderr).toContain("that the server would reject:");
});

test("each kind of problem is one line, with the first row that has it and the number of others", async () => {
  const { stderr } = await check("users.ndjson", lines(...Array.from({ length: 50 }, () => ({ name: 1 }))));
  // Two in each of 50 rows, and 49 rows have the id of the first one.
  expect(stderr.trim().split("\n")).toEqual([
    "users.ndjson:1: user_id: It is required. (and 49 more like this)",
    "users.ndjson:1: name: Must be a string. (and 49 more like this)",
    "users.ndjson:2: the row has the same user_id as that of line 1. (and 48 more like this)",
    expect.stringContaining("that the server would reject: 149."),
  ]);
});

test("with --encode-ids, ids may be UUIDs and e-mail addresses, also as names of files", async () => {
  const dir = join(folder, String(++count));
  mkdirSync(join(dir, "messages"), { recursive: true });
  const channel_id = "0b9e2f6e-5f3f-4c6b-9d55-0c6a1c3e7a10";
  const user_id = "kim@example.com";
  const write = (name: string, ...rows: object[]) => writeFileSync(join(dir, name), lines(...rows));
  write("users.ndjson", { user_id, name: "Kim" });
  write("channels.ndjson", { channel_id, name: "Lunch" });
  write("members.ndjson", { channel_id, user_id });
  write(
    `messages/${channel_id}.ndjson`,
    { user_id, content: "Hi", mentions: [user_id], created_at: 1_600_000_000_000 },
    { user: { user_id }, channel_id, content: "Ho", created_at: 1_600_000_000_000 },
  );
  const args = ["import", dir, "--dry-run", "--json"];
  const plain = await runInMemory(args);
  expect(plain.exitCode).toBe(1);
  expect(plain.stderr).toContain("ids.encode of the SDK and madang ids encode make an id of any other name.");
  expect(await runInMemory([...args, "--encode-ids"])).toMatchObject({ exitCode: 0, stderr: "" });
});

test.each(["users.ndjson", "users.csv"])("%s in CP949 is rejected, with the lines", async (name) => {
  const isCsv = name.endsWith(".csv");
  const row = (text: string | Buffer) =>
    Buffer.concat(
      (isCsv ? ["kim_01,", text, "\n"] : ['{"user_id":"kim_01","name":"', text, '"}\n']).map((part) =>
        Buffer.from(part),
      ),
    );
  // "김" in CP949.
  const content = [Buffer.from(isCsv ? "user_id,name\n" : ""), row("김"), row(Buffer.from([0xb1, 0xe8]))];
  const { exitCode, stderr } = await check(name, Buffer.concat(content));
  expect(exitCode).toBe(1);
  expect(stderr).toContain(`${name}:${isCsv ? 3 : 2}: the text is not UTF-8. Save the file as UTF-8.`);
});

test.each(["users.ndjson", "users.csv"])("a line of 100 MB in %s is rejected", async (name) => {
  const { exitCode, stderr } = await check(name, Buffer.alloc(100_000_000, "x"));
  expect(exitCode).toBe(1);
  expect(stderr).toContain(`${name}:1: the line has more than 1,000,000 bytes.`);
});

test.each(["users.ndjson", "users.csv", "users.parquet", "manifest.json"])(
  "a pipe in place of %s is rejected",
  async (name) => {
    const dir = join(folder, String(++count));
    mkdirSync(dir);
    execFileSync("mkfifo", [join(dir, name)]);
    const { exitCode, stderr } = await runInMemory(["import", dir, "--dry-run"]);
    expect([exitCode, stderr]).toEqual([1, `error: ${join(dir, name)} is not a regular file.\n`]);
  },
);

test.each(["../secret.ndjson", "/etc/passwd", "messages/../../secret.ndjson"])(
  "a manifest may not name %s",
  async (path) => {
    const manifest = { version: 1, format: "ndjson", files: [{ path, kind: "users" }], missing_channels: [] };
    for (const args of [
      ["import", "--dry-run"],
      ["verify", "--offline"],
    ]) {
      const dir = join(folder, String(++count));
      mkdirSync(dir);
      writeFileSync(join(dir, "manifest.json"), JSON.stringify(manifest));
      const { exitCode, stderr } = await runInMemory([...args, dir]);
      expect([exitCode, stderr]).toEqual([
        1,
        `error: ${join(dir, "manifest.json")} is not the manifest of an export.\n`,
      ]);
    }
  },
);

test("a file may begin with a byte order mark, and a CSV with empty lines", async () => {
  expect((await check("messages.ndjson", `\ufeff${JSON.stringify(message)}\n`)).exitCode).toBe(0);
  const rows = "channel_id,user_id,created_at,content\nroom_1,kim_01,2024-02-29,Hi\n";
  for (const start of ["\ufeff", "\n\n", "\ufeff\r\n"])
    expect(await check("messages.csv", start + rows)).toMatchObject({
      exitCode: 0,
      stdout: found(1),
      stderr: "",
    });
});

const nothing = { users: 0, channels: 0, members: 0, managers: 0, bans: 0, blocks: 0, preferences: 0 };

const found = (messages: number) => `${JSON.stringify({ ...nothing, messages, problems: 0 })}\n`;

test.each([
  ["messages.jsonl", lines(message)],
  ["messages.CSV", "channel_id,user_id,created_at,content\n"],
  ["Users.ndjson", lines({ user_id: "kim_01", name: "Kim" })],
  ["messages/room_1.jsonl", lines(message)],
])("%s is no name of a file that is read, and is not passed over", async (name, content) => {
  const { exitCode, stderr } = await check(name, content, ["channels.ndjson", ""]);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`${name} would not be read. Rename it`)]);
});

test("the hidden files of an operating system are not read", async () => {
  const checked = await check("messages/._room_1.csv", Buffer.from([0, 5, 10, 22, 7, 10]), [
    "messages/room_1.ndjson",
    lines(message),
  ]);
  expect(checked).toMatchObject({ exitCode: 0, stdout: found(1), stderr: "" });
});

test("what an import does not have is left out, counted and named once", async () => {
  const sent = { ...message, external_id: "m-1", meta: { team: "blue" } };
  const { exitCode, stderr } = await check(
    "messages.ndjson",
    lines(
      { ...sent, state: "cancelled", user: { user_id: "kim_01", nickname: "K" } },
      { ...sent, external_id: "m-2", state: "interrupted", reactions: [], file: undefined },
      { ...sent, external_id: "m-3", content: undefined, file: { ...file, width: 1 }, new_field: 1 },
      { ...sent, message_id: "4", content: "", external_id: undefined, state: "streaming", append_count: 0 },
      { ...sent, message_id: "5", type: "poll", external_id: undefined },
    ),
  );
  expect([exitCode, stderr.trim().split("\n")]).toEqual([
    0,
    [
      '2 messages had "state": left out',
      '1 message had "reactions", "file.width", "new_field": left out',
      '1 sender had "nickname": left out',
      "1 message with no text, parts or files: left out",
      '1 message with the type "poll": left out',
    ],
  ]);
});

test("of very many fields that an import does not have, the first are named", async () => {
  const row = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`field_${index}`, 1]));
  const { stderr } = await check("messages.ndjson", lines({ ...message, ...row }));
  expect(stderr).toMatch(/^1 message had "field_0", .*"field_49", "…": left out\n$/);
  expect(stderr.split(", ")).toHaveLength(51);
});

test("a file with a problem is not imported, and no request is sent", async () => {
  const dir = join(folder, String(++count));
  mkdirSync(dir);
  writeFileSync(join(dir, "messages.ndjson"), lines(message, { ...message, content: 1 }));
  const env = { MADANG_URL: "http://127.0.0.1:1", MADANG_API_KEY: "mk_only-for-tests-0123456789" };
  const { exitCode, stderr } = await runInMemory(["import", dir], { env });
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/that the server would reject: 1\. Nothing was imported\.\n$/);
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

import { copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { ids } from "@madang/client";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { beforeAll, expect, test } from "vitest";
import { report, scale } from "../../../apps/server/test/support/report";
import type { Manifest } from "../src/data/files/manifest";
import type { Row } from "../src/data/tables/column";
import { readRows } from "../src/data/tables/read-rows";
import type { Kind } from "../src/data/tables/tables";
import { createFolder } from "./support/folder";
import { runInMemory } from "./support/memory-io";
import { writeRealText } from "./support/real-text";
import { startServerProcess } from "./support/server";

const size = scale({ channels: 30, messages: 6_000 }, { channels: 36, messages: 35_000 });
const entries = { users: 50, channels: size.channels, members: 10 * size.channels, managers: size.channels };
const none = { blocks: 0, preferences: 0 };
const folder = createFolder();
const servers = [await startServerProcess(), await startServerProcess()] as const;
beforeAll(() => writeRealText(join(folder, "text"), size));

/** Runs a command on one of the servers; it must succeed. */
async function run(server: 0 | 1, ...args: string[]) {
  const outcome = await servers[server].run(...args, "--json");
  expect([outcome.exitCode, outcome.stderr]).toEqual([0, expect.any(String)]);
  return JSON.parse(outcome.stdout);
}

const at = (name: string) => join(folder, name);
const readManifest = async (dir: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(at(dir), "manifest.json"), "utf8"));

async function readAll(dir: string, kind: Kind): Promise<Row[]> {
  const rows: Row[] = [];
  for (const file of (await readManifest(dir)).files.filter((each) => each.kind === kind))
    for await (const batch of readRows(join(at(dir), file.path), kind)) rows.push(...batch);
  return rows;
}

test("a dry run of real text in dozens of channels finds no problem and sends nothing", async () => {
  const checked = await run(0, "import", at("text"), "--dry-run");
  expect(checked).toEqual({ ...entries, bans: 0, ...none, messages: size.messages, problems: 0 });
  expect(await run(0, "channels", "list").catch(() => "none")).toBe("none");
});

test("it is imported, and a second import imports nothing", async () => {
  const nothingLost = {
    removed_members: 0,
    removed_replies: 0,
    removed_mentions: 0,
    removed_files: 0,
    removed_blocks: 0,
    removed_preferences: 0,
    removed_quiet_until: 0,
    ...none,
    missing_channels: [],
  };
  const result = { ...entries, messages: size.messages, skipped: 0 };
  expect(await run(0, "import", at("text"))).toEqual({ ...result, ...nothingLost });
  expect(await run(0, "verify", at("text"), "--migrated")).toMatchObject({ missing: 0, different: 0 });
  const nothing = { users: 0, channels: 0, members: 0, managers: 0, messages: 0, skipped: size.messages };
  expect(await run(0, "import", at("text"))).toEqual({ ...nothing, ...nothingLost });
});

const tomorrow = Date.now() + 86_400_000;

test("what is exported and imported into an empty server is exported from there as the same", async () => {
  const { users, channels } = servers[0].chat;
  await users.suspend("user_1");
  await users.suspend("user_2", { until: tomorrow });
  await channels.members.mute("room_005", "user_0");
  await channels.members.mute("room_005", "user_5", tomorrow);
  await channels.setRetention("room_006", { days: 365, hold: true });
  await channels.setRetention("room_007", { days: null, hold: true });
  await run(0, "export", "--all", "--out", at("first"));
  await run(1, "import", at("first"));
  const { files, rows } = await run(1, "verify", at("first"), "--migrated");
  const manifest = await readManifest("first");
  expect(files).toBe(manifest.files.length);
  expect(rows).toBe(manifest.files.reduce((sum, file) => sum + file.rows, 0));
  await run(1, "export", "--all", "--out", at("second"));
  for (const kind of ["users", "channels", "members", "managers", "messages"] as const) {
    const [first, second] = [await readAll("first", kind), await readAll("second", kind)];
    expect(first.length).toBeGreaterThan(20);
    expect(second.map(withoutAssigned)).toEqual(first.map(withoutAssigned));
  }
  const messages = await readAll("first", "messages");
  expect(messages[0]).toMatchObject({ created_at: expect.any(Number), external_id: expect.any(String) });
  await report({
    fault: "real text exported, imported into another server and exported again",
    load: `${size.channels} channels`,
    ...{ sent: size.messages, acknowledged: messages.length },
  });
});

/** A row without what the server assigns. */
function withoutAssigned({ message_id, updated_at, joined_at, ...row }: Row): Row {
  const { created_at, ...rest } = row;
  // Only messages keep their times.
  const kept = message_id === undefined ? rest : row;
  return { ...kept, ...(row.user !== undefined && { user: withoutAssigned(Object(row.user)) }) };
}

test("verify accepts each export, and notices a changed file and what is new on the server", async () => {
  expect(await run(0, "verify", at("first"))).toMatchObject({ damaged: 0, different: 0 });
  const { chat } = servers[1];
  await chat.channels.freeze("room_000", false);
  await chat.messages.send("room_000", { user_id: "user_0", type: "text", content: "new" });
  await chat.channels.members.leave("room_001", "user_4");
  await chat.channels.managers.add("room_002", "user_9");
  await chat.channels.setRetention("room_007", { days: null, hold: false });
  await chat.channels.members.unmute("room_005", "user_0");
  const changed = await servers[1].run("verify", at("second"), "--json");
  expect(changed.exitCode).toBe(1);
  for (const difference of [
    "messages/room_000.ndjson: on the server, 1 more, 0 changed and 0 deleted.",
    "members.ndjson: on the server, 0 more, 1 changed and 1 deleted.",
    "managers.ndjson: on the server, 1 more, 0 changed and 0 deleted.",
  ])
    expect(changed.stderr).toContain(difference);
  const migrated = await servers[1].run("verify", at("second"), "--migrated");
  expect(migrated.exitCode).toBe(1);
  // What only the server has is no difference. Mutes and retention are not compared.
  expect(migrated.stderr).toMatch(
    /^channels\.ndjson:\d+ \(channel room_000\): the server has other values\.\nmembers\.ndjson:\d+ \(channel room_001\): the server does not have it\.\nerror: /,
  );
  const path = join(at("second"), "messages/room_001.ndjson");
  await writeFile(path, (await readFile(path, "utf8")).replace("the", "tha"));
  const damaged = await runInMemory(["verify", at("second"), "--offline", "--json"], {});
  expect(damaged).toMatchObject({ exitCode: 1 });
  expect(damaged.stderr).toContain("messages/room_001.ndjson: the content was changed");
});

test.each(["csv", "parquet"] as const)(
  "%s is read by DuckDB, and verify and import read what export wrote",
  async (format) => {
    await run(
      0,
      "export",
      "--all",
      "--out",
      at(format),
      "--format",
      format,
      ...(format === "csv" ? ["--bom"] : []),
    );
    expect(await run(0, "verify", at(format))).toMatchObject({ damaged: 0, different: 0 });
    for (const [kind, fields] of restrictions)
      expect((await readAll(format, kind)).map(pick(fields))).toEqual(
        (await readAll("first", kind)).map(pick(fields)),
      );
    expect(await run(0, "import", at(format))).toMatchObject({
      users: 0,
      channels: 0,
      messages: 0,
      skipped: size.messages,
    });
    const files = (await readManifest(format)).files.filter(({ kind }) => kind === "messages");
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    for (const { path, rows } of files.slice(0, 5)) {
      const source =
        format === "csv"
          ? `read_csv('${join(at(format), path)}', header = true, all_varchar = true, quote = '"', escape = '"')`
          : `read_parquet('${join(at(format), path)}')`;
      const { length } = await (await connection.runAndReadAll(`SELECT * FROM ${source}`)).getRowObjects();
      expect(length).toBe(rows);
      const read = await connection.runAndReadAll(
        `SELECT message_id, replace(content, chr(65279), '') AS content, epoch_ms(created_at::TIMESTAMP) AS at, file_size::BIGINT AS size FROM ${source}`,
      );
      const expected: Row[] = [];
      for await (const batch of readRows(join(at("first"), path.replace(/\.\w+$/, ".ndjson")), "messages"))
        expected.push(...batch);
      expect(read.getRowObjects()).toEqual(
        expected.map(({ message_id, content = null, created_at, file }) => ({
          message_id,
          content:
            typeof content === "string" ? withoutMark(format === "csv" ? asCell(content) : content) : null,
          at: BigInt(Number(created_at)),
          size: file === undefined ? null : BigInt(Object(file).size),
        })),
      );
    }
    connection.closeSync();
  },
);

const restrictions = [
  ["users", ["suspended_until"]],
  ["channels", ["freeze", "retention"]],
  ["members", ["muted_until"]],
] as const;

const pick = (fields: readonly string[]) => (row: Row) => fields.map((field) => row[field]);

/** DuckDB drops the mark at the beginning of a cell in CSV. */
const withoutMark = (text: string) => text.replaceAll("\ufeff", "");

/** A spreadsheet shows what follows the apostrophe, and does not calculate it. */
const asCell = (text: string) => (/^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text);

test("Parquet is read by hyparquet with times, numbers and metadata of their types", async () => {
  const [file] = (await readManifest("parquet")).files.filter(({ kind }) => kind === "messages");
  const buffer = await asyncBufferFromFile(join(at("parquet"), file?.path ?? ""));
  const rows = await parquetReadObjects({ file: buffer });
  expect(rows).toHaveLength(file?.rows ?? 0);
  expect(rows.find(({ type }) => type === "file")).toMatchObject({
    created_at: expect.any(Date),
    file_size: expect.any(BigInt),
    meta: expect.any(Object),
  });
});

test("CSV begins with the byte order mark and keeps formulas as text", async () => {
  const [file] = (await readManifest("csv")).files.filter(({ kind }) => kind === "users");
  const text = await readFile(join(at("csv"), file?.path ?? ""), "utf8");
  expect(
    text.startsWith(
      "\ufeffuser_id,name,profile_url,meta,created_at,updated_at,suspended_until,other_fields\r\n",
    ),
  ).toBe(true);
  expect(text).toContain(`"'=User 1, ""quoted"""`);
  expect(text).toContain("김 3");
});

test("an export of some channels and days has these messages and the users of these channels", async () => {
  const args = ["--from", "2020-09-13", "--to", "2020-09-13", "--timezone", "Asia/Seoul"];
  await run(0, "export", "room_002", "room_003", "--out", at("some"), ...args);
  const { files, ...range } = await readManifest("some");
  expect(range).toMatchObject({
    from: "2020-09-13",
    timezone: "Asia/Seoul",
    channels: ["room_002", "room_003"],
  });
  expect(files.map(({ path }) => path).slice(5)).toEqual([
    "messages/room_002.ndjson",
    "messages/room_003.ndjson",
  ]);
  const messages = await readAll("some", "messages");
  expect(messages.length).toBeGreaterThan(0);
  // The text begins at 2020-09-13 21:26 in Seoul.
  expect(messages.every(({ created_at }) => Number(created_at) < Date.UTC(2020, 8, 13, 15))).toBe(true);
  expect((await readAll("some", "users")).length).toBe(20);
  expect(await readdir(at("some"))).not.toContain(".madang-export");
  expect(await run(0, "verify", at("some"))).toMatchObject({ damaged: 0, different: 0 });
  const { chat } = servers[0];
  await chat.users.update("user_3", { name: "Changed" });
  const changed = await servers[0].run("verify", at("some"));
  expect(changed.stderr).toContain("users.ndjson: on the server, 0 more, 1 changed and 0 deleted.");
});

test("the CSV of the guide is imported, missing senders are created, and their inboxes have the channel", async () => {
  await mkdir(at("sheet"));
  for (const [name, copy] of [
    ["from-csv.csv", "messages.csv"],
    ["from-csv-members.csv", "members.csv"],
  ] as const)
    await copyFile(new URL(`../../../examples/guides/${name}`, import.meta.url), join(at("sheet"), copy));
  await writeFile(join(at("sheet"), "channels.csv"), "channel_id,name\nlunch_csv,점심\n");
  const expected = { users: 2, channels: 1, members: 2, messages: 2 };
  expect(await run(0, "import", at("sheet"))).toMatchObject(expected);
  const messages = await readMessages("lunch_csv");
  expect(messages.map(({ content, created_at }) => [content, created_at])).toEqual([
    ['Yes, at "noon"', Date.parse("2024-01-31T03:01:00Z")],
    ["점심 먹을까요?", Date.parse("2024-01-31T03:00:00Z")],
  ]);
  const { chat } = servers[0];
  const inbox = await chat.users.channels("migrating_kim").toArray({ max: 5 });
  expect(inbox.map(({ channel_id }) => channel_id)).toEqual(["lunch_csv"]);
});

test("with --encode-ids, an import and its verification take e-mail addresses", async () => {
  await mkdir(at("encoded"));
  const line =
    '{"channel_id":"Room 1","user_id":"kim@example.com","content":"Hi","created_at":1600000000000}\n';
  await writeFile(join(at("encoded"), "messages.ndjson"), line);
  await writeFile(join(at("encoded"), "channels.ndjson"), '{"channel_id":"Room 1","name":"One"}\n');
  expect(await run(0, "import", at("encoded"), "--encode-ids")).toMatchObject({ users: 1, messages: 1 });
  const verified = await run(0, "verify", at("encoded"), "--migrated", "--encode-ids");
  expect(verified).toMatchObject({ rows: 2, missing: 0, different: 0 });
  const { chat } = servers[0];
  expect(await chat.users.get(ids.encode("kim@example.com"))).toMatchObject({ name: "kim@example.com" });
});

async function readMessages(channelId: string) {
  const { chat } = servers[0];
  const { items } = await chat.exports.messages(channelId).firstPage();
  return items.map((message) => ({
    created_at: message.created_at,
    content: "content" in message ? message.content : "",
  }));
}

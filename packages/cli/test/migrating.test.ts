import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { ids } from "@madang/client";
import { expect, test } from "vitest";
import { createFolder } from "./support/folder";
import { runInMemory } from "./support/memory-io";
import { startTestServer } from "./support/server";

const program = join(import.meta.dirname, "../../../examples/guides/from-sendbird.ts");
const folder = createFolder();
const server = await startTestServer();
const { chat } = server;

let count = 0;
/** Converts an export with these files. */
async function convert(files: Readonly<Record<string, unknown>>) {
  const dir = join(folder, String(++count));
  mkdirSync(join(dir, "exported/messages"), { recursive: true });
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(dir, "exported", name), JSON.stringify(content));
  const migrated = join(dir, "migrated");
  const args = [program, join(dir, "exported"), migrated];
  const result = await promisify(execFile)(process.execPath, args).catch(
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  const { code = 0, stdout, stderr } = { code: 0, ...result };
  const read = (name: string) =>
    readFileSync(join(migrated, `${name}.ndjson`), "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  return { code, stdout, stderr, read, migrated };
}

const [kim, park] = [
  {
    user_id: "김민수",
    nickname: "Kim",
    profile_url: "https://example.com/kim.png",
    role: "operator",
    metadata: { team: "blue" },
  },
  { user_id: "박서준", nickname: "Park", profile_url: "" },
];
const at = 1_600_000_000_000;
const message = {
  ...{ type: "MESG", created_at: at, updated_at: 0, user: kim, is_removed: false },
  // As Sendbird writes them in a text message that is no reply.
  ...{ file: {}, mention_type: "users", mentioned_users: [], parent_message_id: 0, thread_info: {} },
};
const file = { name: "menu.png", url: "https://example.com/menu.png", type: "image/png", size: 48_213 };

const exported = {
  "channels.json": [
    { channel_url: "Room-1", name: "One", cover_url: "", custom_type: "support", members: [kim, park] },
    { channel_url: "room_1", name: "Two", freeze: true, data: "", members: [park] },
  ],
  "messages/Room-1.json": [
    {
      ...message,
      message_id: 2,
      created_at: at + 1,
      type: "FILE",
      user: park,
      file: { ...file, data: "스캔", thumbnails: [] },
    },
    {
      ...message,
      message_id: 1,
      message: "점심?",
      custom_type: "question",
      data: '{"a":1}',
      updated_at: at + 5,
    },
    { ...message, message_id: 3, message: "removed", is_removed: true },
    {
      ...{ ...message, message_id: 5, message: "네, 민수 님", created_at: at + 3, user: park },
      ...{ parent_message_id: 1, parent_message_text: "점심?", mentioned_users: [kim] },
    },
    {
      ...{ ...message, message_id: 4, type: "ADMM", user: undefined, message: "Kim joined" },
      ...{ created_at: at + 2, custom_type: "join" },
    },
  ],
  "messages/room_1.json": [{ ...message, message_id: 1, message: "in the other room" }],
};

test("colliding names, members, system, removed and edited messages and files are migrated, and verify confirms it", async () => {
  const { code, stdout, stderr, migrated } = await convert(exported);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toBe("2 users, 2 channels, 3 members, 5 messages\nleft out: 1 removed messages\n");
  const madang = (...args: string[]) => server.run(...args, "--json");
  expect(await madang("import", migrated, "--dry-run")).toMatchObject({ exitCode: 0, stderr: "" });
  expect(JSON.parse((await madang("verify", migrated, "--migrated")).stdout)).toEqual({
    ...{ files: 6, rows: 13, missing: 13, different: 0 },
  });
  expect(await madang("import", migrated)).toMatchObject({ exitCode: 0, stderr: "" });
  expect(await madang("verify", migrated, "--migrated")).toEqual({
    exitCode: 0,
    stdout: '{"files":6,"rows":13,"missing":0,"different":0}\n',
    stderr: "",
  });

  const [one, two] = [ids.encode("Room-1"), "room_1"];
  expect(await chat.users.get(ids.encode("김민수"))).toMatchObject({ name: "Kim", meta: { team: "blue" } });
  expect(await chat.channels.get(one)).toMatchObject({ name: "One", meta: { custom_type: "support" } });
  expect(await chat.channels.get(two)).toMatchObject({ name: "Two", freeze: true });
  expect((await chat.channels.managers.list(one)).map(({ name }) => name)).toEqual(["Kim"]);
  const messages = await readAll(chat.exports.messages(one));
  const [, , , question] = messages;
  expect(messages).toMatchObject([
    { content: "네, 민수 님", reply_to: question?.message_id, mentions: [ids.encode("김민수")] },
    { type: "system", content: "Kim joined", meta: { custom_type: "join" }, created_at: at + 2 },
    { type: "file", file, meta: { file_data: "스캔" }, user: { name: "Park" }, created_at: at + 1 },
    {
      type: "text",
      content: "점심?",
      meta: { custom_type: "question", data: '{"a":1}', edited_at: new Date(at + 5).toISOString() },
    },
  ]);
  expect(messages[0]?.meta).toEqual({});
  // Every inbox has its channels.
  const inbox = await readAll(chat.users.channels(ids.encode("박서준")));
  expect(inbox.map(({ name }) => name).sort()).toEqual(["One", "Two"]);

  await chat.messages.update(one, String(messages[3]?.message_id), { content: "저녁?" });
  const changed = await madang("verify", migrated, "--migrated");
  expect(changed.exitCode).toBe(1);
  expect(changed.stderr).toContain(`messages/${one}.ndjson:1 (channel ${one}): the server has other values.`);
});

async function readAll<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}

test("what has no place in Madang is a problem", async () => {
  const { code, stderr, read, migrated } = await convert({
    "channels.json": [{ channel_url: "sendbird_1", name: "One" }],
    "messages/sendbird_1.json": [
      { ...message, message_id: 1, message: "Hi", data: "x".repeat(201), poll: { "1": 2 } },
    ],
    "messages/unknown.json": [{ ...message, message_id: 1, message: "", level_2: "x" }],
  });
  expect(code).toBe(1);
  expect(stderr.trim().split("\n")).toEqual([
    "channels.json: sendbird_1: has no members. Export the channels with their members",
    "messages/sendbird_1.json: 1: data has more than 200 bytes and is left out",
    "messages/unknown.json: the channel is not in channels.json",
  ]);
  expect(read("messages/sendbird_1")).toMatchObject([{ content: "Hi", meta: { poll: '{"1":2}' } }]);
  const checked = await runInMemory(["import", migrated, "--dry-run"]);
  expect(checked.stderr).toContain(
    "messages/unknown.ndjson:1 (channel unknown): meta.level_2: A key must contain only letters",
  );
  expect(checked.stderr).toContain(
    "messages/unknown.ndjson:1 (channel unknown): content: Must have at least 1 character",
  );
});

test("the metadata of a user is kept, also under the names of Sendbird's fields", async () => {
  const metadata = { state: "CA", is_active: "yes", locale: "ko" };
  const member = { ...kim, metadata, state: "joined", is_active: true, locale: "en", phone: "1" };
  const { code, stderr, read } = await convert({
    "channels.json": [{ channel_url: "metadata_1", name: "One", members: [member] }],
  });
  expect(read("users")).toMatchObject([{ meta: { ...metadata, phone: "1" } }]);
  expect([code, stderr]).toEqual([
    1,
    "channels.json: metadata_1: 김민수: locale is also a key of the metadata, and the field is left out\n",
  ]);
});

test("a message without a user is a problem, and one of the system is not", async () => {
  const { code, stderr, read } = await convert({
    "channels.json": [{ channel_url: "no_user", name: "One", members: [] }],
    "messages/no_user.json": [
      { ...message, message_id: 1, message: "Hi", user: null },
      { ...message, message_id: 2, message: "Hi", user: undefined },
      { ...message, message_id: 3, type: "ADMM", message: "Kim joined", user: null },
    ],
  });
  expect([code, stderr]).toEqual([
    1,
    "messages/no_user.json: 1: has no user and is left out\n" +
      "messages/no_user.json: 2: has no user and is left out\n",
  ]);
  expect(read("messages/no_user")).toEqual([
    { external_id: "3", type: "system", created_at: at, content: "Kim joined" },
  ]);
});

test("names of more than 47 bytes stay different", async () => {
  const members = ["a", "b"].map((end) => ({ user_id: `${"긴이름".repeat(9)}${end}`, nickname: "Kim" }));
  const { code, read } = await convert({
    "channels.json": [{ channel_url: "long_names", name: "Long", members }],
  });
  expect(code).toBe(0);
  expect(new Set(read("users").map(({ user_id }) => user_id)).size).toBe(2);
});

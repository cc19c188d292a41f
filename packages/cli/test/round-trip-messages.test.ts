import { join } from "node:path";
import type { ChatClient, Message } from "@madang/client";
import { beforeAll, describe, expect, test } from "vitest";
import { createFolder } from "./support/folder";
import { runInMemory } from "./support/memory-io";
import { startNewerServer } from "./support/newer-server";
import { startTestServer } from "./support/server";

const folder = createFolder();
const first = await startTestServer();
const newer = await startNewerServer(first.url);
const second = await startTestServer();
const env = { MADANG_URL: newer.url, MADANG_API_KEY: first.masterKey };

const parts = JSON.parse('[{"type":"tool","output":{"dishes":["비빔밥"],"price":9.5,"__proto__":{"a":1}}}]');

beforeAll(async () => {
  const { chat } = first;
  for (const user_id of ["kim_01", "park_03", "lee_04"])
    await chat.users.create({ user_id, name: user_id, meta: { team: "blue" } });
  await chat.channels.create({
    channel_id: "room_1",
    name: "Room",
    members: ["kim_01", "park_03", "lee_04"],
  });
  await chat.channels.managers.add("room_1", "kim_01");
  const text = { user_id: "kim_01", type: "text" } as const;
  const send = (fields: object, files?: { file: Buffer; name: string }[]) =>
    chat.messages.send("room_1", { ...text, ...fields }, { ...(files && { files }) });
  const own = await send({ content: "Own id", external_id: "own 1" });
  await send({ content: "Hello, Park", reply_to: own.message_id, mentions: ["park_03"], meta: { a: "1" } });
  await send({ parts });
  await send({ content: "김".repeat(65_536) });
  await send({}, [{ file: Buffer.from("Kimchi"), name: "점심.txt" }]);
  await send({ content: "Two" }, [
    { file: Buffer.from("1"), name: "1.txt" },
    { file: Buffer.from("2"), name: "2.txt" },
  ]);
  const file = { type: "image/png", name: "menu.png", url: "https://example.com/menu.png", size: 3 };
  await send({ type: "file", file });
  await chat.messages.send("room_1", { type: "system", content: "Kim joined" });
  for (const [content, ending] of [
    ["Finished", "finish"],
    ["Stopped", "cancel"],
    ["", "cancel"],
    ["", "finish"],
  ] as const) {
    const writer = await chat.messages.stream("room_1", { ...text, content });
    writer.append(content && " text");
    await writer[ending](content === "Finished" ? { parts } : {});
  }
  await send({ content: "interrupted: There" });
  await send({ content: "streaming: There" });
  await chat.messages.reactions.add("room_1", own.message_id, "👍", "park_03");
  await chat.messages.pin("room_1", own.message_id);
  await chat.messages.update("room_1", own.message_id, { content: "Own id, edited" });
  await chat.channels.members.markRead("room_1", "park_03");
  await chat.channels.members.mute("room_1", "park_03");
  await chat.channels.bans.add("room_1", "lee_04", { reason: "Advertising" });
});

/** What an import leaves out. The guide names it, but the first fields, which every server assigns. */
const leftOut = [
  '3 users had "created_at", "updated_at", "new_field": left out',
  '1 channel had "type", "total_message_count", "total_file_count", "created_at", "updated_at", "new_field": left out',
  '2 members had "joined_at", "new_field": left out',
  '1 member had "read_message_id": left out',
  '1 manager had "joined_at", "new_field": left out',
  '1 ban had "created_at": left out',
  '12 messages had "updated_at", "new_field": left out',
  '3 messages had "state": left out',
  '1 message had "edited_at", "reply_count", "reactions", "pinned_at", "append_count": left out',
  "2 messages with no text, parts or files: left out",
];

describe.each(["ndjson", "csv", "parquet"] as const)("%s", (format) => {
  const dir = join(folder, format);

  test("everything is exported, and verify compares all of it", async () => {
    const args = ["--all", "--files", "--files-from", first.url, "--out", dir, "--format", format];
    expect(await runInMemory(["export", ...args], { env })).toMatchObject({ exitCode: 0, stderr: "" });
    expect(await runInMemory(["verify", dir, "--json"], { env })).toMatchObject({ exitCode: 0, stderr: "" });
    // The server without the new field.
    const verified = await first.run("verify", dir);
    expect([verified.exitCode, verified.stderr.match(/\d+ changed/g)]).toEqual([
      1,
      ["3 changed", "1 changed", "2 changed", "1 changed", "14 changed"],
    ]);
  });

  test("it is imported, and what is left out is counted by name", async () => {
    await empty(second.chat);
    const { exitCode, stderr } = await second.run("import", dir);
    expect([exitCode, stderr.trim().split("\n").sort()]).toEqual([0, leftOut.toSorted()]);
    expect(await second.run("verify", dir, "--migrated")).toMatchObject({ exitCode: 0, stderr: "" });
    const [sent, imported] = [await read(first.chat), await read(second.chat)];
    expect(imported).toEqual(sent);
    expect(imported).toHaveLength(12);
    const members = await second.chat.channels.members.list("room_1");
    expect(members.map(({ user_id, muted_until }) => [user_id, muted_until])).toEqual([
      ["kim_01", undefined],
      ["park_03", 0],
    ]);
    const bans = await second.chat.channels.bans.list("room_1").toArray();
    expect(bans).toMatchObject([{ user: { user_id: "lee_04" }, reason: "Advertising" }]);
  });

  test("a second import creates nothing, and uploads no file", async () => {
    const other = await startNewerServer(second.url);
    const env = { MADANG_URL: other.url, MADANG_API_KEY: second.masterKey };
    expect(await runInMemory(["import", dir], { env })).toMatchObject({ exitCode: 0 });
    const creations = other.requests.filter((request) => /^POST (?!.*imports)/.test(request));
    expect(creations).toEqual([]);
    // A list of all users, and one of all senders.
    expect(other.requests.filter((request) => request === "GET /v1/users").length).toBeLessThanOrEqual(2);
    await other.close();
  });
});

async function empty(chat: ChatClient): Promise<void> {
  for await (const { channel_id } of chat.channels.list()) await chat.channels.delete(channel_id);
  for await (const { user_id } of chat.users.list()) await chat.users.delete(user_id);
}

/** The messages, as far as an import keeps them. */
async function read(chat: ChatClient) {
  const messages = await chat.messages.list("room_1").toArray();
  const ids = new Map(messages.map((message, index) => [message.message_id, index]));
  const shown = messages.filter((message) => !isEmpty(message));
  return Promise.all(
    shown.map(async ({ message_id: _, external_id: __, channel_id: ___, ...message }) => {
      const { type, created_at, mentions, meta, reply_to = "" } = message;
      const common = { type, created_at, mentions, meta, reply: ids.has(reply_to) };
      if (message.type === "file") return { ...common, user: message.user.name, file: message.file };
      const attachments = (message.attachments ?? []).map(async ({ name, type, url }) => [
        ...[name, type, await (await fetch(url)).text()],
      ]);
      return {
        ...common,
        user: message.type === "text" && message.user.name,
        content: message.content,
        parts: JSON.stringify(message.parts),
        attachments: await Promise.all(attachments),
      };
    }),
  );
}

const isEmpty = (message: Message) =>
  message.type !== "file" && !message.content && !message.parts && !message.attachments;

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFolder } from "./support/folder";
import { startTestServer } from "./support/server";

const folder = createFolder();
const { chat, run } = await startTestServer();

/** Imports these messages into a new channel. */
async function importMessages(channelId: string, rows: readonly object[]) {
  const { exitCode, stdout, stderr } = await runImport(channelId, rows);
  expect([exitCode, stderr]).toEqual([0, ""]);
  const messages = (await chat.exports.messages(channelId).firstPage()).items.toReversed();
  return { result: JSON.parse(stdout), messages };
}

function runImport(channelId: string, rows: readonly object[]) {
  const dir = join(folder, channelId);
  mkdirSync(join(dir, "messages"), { recursive: true });
  writeFileSync(join(dir, "channels.ndjson"), JSON.stringify({ channel_id: channelId, name: "Lunch" }));
  const lines = rows.map((row, index) =>
    JSON.stringify({ external_id: `${index}`, content: "Hi", created_at: 1_600_000_000_000 + index, ...row }),
  );
  writeFileSync(join(dir, `messages/${channelId}.ndjson`), lines.join("\n"));
  return run("import", dir, "--json");
}

test("a mention of somebody who writes later is kept, and one of nobody is counted", async () => {
  const { result, messages } = await importMessages("mentions_1", [
    { user_id: "park_1", mentions: ["kim_01", "kim_01", "nobody"] },
    { user_id: "park_1", mentions: ["nobody"] },
    { user: { user_id: "kim_01", name: "Kim" } },
  ]);
  expect(messages.map(({ mentions }) => mentions)).toEqual([["kim_01"], undefined, undefined]);
  expect(messages[2]).toMatchObject({ user: { name: "Kim" } });
  expect(result).toMatchObject({ users: 2, messages: 3, removed_mentions: 2, removed_replies: 0 });
});

test("a reply that comes before its message is imported as no reply, and a later one stays a reply", async () => {
  const { result, messages } = await importMessages("replies_1", [
    { user_id: "park_1", reply_to: "parent" },
    { user_id: "park_1", external_id: "parent" },
    { user_id: "park_1", reply_to: "parent" },
    { user_id: "park_1", reply_to: "deleted" },
    { user_id: "park_1", reply_to: "deleted" },
  ]);
  const parent = messages[1]?.message_id;
  expect(messages.map((message) => ("reply_to" in message ? message.reply_to : undefined))).toEqual([
    ...[undefined, undefined, parent, undefined, undefined],
  ]);
  expect(result).toMatchObject({ messages: 5, removed_replies: 3, removed_mentions: 0 });
});

test("many messages with large parts are imported, although a request cannot have all their values", async () => {
  const parts = [{ type: "chart", points: Array.from({ length: 200 }, (_, index) => index) }];
  const rows = Array.from({ length: 300 }, () => ({ user_id: "park_1", parts }));
  const { result, messages } = await importMessages("parts_1", rows);
  expect(result).toMatchObject({ messages: 300 });
  expect(messages[0]).toMatchObject({ parts });
});

test("a message with more values than a request can have is rejected with its line", async () => {
  const parts = [{ type: "chart", points: Array.from({ length: 45_000 }, () => 1) }];
  const { exitCode, stderr } = await runImport("parts_2", [
    { user_id: "park_1" },
    { user_id: "park_1", parts },
  ]);
  expect(exitCode).not.toBe(0);
  expect(stderr).toContain("messages/parts_2.ndjson:2 ");
});

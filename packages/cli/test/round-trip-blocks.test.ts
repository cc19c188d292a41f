import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ChatClient } from "@madang/client";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import type { Manifest } from "../src/data/files/manifest";
import type { Row } from "../src/data/tables/column";
import { formats, readRows } from "../src/data/tables/read-rows";
import { createFolder } from "./support/folder";
import { startGate } from "./support/gate";
import { runProgram } from "./support/run-program";
import { startTestServer } from "./support/server";

const folder = createFolder();
const first = await startTestServer();
const at = (name: string) => join(folder, name);

const tomorrow = Date.now() + 86_400_000;
const people = ["kim_01", "park_1", "lee_01", "choi_1"];
const rooms = ["lunch", "quiet", "hidden", "stored", "pin_a", "pin_b", "plain"];

beforeAll(async () => {
  const { users, channels, messages } = first.chat;
  for (const user_id of people) await users.create({ user_id, name: user_id });
  for (const channel_id of rooms) {
    await channels.create({ channel_id, name: channel_id, members: people });
    await messages.send(channel_id, { user_id: "park_1", type: "text", content: "점심 먹을까요?" });
  }
  for (let index = 0; index < 5; index++) {
    await users.create({ user_id: `troll_${index}`, name: "Troll" });
    await users.blocks.add("kim_01", `troll_${index}`);
  }
  await users.blocks.add("park_1", "kim_01");
  const set = channels.members.setPreferences.bind(channels.members);
  await set("lunch", "kim_01", { notify: "none" });
  await set("quiet", "kim_01", { notify: "mentions", quiet_until: tomorrow });
  await set("hidden", "kim_01", { hidden: true });
  await set("stored", "kim_01", { archived: true, notify: "none" });
  await set("pin_b", "kim_01", { pinned: true });
  await set("pin_a", "kim_01", { pinned: true });
  await set("lunch", "lee_01", { archived: true });
});

type TestServer = typeof first;

async function run(server: TestServer, ...args: string[]) {
  const { exitCode, stdout, stderr } = await server.run(...args, "--json");
  expect([exitCode, stderr]).toEqual([0, expect.any(String)]);
  return JSON.parse(stdout);
}

const exportAll = (server: TestServer, name: string, ...options: string[]) =>
  run(server, "export", "--all", "--blocks-and-preferences", "--out", at(name), ...options);

async function readFileOf(name: string, kind: "blocks" | "preferences", format: string): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of readRows(join(at(name), `${kind}.${format}`), kind)) rows.push(...batch);
  return rows;
}

/** What a user sets for itself, in the order in which a page shows it. */
async function readSettings(chat: ChatClient, userId: string) {
  const blocks = await chat.users.blocks.list(userId, { pageSize: 100 }).toArray();
  const lines = await chat.users.channels(userId, { channel_ids: rooms }).toArray();
  const pinned = lines.filter(({ preferences }) => preferences?.pinned_at !== undefined);
  const timesOf = ({ preferences }: (typeof lines)[number]) => Number(preferences?.pinned_at);
  return {
    blocks: blocks.map(({ user }) => user.user_id),
    preferences: lines.map(({ channel_id, preferences: { pinned_at, ...others } = {} }) => [
      channel_id,
      others,
    ]),
    pinned: pinned.sort((one, other) => timesOf(one) - timesOf(other)).map(({ channel_id }) => channel_id),
  };
}

const counted = { blocks: 6, preferences: 7 };
const nothingLost = { removed_blocks: 0, removed_preferences: 0, removed_quiet_until: 0 };

test.each(formats)(
  "blocks and preferences in %s are imported once, and exported as the same",
  async (format) => {
    const second = await startTestServer(onTestFinished);
    const names = [`from-${format}`, `again-${format}`] as const;
    expect(await exportAll(first, names[0], "--format", format)).toMatchObject(counted);
    expect(await run(first, "verify", at(names[0]))).toMatchObject({ damaged: 0, different: 0 });
    expect(await run(second, "import", at(names[0]))).toMatchObject({ ...counted, ...nothingLost });
    expect(await run(second, "verify", at(names[0]), "--migrated")).toMatchObject({
      missing: 0,
      different: 0,
    });
    for (const userId of people) {
      const settings = await readSettings(first.chat, userId);
      expect(await readSettings(second.chat, userId)).toEqual(settings);
      if (userId === "kim_01") expect(settings.pinned).toEqual(["pin_b", "pin_a"]);
    }
    const none = { blocks: 0, preferences: 0, ...nothingLost };
    expect(await run(second, "import", at(names[0]))).toMatchObject(none);
    expect(await exportAll(second, names[1], "--format", format)).toMatchObject(counted);
    for (const kind of ["blocks", "preferences"] as const) {
      const [before, after] = await Promise.all(names.map((name) => readFileOf(name, kind, format)));
      expect(sorted(after)).toEqual(sorted(before));
      expect(before).toHaveLength(counted[kind]);
    }
  },
);

/** Rows without the times that a server assigns. A set: the order of an inbox is that of its messages. */
const sorted = (rows: readonly Row[] = []) =>
  rows
    .map(({ created_at, pinned_at, ...row }) => JSON.stringify({ ...row, isPinned: pinned_at !== undefined }))
    .sort();

test("they are not exported unless they are asked for, and such a folder is imported", async () => {
  const exported = await run(first, "export", "--all", "--out", at("without"));
  expect(Object.keys(exported)).not.toContain("blocks");
  expect(readManifest("without").files.map(({ kind }) => kind)).not.toContain("blocks");
  const second = await startTestServer(onTestFinished);
  expect(await run(second, "import", at("without"))).toMatchObject({ blocks: 0, preferences: 0 });
});

const readManifest = (name: string): Manifest =>
  JSON.parse(readFileSync(join(at(name), "manifest.json"), "utf8"));

test("an export of some channels has the preferences of these channels alone", async () => {
  const args = ["export", "lunch", "plain", "--blocks-and-preferences", "--out", at("some")];
  expect(await run(first, ...args)).toMatchObject({ users: 4, blocks: 6, preferences: 2 });
  expect(await run(first, "verify", at("some"))).toMatchObject({ damaged: 0, different: 0 });
  // The trolls are in none of these channels.
  const second = await startTestServer(onTestFinished);
  expect(await run(second, "import", at("some"))).toMatchObject({
    ...nothingLost,
    ...{ blocks: 1, removed_blocks: 5, preferences: 2 },
  });
});

test("an export that is killed between users continues, also with another concurrency", async () => {
  await exportAll(first, "whole");
  let isHeld = true;
  let reached = () => {};
  const held = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const gate = await startGate(first.url, (path) => {
    // The oldest user comes last, after eight others.
    if (!isHeld || !path.startsWith("/v1/users/kim_01/channels")) return true;
    reached();
    return false;
  });
  const args = ["export", "--all", "--blocks-and-preferences", "--out", at("killed")];
  const env = { ...first.env, MADANG_URL: gate.url };
  const program = runProgram([...args, "--concurrency", "4"], env);
  await held;
  program.kill("SIGKILL");
  await program.ended;
  isHeld = false;
  expect((await runProgram([...args, "--concurrency", "3"], env).ended).exitCode).toBe(0);
  await gate.close();
  const filesOf = (name: string) =>
    readManifest(name).files.map(({ path, rows, sha256 }) => [path, rows, sha256]);
  expect(filesOf("killed")).toEqual(filesOf("whole"));
});

function write(name: string, files: Readonly<Record<string, readonly object[]>>): string {
  mkdirSync(at(name));
  for (const [kind, rows] of Object.entries(files))
    writeFileSync(join(at(name), `${kind}.ndjson`), rows.map((row) => JSON.stringify(row)).join("\n"));
  return at(name);
}

const kim = { user_id: "kim_01" };

test("what names nobody, or has passed, is left out and counted", async () => {
  const server = await startTestServer(onTestFinished);
  const dir = write("missing", {
    users: [{ ...kim, name: "Kim" }],
    channels: [{ channel_id: "lunch", name: "Lunch" }],
    members: [{ ...kim, channel_id: "lunch" }],
    blocks: [
      { ...kim, blocked_user_id: "gone_1" },
      { user_id: "gone_1", blocked_user_id: "kim_01" },
    ],
    preferences: [
      { ...kim, channel_id: "lunch", notify: "none", quiet_until: 1_600_000_000_000 },
      { ...kim, channel_id: "gone", archived: true },
      { ...kim, channel_id: "over", quiet_until: 1_600_000_000_000 },
      { user_id: "gone_1", channel_id: "lunch", notify: "none" },
    ],
  });
  const removed = { removed_blocks: 2, removed_preferences: 2, removed_quiet_until: 2 };
  expect(await run(server, "import", dir)).toMatchObject({ blocks: 0, preferences: 1, ...removed });
  const again = { blocks: 0, preferences: 0, ...removed };
  expect(await run(server, "import", dir)).toMatchObject(again);
  const verified = await server.run("verify", dir, "--migrated");
  expect(verified.stderr).toContain("blocks.ndjson:1: the server does not have it.");
  expect(verified.stderr).toContain("preferences.ndjson:2 (channel gone): the server does not have it.");
  expect(verified.stderr).not.toContain("over");
});

test("what users changed after an import stays, and verify names it", async () => {
  const server = await startTestServer(onTestFinished);
  await exportAll(first, "before");
  await run(server, "import", at("before"));
  const { channels, messages, users } = server.chat;
  await channels.members.setPreferences("stored", "kim_01", { archived: false, notify: "mentions" });
  await messages.send("hidden", { user_id: "park_1", type: "text", content: "Noon?" });
  const removed_preferences = 1;
  expect(await run(server, "import", at("before"))).toMatchObject({ preferences: 0, removed_preferences });
  const [stored, hidden] = (await readSettings(server.chat, "kim_01")).preferences
    .filter(([id]) => id === "stored" || id === "hidden")
    .sort()
    .reverse();
  expect([stored, hidden]).toEqual([
    ["stored", { notify: "mentions" }],
    ["hidden", {}],
  ]);
  const migrated = await server.run("verify", at("before"), "--migrated");
  expect(migrated.stderr).toMatch(
    /preferences\.ndjson:\d+ \(channel stored\): the server has other values\./,
  );
  expect(migrated.stderr).toMatch(
    /preferences\.ndjson:\d+ \(channel hidden\): the server does not have it\./,
  );

  const own = await exportAll(server, "after");
  expect(own).toMatchObject({ blocks: 6, preferences: 6 });
  await users.blocks.remove("park_1", "kim_01");
  await users.blocks.add("park_1", "lee_01");
  await channels.members.setPreferences("plain", "lee_01", { notify: "none" });
  const changed = await server.run("verify", at("after"));
  expect(changed.stderr).toContain("blocks.ndjson: on the server, 1 more, 0 changed and 1 deleted.");
  expect(changed.stderr).toContain("preferences.ndjson: on the server, 1 more, 0 changed and 0 deleted.");
});

test.each([
  ["blocks", [{ ...kim, blocked_user_id: "kim_01" }], "blocked_user_id: Must be another user."],
  [
    "blocks",
    Array.from({ length: 2 }, () => ({ ...kim, blocked_user_id: "park_1" })),
    "the row has the same user_id and blocked_user_id as that of line 1.",
  ],
  ["preferences", [{ ...kim, channel_id: "lunch", notify: "loud" }], "notify: "],
  ["preferences", [{ ...kim, channel_id: "lunch", hidden: true, archived: true }], "Only one of hidden"],
  ["preferences", [{ ...kim, channel_id: "lunch", quiet_until: 1_900_000_000 }], "a time in seconds"],
])("rows of %s that the server would reject are found by the check: %j", async (kind, rows, problem) => {
  const dir = write(`invalid-${problem.replaceAll(/\W/g, "")}`, { [kind]: rows });
  const { exitCode, stderr } = await first.run("import", dir, "--dry-run");
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining(problem)]);
});

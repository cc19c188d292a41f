import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFolder } from "./support/folder";
import { startTestServer } from "./support/server";

const folder = createFolder();
const { chat, run } = await startTestServer();

function write(name: string, files: Readonly<Record<string, readonly object[]>>): string {
  const dir = join(folder, name);
  mkdirSync(dir);
  for (const [kind, rows] of Object.entries(files))
    writeFileSync(join(dir, `${kind}.ndjson`), rows.map((row) => JSON.stringify(row)).join("\n"));
  return dir;
}

const tomorrow = Date.now() + 86_400_000;

test("suspensions, mutes, freezing and retention are restored, also when the import is repeated", async () => {
  const channel = { channel_id: "lunch_01", name: "Lunch" };
  const dir = write("restricted", {
    users: [
      { user_id: "kim_01", name: "Kim", suspended_until: 0 },
      { user_id: "park_1", name: "Park", suspended_until: tomorrow },
      { user_id: "lee_01", name: "Lee", suspended_until: 1_600_000_000_000 },
      { user_id: "choi_1", name: "Choi" },
      { user_id: "jung_1", name: "Jung" },
    ],
    channels: [{ ...channel, freeze: true, retention: { days: 365, hold: true } }],
    members: [
      { channel_id: "lunch_01", user_id: "kim_01", muted_until: tomorrow },
      { channel_id: "lunch_01", user_id: "park_1" },
      { channel_id: "lunch_01", user_id: "lee_01", muted_until: 0 },
    ],
    managers: [{ channel_id: "lunch_01", user_id: "kim_01" }],
    bans: [
      { channel_id: "lunch_01", user_id: "choi_1", until: tomorrow, reason: "Advertising" },
      { channel_id: "lunch_01", user_id: "jung_1" },
      { channel_id: "lunch_01", user_id: "lee_01", until: 1_600_000_000_000 },
    ],
    // The hold covers it.
    messages: [{ channel_id: "lunch_01", user_id: "kim_01", content: "Hi", created_at: 1_600_000_000_000 }],
  });
  for (const _ of ["first", "again"]) {
    expect(await run("import", dir)).toMatchObject({ exitCode: 0, stderr: "" });
    const users = await chat.users.list({ user_ids: ["kim_01", "park_1", "lee_01"] }).firstPage();
    expect(users.items.map(({ suspended_until }) => suspended_until)).toEqual([0, tomorrow, undefined]);
    const members = await chat.channels.members.list("lunch_01");
    expect(Object.fromEntries(members.map((each) => [each.user_id, each.muted_until]))).toEqual({
      ...{ kim_01: tomorrow, park_1: undefined, lee_01: 0 },
    });
    const bans = await chat.channels.bans.list("lunch_01").toArray();
    expect(bans.map(({ user, until, reason }) => [user.user_id, until, reason])).toEqual([
      ["jung_1", undefined, undefined],
      ["choi_1", tomorrow, "Advertising"],
    ]);
    expect(await run("verify", dir, "--migrated")).toMatchObject({ exitCode: 0 });
    expect(await chat.channels.get("lunch_01")).toMatchObject({
      freeze: true,
      retention: { days: 365, hold: true },
    });
    expect((await chat.messages.list("lunch_01").firstPage()).items).toMatchObject([{ content: "Hi" }]);
  }
});

test("who was banned or suspended since does not come back, and the import goes on", async () => {
  const ids = ["kim_02", "park_2", "lee_02"];
  const dir = write("repeated", {
    users: ids.map((user_id) => ({ user_id, name: user_id })),
    channels: [{ channel_id: "lunch_02", name: "Lunch" }],
    members: ids.map((user_id) => ({ channel_id: "lunch_02", user_id, muted_until: 0 })),
  });
  for (const user_id of ids) await chat.users.create({ user_id, name: user_id });
  await chat.users.suspend("kim_02");
  expect(JSON.parse((await run("import", dir, "--json")).stdout)).toMatchObject({
    removed_members: 1,
    members: 2,
  });
  await chat.channels.bans.add("lunch_02", "park_2");
  expect(JSON.parse((await run("import", dir, "--json")).stdout)).toMatchObject({
    removed_members: 2,
    members: 0,
  });
  const members = await chat.channels.members.list("lunch_02");
  expect(members.map(({ user_id }) => user_id)).toEqual(["lee_02"]);
});

test("an export of a channel with a muted participant can be imported", async () => {
  const dir = join(folder, "exported");
  expect(await run("export", "lunch_01", "--out", dir)).toMatchObject({ exitCode: 0 });
  expect(await run("import", dir, "--dry-run")).toMatchObject({ exitCode: 0 });
});

test.each([
  ["users", { user_id: "kim_01", name: "Kim", suspended_until: "soon" }, "suspended_until: Must be"],
  ["members", { channel_id: "lunch_01", user_id: "kim_01", muted_until: "soon" }, "muted_until: Must be"],
  [
    "channels",
    { channel_id: "lunch_01", name: "Lunch", retention: { days: 1 } },
    "retention.hold: It is required",
  ],
])("a restriction in %s that the server would reject is found by the check", async (kind, row, problem) => {
  const { exitCode, stderr } = await run("import", write(`invalid-${kind}`, { [kind]: [row] }), "--dry-run");
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining(problem)]);
});

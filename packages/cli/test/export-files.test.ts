import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { createFolder } from "./support/folder";
import { runProgram } from "./support/run-program";
import { startTestServer } from "./support/server";

const folder = createFolder();
const server = await startTestServer();
const { env, chat } = server;
const empty = await startTestServer();
beforeAll(async () => {
  await chat.users.create({ user_id: "kim_01", name: "Kim" });
  await chat.channels.create({ channel_id: "lunch_01", name: "Lunch", members: ["kim_01"] });
  await chat.messages.send("lunch_01", { user_id: "kim_01", type: "text", content: "점심 먹을까요?" });
});

test("a channel that is named twice is exported once", async () => {
  const out = join(folder, "twice");
  const exported = await runProgram(["export", "lunch_01", "lunch_01", "--out", out, "--json"], env).ended;
  expect(exported).toMatchObject({ exitCode: 0, stderr: "" });
  expect(JSON.parse(exported.stdout)).toMatchObject({ channels: 1, members: 1, messages: 1 });
  const verified = await runProgram(["verify", out, "--json"], env).ended;
  expect(JSON.parse(verified.stdout)).toMatchObject({ files: 6, damaged: 0, different: 0 });
});

test("with --files, a server without files, or without channels, is exported", async () => {
  for (const [index, { env: own }] of [server, empty].entries()) {
    const out = join(folder, String(index));
    const exported = await runProgram(["export", "--all", "--files", "--out", out, "--json"], own).ended;
    expect(exported).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse(exported.stdout)).toMatchObject({ files: 0 });
    const verified = await runProgram(["verify", out, "--json"], own).ended;
    expect(JSON.parse(verified.stdout)).toMatchObject({ attachments: 0, damaged: 0, different: 0 });
  }
});

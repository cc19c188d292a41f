import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChatClient } from "@madang/client";
import { startServer } from "@madang/examples/start-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runProgram } from "./support/run-program";

let folder: string;
let server: Awaited<ReturnType<typeof startServer>>;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "madang-export-files-"));
  server = await startServer();
  env = {
    PATH: process.env.PATH ?? "",
    MADANG_URL: server.url,
    MADANG_API_KEY: server.masterKey,
    HOME: folder,
  };
  const chat = new ChatClient({ baseUrl: server.url, apiKey: server.masterKey });
  await chat.users.create({ user_id: "kim_01", name: "Kim" });
  await chat.channels.create({ channel_id: "lunch_01", name: "Lunch", members: ["kim_01"] });
  await chat.messages.send("lunch_01", { user_id: "kim_01", type: "text", content: "점심 먹을까요?" });
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

test("a channel that is named twice is exported once", async () => {
  const out = join(folder, "twice");
  const exported = await runProgram(["export", "lunch_01", "lunch_01", "--out", out, "--json"], env).ended;
  expect(exported).toMatchObject({ exitCode: 0, stderr: "" });
  expect(JSON.parse(exported.stdout)).toMatchObject({ channels: 1, members: 1, messages: 1 });
  const verified = await runProgram(["verify", out, "--json"], env).ended;
  expect(JSON.parse(verified.stdout)).toMatchObject({ files: 5, damaged: 0, different: 0 });
});

test("with --files, a server without files, or without channels, is exported", async () => {
  const empty = await startServer();
  try {
    for (const { url, masterKey } of [server, empty]) {
      const out = join(folder, masterKey);
      const program = { ...env, MADANG_URL: url, MADANG_API_KEY: masterKey };
      const exported = await runProgram(["export", "--all", "--files", "--out", out, "--json"], program)
        .ended;
      expect(exported).toMatchObject({ exitCode: 0, stderr: "" });
      expect(JSON.parse(exported.stdout)).toMatchObject({ files: 0 });
      const verified = await runProgram(["verify", out, "--json"], program).ended;
      expect(JSON.parse(verified.stdout)).toMatchObject({ attachments: 0, damaged: 0, different: 0 });
    }
  } finally {
    await empty.stop();
  }
});

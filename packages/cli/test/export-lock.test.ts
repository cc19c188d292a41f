import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { createFolder } from "./support/folder";
import { startGate } from "./support/gate";
import { runInMemory } from "./support/memory-io";
import { runProgram } from "./support/run-program";
import { startTestServer } from "./support/server";

const folder = createFolder();
const { url: serverUrl, env, chat } = await startTestServer();
beforeAll(async () => {
  await chat.users.create({ user_id: "kim_01", name: "Kim" });
  await chat.channels.create({ channel_id: "lunch_01", name: "Lunch", members: ["kim_01"] });
  await chat.messages.send("lunch_01", { user_id: "kim_01", type: "text", content: "점심 먹을까요?" });
});

const exportTo = (out: string, url: string) =>
  runProgram(["export", "--all", "--out", out], { ...env, MADANG_URL: url }).ended;

/** Starts an export in a process of its own, which waits in the middle until it may go on. */
async function startHalf(out: string) {
  let reached = () => {};
  let goOn = () => {};
  const half = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const going = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const gate = await startGate(serverUrl, (path) => {
    if (!path.startsWith("/v1/exports/")) return;
    reached();
    return going;
  });
  const program = runProgram(["export", "--all", "--out", out], { ...env, MADANG_URL: gate.url });
  const { exitCode, stderr } = await Promise.race([
    half.then(() => ({ exitCode: undefined, stderr: "" })),
    program.ended,
  ]);
  expect([exitCode, stderr]).toEqual([undefined, ""]);
  return { program, goOn, gate };
}

async function expectWhole(out: string): Promise<void> {
  const { stdout } = await runInMemory(["verify", out, "--json"], { env });
  expect(JSON.parse(stdout)).toMatchObject({ files: 6, damaged: 0, different: 0 });
}

test("a second export to a folder ends with an error, also by another path, and the first is whole", async () => {
  const out = join(folder, "shared");
  const { program, goOn, gate } = await startHalf(out);
  const link = join(folder, "link");
  await symlink(out, link);
  for (const path of [out, link])
    expect(await exportTo(path, gate.url)).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: `error: Another madang export is writing to ${path}. Wait until it ends, or choose another folder.\n`,
    });
  // Another folder is free meanwhile.
  expect((await exportTo(join(folder, "other"), serverUrl)).exitCode).toBe(0);
  goOn();
  expect((await program.ended).exitCode).toBe(0);
  await expectWhole(out);
  await gate.close();
});

test.each([
  ["SIGKILL", null],
  ["SIGINT", 130],
] as const)("after %s, an export does not block the next one", async (signal, exitCode) => {
  const out = join(folder, signal);
  const { program, goOn, gate } = await startHalf(out);
  program.kill(signal);
  expect((await program.ended).exitCode).toBe(exitCode);
  goOn();
  expect(await exportTo(out, gate.url)).toMatchObject({ exitCode: 0, stderr: "" });
  await expectWhole(out);
  await gate.close();
});

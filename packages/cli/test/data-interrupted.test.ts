import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ChatClient } from "@madang/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Manifest } from "../src/data/manifest";
import { runInMemory } from "./support/memory-io";
import { writeRealText } from "./support/real-text";
import { runProgram } from "./support/run-program";
import { type Server, startServer } from "./support/start-server";

const isLong = process.env.MADANG_CHAOS === "long";
const kills = isLong ? 20 : 3;
let folder: string;
let server: Server;
let chat: ChatClient;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "madang-interrupted-"));
  server = await startServer();
  chat = new ChatClient({ baseUrl: server.url, apiKey: server.masterKey });
  await writeRealText(join(folder, "text"), { channels: 12, messages: isLong ? 40_000 : 12_000 });
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const at = (name: string) => join(folder, name);

/** Runs a command and kills it after a random part of its time, again and again, until it has ended by itself. */
async function runWithKills(args: readonly string[]): Promise<number> {
  let killed = 0;
  const startMs = 150;
  for (let limitMs = 600; ; limitMs *= 1.05) {
    const program = runProgram(args, server.env);
    const timer =
      killed < kills
        ? setTimeout(() => program.kill("SIGKILL"), startMs + Math.random() * limitMs)
        : undefined;
    const { exitCode, stderr } = await program.ended;
    clearTimeout(timer);
    // A kill in the moment between the last step and the end of the process.
    const wasFinished = killed > 0 && stderr.includes("has a finished export");
    if (exitCode === 0 || wasFinished) return killed;
    expect([exitCode, stderr]).toEqual([null, expect.not.stringContaining("error")]);
    killed += 1;
  }
}

async function readManifest(dir: string): Promise<Pick<Manifest, "files" | "missing_channels">> {
  const { files, missing_channels } = JSON.parse(await readFile(join(at(dir), "manifest.json"), "utf8"));
  return { files, missing_channels };
}

test("an import that is killed again and again imports everything once", async () => {
  const killed = await runWithKills(["import", at("text"), "--concurrency", "2"]);
  expect(killed).toBeGreaterThan(0);
  const counts = [];
  for await (const { total_message_count } of chat.channels.list()) counts.push(total_message_count);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(isLong ? 40_000 : 12_000);
  const again = await runInMemory(["import", at("text"), "--json"], { env: server.env });
  expect(JSON.parse(again.stdout)).toMatchObject({
    users: 0,
    channels: 0,
    members: 0,
    managers: 0,
    messages: 0,
  });
});

test.each(["ndjson", "csv", "parquet"])(
  "an export to %s that is killed has the files of one that is not",
  async (format) => {
    const whole = await runInMemory(["export", "--all", "--out", at(`whole-${format}`), "--format", format], {
      env: server.env,
    });
    expect(whole.exitCode).toBe(0);
    const out = `killed-${format}`;
    const killed = await runWithKills([
      "export",
      "--all",
      "--out",
      at(out),
      "--format",
      format,
      "--concurrency",
      "2",
    ]);
    expect(killed).toBeGreaterThan(0);
    expect(await readManifest(out)).toEqual(await readManifest(`whole-${format}`));
    expect((await readdir(at(out))).sort()).toEqual((await readdir(at(`whole-${format}`))).sort());
    const verified = await runInMemory(["verify", at(out), "--json"], { env: server.env });
    expect(JSON.parse(verified.stdout)).toMatchObject({ damaged: 0, different: 0 });
  },
);

/** The files of an unfinished export that have their final names: each must be whole. */
async function expectNoBrokenFile(dir: string, whole: string): Promise<void> {
  const names = await readdir(at(dir)).catch(() => []);
  expect(names).not.toContain("manifest.json");
  const messages = await readdir(join(at(dir), "messages")).catch(() => []);
  for (const name of messages)
    expect(
      (await readFile(join(at(dir), "messages", name))).equals(
        await readFile(join(at(whole), "messages", name)),
      ),
    ).toBe(true);
}

test("after its key was revoked, an export says so, and continues with another key", async () => {
  const { key } = await chat.keys.create();
  const args = ["export", "--all", "--out", at("revoked"), "--concurrency", "1"];
  const program = runProgram(args, { ...server.env, MADANG_API_KEY: key });
  await sleep(350);
  await chat.keys.delete(key);
  const { exitCode, stderr } = await program.ended;
  // On a fast machine it may have ended before.
  if (exitCode !== 0) {
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(
      /^error: The server rejects the API key: .*To continue, run the same command again\./,
    );
    expect(stderr).not.toContain(key);
    await expectNoBrokenFile("revoked", "whole-ndjson");
    expect((await runProgram(args, server.env).ended).exitCode).toBe(0);
  }
  expect(await readManifest("revoked")).toEqual(await readManifest("whole-ndjson"));
});

test("an export waits for a server that is down for a while", async () => {
  const downMs = isLong ? 30_000 : 3_000;
  const program = runProgram(["export", "--all", "--out", at("down"), "--concurrency", "2"], server.env);
  await sleep(300);
  await server.kill();
  await sleep(downMs);
  await server.restart();
  expect(await program.ended).toMatchObject({ exitCode: 0 });
  expect(await readManifest("down")).toEqual(await readManifest("whole-ndjson"));
});

test("a channel that is deleted meanwhile is left out, and the export says so", async () => {
  // Its pages are fetched after the list of channels has been stored: the deletion comes in between.
  const out = at("deleted");
  await mkdir(out);
  const program = runProgram(["export", "--all", "--out", out, "--concurrency", "1"], server.env);
  for (;;) {
    const journal = await readFile(join(out, ".madang-export/journal"), "utf8").catch(() => "");
    if (journal.includes('"name":"channels"')) break;
    await sleep(2);
  }
  // The oldest channel is exported last.
  await chat.channels.delete("room_000");
  const { exitCode, stderr } = await program.ended;
  expect(exitCode).toBe(0);
  expect(stderr).toContain("The channel room_000 was deleted meanwhile. The export leaves it out");
  const { files, missing_channels } = await readManifest("deleted");
  expect(missing_channels).toEqual(["room_000"]);
  expect(files.some(({ channel_id }) => channel_id === "room_000")).toBe(false);
  expect((await runInMemory(["import", out, "--dry-run"], {})).exitCode).toBe(0);
});

test("on a full disk an export says so and leaves no broken file", async (context) => {
  // Each command gets a disk of its own. Afterwards the checksums of the files with final names are printed.
  const script = `mount -t tmpfs -o size=1m tmpfs "$0" && "$@"; code=$?
    cd "$0" && find . -type f -not -path './.madang-export/*' -exec sha256sum {} +; exit $code`;
  await mkdir(at("full"));
  const prefix = ["unshare", "-Urm", "sh", "-c", script, at("full")];
  const probe = await runProgram(["--version"], server.env, prefix).ended;
  if (probe.exitCode !== 0) return context.skip("This machine does not allow mounts in a namespace.");
  const args = ["export", "--all", "--out", at("full"), "--concurrency", "1"];
  const { exitCode, stdout, stderr } = await runProgram(args, server.env, prefix).ended;
  expect([exitCode, stderr]).toEqual([
    1,
    expect.stringMatching(
      /^error: The disk is full\. Free some space first\. To continue, run the same command again\./,
    ),
  ]);
  const { files } = await readManifest("whole-ndjson");
  const whole = files.map(({ path, sha256 }) => `${sha256}  ./${path}`);
  const written = stdout.split("\n").filter((line) => line !== "");
  expect(written.filter((line) => !whole.includes(line))).toEqual([]);
});

import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { findFreePort } from "../../../apps/server/test/support/ports";
import { isLong, report, scale } from "../../../apps/server/test/support/report";
import type { Manifest } from "../src/data/files/manifest";
import { createFolder } from "./support/folder";
import { startGate } from "./support/gate";
import { runInMemory } from "./support/memory-io";
import { writeRealText } from "./support/real-text";
import { runProgram } from "./support/run-program";
import { startServerProcess } from "./support/server";

const kills = scale(3, 20);
const messages = scale(12_000, 40_000);
const folder = createFolder();
// A port that it still gets when it is started again.
const server = await startServerProcess({ PORT: String(await findFreePort()) });
const { chat } = server;
beforeAll(() => writeRealText(join(folder, "text"), { channels: 12, messages }));

test("the young generation of a long command stays small", async () => {
  const script = `import { getHeapSpaceStatistics } from "node:v8";
    const size = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space").space_size;
    process.on("exit", () => console.log(size() / 2 ** 20));`;
  const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(script)}`;
  const args = ["import", at("text"), "--dry-run", "--json"];
  const { exitCode, stdout } = await runProgram(args, { ...server.env, NODE_OPTIONS }).ended;
  const [result = "", size] = stdout.split("\n");
  expect([exitCode, result]).toEqual([0, expect.stringContaining('"users":50,')]);
  // In MB. With Node's own limits it reaches 32 to 64.
  expect(Number(size)).toBeLessThan(16);
});

const at = (name: string) => join(folder, name);

/**
 * Runs a command and kills it at a random moment, `kills` times, then lets it end. When it ends by itself before, it is
 * checked and starts from the beginning. `onEnd` checks, and clears what it left.
 */
async function runWithKills(args: readonly string[], onEnd: () => Promise<void>): Promise<void> {
  let killed = 0;
  for (;;) {
    const program = runProgram(args, server.env);
    // Later and later, so that every part of the work is reached.
    const limitMs = 150 + Math.random() * 600 * 1.05 ** killed;
    const timer = killed < kills ? setTimeout(() => program.kill("SIGKILL"), limitMs) : undefined;
    const { exitCode, stderr } = await program.ended;
    clearTimeout(timer);
    // The kill came in the moment between the last step and the end of the process.
    const wasFinished = stderr.includes("has a finished export");
    if (exitCode === 0 || wasFinished) {
      await onEnd();
      if (killed === kills) return;
    } else {
      expect([exitCode, stderr]).toEqual([null, expect.not.stringContaining("error")]);
      killed += 1;
    }
  }
}

async function readManifest(dir: string): Promise<Pick<Manifest, "files" | "missing_channels">> {
  const { files, missing_channels } = JSON.parse(await readFile(join(at(dir), "manifest.json"), "utf8"));
  return { files, missing_channels };
}

test("an import that is killed again and again imports everything once", async () => {
  let stored = 0;
  await runWithKills(["import", at("text"), "--concurrency", "2"], async () => {
    stored = 0;
    for await (const { total_message_count } of chat.channels.list()) stored += total_message_count;
    expect(stored).toBe(messages);
  });
  const again = await runInMemory(["import", at("text"), "--json"], { env: server.env });
  expect(JSON.parse(again.stdout)).toMatchObject({
    users: 0,
    channels: 0,
    members: 0,
    managers: 0,
    messages: 0,
  });
  await reportRows(`kill -9 of an import, ${kills} times`, stored);
});

test.each(["ndjson", "csv", "parquet"])(
  "an export to %s that is killed has the files of one that is not",
  async (format) => {
    const whole = at(`whole-${format}`);
    const options = ["--format", format];
    const { exitCode } = await runInMemory(["export", "--all", "--out", whole, ...options], server);
    expect(exitCode).toBe(0);
    const out = `killed-${format}`;
    let exported = 0;
    await runWithKills(["export", "--all", "--out", at(out), ...options], async () => {
      const manifest = await readManifest(out);
      expect(manifest).toEqual(await readManifest(`whole-${format}`));
      expect((await readdir(at(out))).sort()).toEqual((await readdir(whole)).sort());
      const verified = await runInMemory(["verify", at(out), "--json"], server);
      expect(JSON.parse(verified.stdout)).toMatchObject({ damaged: 0, different: 0 });
      exported = countMessages(manifest);
      await rm(at(out), { recursive: true });
    });
    await reportRows(`kill -9 of an export to ${format}, ${kills} times`, exported);
  },
);

const countMessages = ({ files }: Pick<Manifest, "files">) =>
  files.filter(({ kind }) => kind === "messages").reduce((sum, { rows }) => sum + rows, 0);

/** The tests compare every row; the table shows how many there were. */
function reportRows(fault: string, rows: number, maxOutageMs?: number): Promise<void> {
  const lost = Math.max(0, messages - rows);
  const duplicated = Math.max(0, rows - messages);
  const counts = { sent: messages, acknowledged: rows, lost, duplicated, wrong: 0, maxOutageMs };
  return report({ fault, load: "12 channels, 2 at once", ...counts });
}

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

/** Runs an export of all channels, one at a time, and acts before a certain request for messages. */
async function exportThrough(name: string, atRequest: number, act: () => unknown, apiKey = server.masterKey) {
  let requests = 0;
  const gate = await startGate(server.url, async (path) => {
    if (path.startsWith("/v1/exports/") && ++requests === atRequest) await act();
  });
  const env = { ...server.env, MADANG_URL: gate.url };
  const start = (key: string) =>
    runProgram(["export", "--all", "--out", at(name), "--concurrency", "1"], { ...env, MADANG_API_KEY: key })
      .ended;
  return { ...(await start(apiKey)), again: () => start(server.masterKey), gate };
}

test("after its key was revoked, an export says so, and continues with another key", async () => {
  const { key } = await chat.keys.create();
  const run = await exportThrough("revoked", 3, () => chat.keys.delete(key), key);
  expect(run.exitCode).toBe(3);
  expect(run.stderr).toMatch(
    /^error: The server rejects the API key: .*To continue, run the same command again\./,
  );
  expect(run.stderr).not.toContain(key);
  await expectNoBrokenFile("revoked", "whole-ndjson");
  expect((await run.again()).exitCode).toBe(0);
  expect(await readManifest("revoked")).toEqual(await readManifest("whole-ndjson"));
  await run.gate.close();
});

test("an export ends at Ctrl-C with 130, says how to continue, and continues", async () => {
  let requests = 0;
  const gate = await startGate(server.url, (path) => {
    if (path.startsWith("/v1/exports/") && ++requests === 3) program.kill("SIGINT");
  });
  const args = ["export", "--all", "--out", at("interrupted")];
  const program = runProgram(args, { ...server.env, MADANG_URL: gate.url });
  const { exitCode, stdout, stderr } = await program.ended;
  expect([exitCode, stdout, stderr]).toEqual([
    130,
    "",
    expect.stringMatching(/^Interrupted\. To continue, run the same command again\./),
  ]);
  await expectNoBrokenFile("interrupted", "whole-ndjson");
  expect((await runProgram(args, { ...server.env, MADANG_URL: gate.url }).ended).exitCode).toBe(0);
  expect(await readManifest("interrupted")).toEqual(await readManifest("whole-ndjson"));
  await gate.close();
});

test("an export waits for a server that is down for a while", async () => {
  const downMs = scale(1_000, 30_000);
  let restarted: Promise<void> | undefined;
  const run = await exportThrough("down", 3, async () => {
    await server.kill();
    restarted = sleep(downMs).then(() => server.restart());
  });
  await restarted;
  expect([run.exitCode, run.stderr]).toEqual([0, expect.not.stringContaining("error")]);
  const manifest = await readManifest("down");
  expect(manifest).toEqual(await readManifest("whole-ndjson"));
  if (isLong)
    expect(run.stderr).toContain("The server does not respond. Trying again…\nThe server responds again.");
  await reportRows("the server is down during an export", countMessages(manifest), downMs);
  await run.gate.close();
});

test("a channel that is deleted meanwhile is left out, and the export says so", async () => {
  // The oldest channel is exported last.
  const { exitCode, stderr, gate } = await exportThrough("deleted", 1, () =>
    chat.channels.delete("room_000"),
  );
  expect(exitCode).toBe(0);
  expect(stderr).toContain("The channel room_000 was deleted meanwhile. The export leaves it out");
  const { files, missing_channels } = await readManifest("deleted");
  expect(missing_channels).toEqual(["room_000"]);
  expect(files.some(({ channel_id }) => channel_id === "room_000")).toBe(false);
  expect((await runInMemory(["import", at("deleted"), "--dry-run"], {})).exitCode).toBe(0);
  await gate.close();
});

test("on a full disk an export says so and leaves no broken file", async (context) => {
  // Each command gets a disk of its own. Afterwards the checksums of the files with final names are printed.
  const script = `mount -t tmpfs -o size=1m tmpfs "$0" && "$@"; code=$?
    cd "$0" && find . -type f -not -path './.madang-export/*' -exec sha256sum {} +; exit $code`;
  await mkdir(at("full"));
  const prefix = ["unshare", "-Urm", "sh", "-c", script, at("full")];
  const probe = await runProgram(["--version"], server.env, prefix).ended;
  // Only a file system of its own can be full without filling the machine's, and to mount one takes a right.
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

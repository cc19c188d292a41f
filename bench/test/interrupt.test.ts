import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

import { urlIn } from "../src/servers/server-process";

const program = fileURLToPath(new URL("../dist/main.js", import.meta.url));

test.each([
  { moment: "while PostgreSQL starts", signal: "SIGTERM", file: "postgres/data.new", minBytes: 0 },
  { moment: "while rows are inserted", signal: "SIGINT", file: "postgres/data/postmaster.pid", minBytes: 1 },
  { moment: "under load", signal: "SIGTERM", file: "server-1.log", minBytes: 100_000 },
] as const)("$signal $moment leaves nothing behind", async ({ signal, file, minBytes }) => {
  const { benchmark, folder, exited } = startBenchmark();
  await waitFor(benchmark, () => find(folder, file).some((path) => sizeOf(path) >= minBytes));
  const urls = find(folder, "server-*.log").flatMap((log) => urlIn(read(log)) ?? []);
  // The terminal and npm may both send it.
  benchmark.kill(signal);
  benchmark.kill(signal);
  expect(await exited).toBe(1);
  await expectNothingLeft(folder, urls);
});

test("a failure leaves nothing behind", async () => {
  const { benchmark, folder, exited } = startBenchmark("--against", "/no/such/main.js");
  const listUrls = () => find(folder, "server-1.log").flatMap((log) => urlIn(read(log)) ?? []);
  let urls = listUrls();
  await waitFor(benchmark, () => {
    urls = listUrls();
    return urls.length > 0;
  });
  expect(await exited).toBe(1);
  await expectNothingLeft(folder, urls);
});

function startBenchmark(...options: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "madang-bench-test-"));
  // PostgreSQL may run as another user, which needs access.
  chmodSync(folder, 0o755);
  const args = [
    program,
    "--quick",
    "--messages",
    "1000",
    "--only",
    "users.get",
    "--output",
    folder,
    ...options,
  ];
  const benchmark = spawn(process.execPath, args, {
    env: { ...process.env, TMPDIR: folder },
    stdio: "ignore",
  });
  const exited = once(benchmark, "exit").then(([code]) => code);
  onTestFinished(async () => {
    benchmark.kill("SIGTERM");
    await exited;
    rmSync(folder, { recursive: true, force: true });
  });
  return { benchmark, folder, exited };
}

async function expectNothingLeft(folder: string, urls: readonly string[]): Promise<void> {
  expect(processesIn(folder)).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
  for (const url of urls) await expect(fetch(url)).rejects.toThrow();
}

/** Processes with the folder on their command line, like PostgreSQL. Only on Linux. */
const processesIn = (folder: string) =>
  globSync("/proc/[0-9]*/cmdline").filter((path) => read(path).includes(folder));

const find = (folder: string, file: string) =>
  globSync(`madang-bench-*/${file}`, { cwd: folder }).map((path) => join(folder, path));

/** -1 if the file has just been renamed. */
const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? -1;

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

async function waitFor(benchmark: ChildProcess, isReached: () => boolean): Promise<void> {
  while (!isReached()) {
    if (benchmark.exitCode !== null) throw new Error("The benchmark ended early.");
    await sleep(20);
  }
}

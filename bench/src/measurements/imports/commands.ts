import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { ChatClient } from "@madang/client";
import { historyChannel } from "../../servers/dataset";
import type { Run } from "../../servers/target";
import { createSubKey, createTestbed } from "../../servers/testbed";

const program = fileURLToPath(new URL("../../packages/cli/dist/main.js", import.meta.url));
const maxMb = 250;
const minOfSdk = 0.7;
const formats = ["ndjson", "csv", "parquet"] as const;

interface Command {
  readonly title: string;
  readonly seconds: number;
  readonly peakMb: number;
}

/** `madang export`, `verify` and `import` of the long history: rows per second, and the most memory. */
export async function measureCommands({ settings, resources }: Run) {
  const { messages } = settings.sizes;
  const few = { users: 1_000, channels: 10, pairs: 1 };
  const from = await createTestbed(resources, { ...few, messages });
  const to = await createTestbed(resources, { ...few, messages: 1_000 });
  const server = await from.startServer();
  const empty = await to.startServer();
  const folder = await mkdtemp(join(tmpdir(), "madang-commands-"));
  resources.defer(() => rm(folder, { recursive: true, force: true }));
  const apiKey = await createSubKey(server.url);
  const target = { url: server.url, apiKey };
  const commands: Command[] = [];
  for (const format of formats) {
    const args = ["export", historyChannel, "--out", join(folder, format), "--format", format];
    commands.push(await runCommand(`export to ${format}`, args, target));
  }
  // What the SDK alone needs, without files.
  const sdkSeconds = await readWithSdk(new ChatClient({ baseUrl: server.url, apiKey }));
  commands.push(await runCommand("verify, ndjson", ["verify", join(folder, "ndjson")], target));
  const receiver = { url: empty.url, apiKey: await createSubKey(empty.url) };
  commands.push(await runCommand("import, ndjson", ["import", join(folder, "ndjson")], receiver));
  const head = ["`madang`", "rows/s", "of the SDK's pages", "at least", "peak memory, MB", "at most", ""];
  const lines = commands.map(({ title, seconds, peakMb }, index) => {
    const ofSdk = sdkSeconds / seconds;
    const isReached = peakMb <= maxMb && (index > 0 || ofSdk >= minOfSdk);
    return [
      title,
      Math.round(messages / seconds).toLocaleString("en-US"),
      title.startsWith("export") ? ofSdk.toFixed(2) : "",
      index === 0 ? minOfSdk.toFixed(2) : "",
      peakMb.toFixed(0),
      String(maxMb),
      isReached ? "reached" : "not reached",
    ];
  });
  return { table: [head, ...lines], data: { messages, sdkSeconds, commands } };
}

async function runCommand(
  title: string,
  args: readonly string[],
  { url, apiKey }: { readonly url: string; readonly apiKey: string },
): Promise<Command> {
  const startedAt = performance.now();
  const env = { PATH: process.env.PATH ?? "", MADANG_URL: url, MADANG_API_KEY: apiKey };
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ["ignore", "ignore", "inherit"] });
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  let peakMb = 0;
  let isRunning = true;
  const watching = (async () => {
    while (isRunning) {
      peakMb = Math.max(peakMb, readPeakMb(child.pid ?? 0));
      await sleep(20);
    }
  })();
  const exitCode = await exited;
  const seconds = (performance.now() - startedAt) / 1_000;
  isRunning = false;
  await watching;
  if (exitCode !== 0) throw new Error(`madang ${args[0]} ended with ${exitCode}.`);
  return { title, seconds, peakMb };
}

async function readWithSdk(chat: ChatClient): Promise<number> {
  const read = async () => {
    const startedAt = performance.now();
    for await (const _page of chat.exports.messages(historyChannel, { pageSize: 1_000 }).pages());
    return (performance.now() - startedAt) / 1_000;
  };
  // In the first round, Node compiles hot code.
  await read();
  return read();
}

/** The highest resident set so far. Only Linux reports it. */
function readPeakMb(pid: number): number {
  try {
    const [, kilobytes = ""] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kilobytes) / 1_024;
  } catch {
    return 0;
  }
}

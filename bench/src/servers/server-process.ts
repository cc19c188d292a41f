import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** A server under load, in its own process. */
export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

const timeoutMs = 20_000;

/** Starts a program that writes the URL it listens on. Its output goes to a file, as in production. */
export async function startProcess(
  resources: AsyncDisposableStack,
  program: readonly string[],
  environment: Readonly<Record<string, string>>,
  log: string,
): Promise<ServerProcess> {
  let child: ChildProcess | undefined;
  // First, because it throws if the benchmark is ending, when nothing more may start.
  resources.defer(async () => child && (await stop(child)));
  const output = openSync(log, "w");
  child = spawn(process.execPath, program, {
    stdio: ["ignore", output, output],
    env: { PATH: process.env.PATH ?? "", NODE_ENV: "production", ...environment },
  });
  closeSync(output);
  const url = await waitForUrl(child, log);
  return { url, pid: child.pid ?? 0, stop: () => stop(child) };
}

/** The URL of a server, from the line of its log that says that it is listening. */
export const urlIn = (log: string) => /"url":"([^"]+)","msg":"listening"/.exec(log)?.[1];

async function waitForUrl(child: ChildProcess, log: string): Promise<string> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline && child.exitCode === null) {
    const url = urlIn(await readFile(log, "utf8"));
    if (url !== undefined) return url;
    await sleep(20);
  }
  throw new Error(`A server did not start. Its output:\n${await readFile(log, "utf8")}`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  const kill = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
  await ended;
  clearTimeout(kill);
}

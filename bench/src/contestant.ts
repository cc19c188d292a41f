import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** A server under load: a process of its own. */
export interface Contestant {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
  /** Ends it at once, in the middle of whatever it does. */
  kill(): Promise<void>;
}

const patienceMs = 20_000;

/** Starts a program that says on its first lines where it listens; what it writes goes to a file, as in real use. */
export async function startContestant(
  program: readonly string[],
  environment: Readonly<Record<string, string>>,
  log: string,
): Promise<Contestant> {
  const output = openSync(log, "w");
  const child = spawn(process.execPath, program, {
    stdio: ["ignore", output, output],
    env: { PATH: process.env.PATH ?? "", NODE_ENV: "production", ...environment },
  });
  closeSync(output);
  const url = await waitForUrl(child, log);
  return { url, pid: child.pid ?? 0, stop: () => stop(child, "SIGTERM"), kill: () => stop(child, "SIGKILL") };
}

async function waitForUrl(child: ChildProcess, log: string): Promise<string> {
  const deadline = Date.now() + patienceMs;
  while (Date.now() < deadline && child.exitCode === null) {
    // At the end of a line: the log may name other addresses before.
    const [url] = /http:\/\/127\.0\.0\.1:\d+$/m.exec(await readFile(log, "utf8")) ?? [];
    if (url !== undefined) return url;
    await sleep(20);
  }
  throw new Error(`A server did not start. It wrote:\n${await readFile(log, "utf8")}`);
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  const kill = setTimeout(() => child.kill("SIGKILL"), patienceMs);
  await ended;
  clearTimeout(kill);
}

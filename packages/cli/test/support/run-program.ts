import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

export interface RunningProgram {
  readonly pid: number;
  kill(signal: NodeJS.Signals): void;
  readonly ended: Promise<{
    readonly exitCode: number | null;
    readonly stdout: string;
    readonly stderr: string;
  }>;
}

/** Runs the built command in a process of its own. `prefix` is a program that runs it. */
export function runProgram(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  prefix: readonly string[] = [],
): RunningProgram {
  const [file = process.execPath, ...rest] = [...prefix, process.execPath, program, ...args];
  const child = spawn(file, rest, { env, stdio: ["ignore", "pipe", "pipe"] });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => {
      output[name] += text;
    });
  return {
    pid: child.pid ?? 0,
    kill: (signal) => void child.kill(signal),
    ended: new Promise((resolve) => child.once("close", (exitCode) => resolve({ exitCode, ...output }))),
  };
}

import { type ChildProcess, spawn, spawnSync } from "node:child_process";

/** Podman or Docker, whichever runs here. The Docker command alone is not enough: it needs its service. */
export const engine = ["podman", "docker"].find((name) => spawnSync(name, ["info"]).status === 0);

/** By default, the engines ask for more files and processes than a machine may allow. */
export const limits = { nofile: 4_096, nproc: 4_096 };
export const limitOptions = Object.entries(limits).map(([name, max]) => `--ulimit=${name}=${max}:${max}`);

export interface Output {
  readonly code: number | null;
  readonly text: string;
}

/** Runs a command of the engine. */
export function run(...args: readonly string[]): Promise<Output> {
  return execute(engine ?? "", args);
}

/** The same, and fails if the command does. */
export function require(...args: readonly string[]): Promise<string> {
  return requireCommand(engine ?? "", args);
}

export async function requireCommand(
  command: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  const { code, text } = await execute(command, args, options);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}:\n${text.slice(-5_000)}`);
  return text.trim();
}

function execute(command: string, args: readonly string[], options = {}): Promise<Output> {
  const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  return collect(child);
}

function collect(child: ChildProcess): Promise<Output> {
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => {
      text += chunk;
    });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, text }));
  });
}

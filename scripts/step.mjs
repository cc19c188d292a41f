import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

/** On Windows, npm and the tools are scripts that need a shell. */
export const shell = process.platform === "win32";

/** Runs one command. Exits with its code if it fails. */
export function step(command, args, cwd = root) {
  const status = run(command, args, cwd);
  if (status !== 0) process.exit(status);
}

/** Runs one command without telemetry, and returns its exit code. */
export function run(command, args, cwd = root) {
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: "1", CHECKPOINT_DISABLE: "1", DO_NOT_TRACK: "1" };
  const stdio = ["ignore", "inherit", "inherit"];
  return spawnSync(command, args, { cwd, stdio, shell, env }).status ?? 1;
}

/** Runs a program with the repository's Node, forwards signals, and exits with its code. */
export function runNode(args) {
  const child = spawn("node", args, { cwd: root, stdio: "inherit", shell });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  // npm sends a signal only to its shell, which exits without this process.
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || child.kill("SIGTERM"), 250).unref();
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? (signal === null ? 1 : 0);
  });
  return child;
}

// Limits the memory for new objects, as in the image.
const nodeFlag = "--max-semi-space-size=16";

/** Starts the built server with the settings of `.env`. */
export function startServer(nodeOptions = []) {
  const envFile = existsSync(join(root, ".env")) ? ["--env-file=.env"] : [];
  // The pages of the examples and of `create-madang`.
  const names = envFile.length > 0 ? readFileSync(join(root, ".env"), "utf8") : "";
  if (!names.includes("MADANG_ORIGINS"))
    process.env.MADANG_ORIGINS ??= "http://localhost:4000,http://localhost:3100,http://localhost:8081";
  return runNode([nodeFlag, ...nodeOptions, ...envFile, "apps/server/dist/main.js", "start", "--migrate"]);
}

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

/** On Windows, npm and the tools are scripts that need a shell. */
export const shell = process.platform === "win32";

/** Runs one command, without telemetry. Exits with its code if it fails. */
export function step(command, args, cwd = root) {
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: "1", CHECKPOINT_DISABLE: "1", DO_NOT_TRACK: "1" };
  const { status } = spawnSync(command, args, {
    cwd,
    stdio: ["ignore", "inherit", "inherit"],
    shell,
    env,
  });
  if (status !== 0) process.exit(status ?? 1);
}

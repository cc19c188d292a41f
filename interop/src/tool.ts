import { type ExecFileException, execFile, type SpawnOptions, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("..", import.meta.url));

/** The document under test, as committed. */
export const documentPath = fileURLToPath(new URL("../../packages/contract/openapi.json", import.meta.url));

/** Disables telemetry. */
const quiet = {
  REDOCLY_TELEMETRY: "off",
  REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
  NO_COLOR: "1",
  SCARF_ANALYTICS: "false",
};
const env = { ...process.env, ...quiet };

export function versionOf(name: string): string {
  const text = readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url), "utf8");
  // Every package on npm has a version.
  return (JSON.parse(text) as { version: string }).version;
}

/** Runs a tool of this package. A tool that finds violations exits with a code other than 0. */
export function runTool(name: string, args: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const done = (error: ExecFileException | null, stdout: string, stderr: string) =>
      resolve({
        code: typeof error?.code === "number" ? error.code : error === null ? 0 : 1,
        output: stdout || stderr,
      });
    execFile(binary(name), args, { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 }, done);
  });
}

/** Starts a tool that serves until it is stopped. */
export function startTool(name: string, args: readonly string[], stdio: SpawnOptions["stdio"]) {
  return spawn(binary(name), args, { cwd: folder, env, stdio });
}

function binary(name: string): string {
  return fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url));
}

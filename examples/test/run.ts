import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { inject } from "vitest";

const execute = promisify(execFile);

/** Runs an example, a program or a shell script, against the server of this test run. */
export function run(path: string, ...args: string[]): Promise<{ stdout: string; stderr: string }> {
  const program = new URL(`../${path}`, import.meta.url).pathname;
  const env = { ...process.env, MADANG_URL: inject("url"), MADANG_API_KEY: inject("masterKey") };
  return execute(path.endsWith(".sh") ? "sh" : process.execPath, [program, ...args], { env });
}

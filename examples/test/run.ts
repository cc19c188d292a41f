import { execFile, type PromiseWithChild } from "node:child_process";
import { promisify } from "node:util";
import { inject } from "vitest";

const execute = promisify(execFile);

/** Runs an example, a program or a shell script, against the server of this test run. */
export const run = (path: string, ...args: string[]) => runAt(inject("url"), path, ...args);

/** The same, against a proxy of the server. */
export function runAt(
  url: string,
  path: string,
  ...args: string[]
): PromiseWithChild<{ stdout: string; stderr: string }> {
  const program = new URL(`../${path}`, import.meta.url).pathname;
  const env = { ...process.env, MADANG_URL: url, MADANG_API_KEY: inject("masterKey") };
  return execute(path.endsWith(".sh") ? "sh" : process.execPath, [program, ...args], { env });
}

import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Server } from "@madang/examples/start-server";
import type { Result } from "./result.ts";
import { documentPath } from "./tool.ts";

const generator = { tool: "openapi-python-client", version: "0.29.0" };
const folder = fileURLToPath(new URL("../generated/python/", import.meta.url));
const inPackage = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const run = promisify(execFile);

/**
 * Generates a client of another language, and acts with it as a user. Undefined if there is no `uv`, which gets Python and the
 * generator: https://docs.astral.sh/uv
 */
export async function runPythonClient({ url, masterKey }: Server): Promise<Result | undefined> {
  if (!(await run("uv", ["--version"]).catch(() => undefined))) return undefined;
  await rm(folder, { recursive: true, force: true });
  const generate = ["generate", "--path", documentPath, "--output-path", folder];
  const options = ["--config", inPackage("python/generator.yaml"), "--fail-on-warning"];
  try {
    await run("uv", ["tool", "run", `${generator.tool}@${generator.version}`, ...generate, ...options]);
    const tour = inPackage("python/tour.py");
    const { stdout } = await run("uv", ["run", "--script", tour, folder, url, masterKey]);
    return { ...generator, operations: Number(stdout), violations: [] };
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    return { ...generator, operations: 0, violations: [`${stdout}${stderr}` || String(error)] };
  }
}

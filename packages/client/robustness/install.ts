import { execFile } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

export const cache = join(import.meta.dirname, "../node_modules/.cache/robustness");

/** Installs packages from npm into a folder of their own, unless they are there, and returns its `node_modules`. */
export async function install(name: string, packages: readonly string[]): Promise<string> {
  const prefix = join(cache, name);
  const modules = join(prefix, "node_modules");
  if (existsSync(join(modules, ".package-lock.json"))) return modules;
  mkdirSync(prefix, { recursive: true });
  const options = ["--prefix", prefix, "--no-audit", "--no-fund"];
  await promisify(execFile)("npm", ["install", ...options, ...packages]);
  return modules;
}

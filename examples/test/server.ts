import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

/** The server as it ships, with its embedded PostgreSQL, for the time of the run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "madang-examples-"));
  const program = createRequire(import.meta.url)
    .resolve("@madang/server/package.json")
    .replace("package.json", "dist/main.js");
  const server = spawn(process.execPath, [program, "start"], {
    env: { PATH: process.env.PATH, PORT: "0", MADANG_DATA_DIR: folder, LOG_LEVEL: "warn" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let output = "";
    server.stdout.on("data", (chunk) => {
      output += chunk;
      const [found] = /http:\/\/[\d.:]+/.exec(output) ?? [];
      if (found !== undefined && output.includes("Try it")) resolve(found);
    });
    server.once("exit", (code) => reject(new Error(`The server ended with ${code} before it listened.`)));
  });
  project.provide("url", url);
  project.provide("masterKey", (await readFile(join(folder, "master-key"), "utf8")).trim());
  return async () => {
    const ended = new Promise((resolve) => server.once("exit", resolve));
    server.kill("SIGTERM");
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
}

declare module "vitest" {
  interface ProvidedContext {
    url: string;
    masterKey: string;
  }
}

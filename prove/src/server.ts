import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface Server {
  readonly url: string;
  readonly masterKey: string;
  stop(): Promise<void>;
}

/** The server as it ships, on an embedded PostgreSQL that is thrown away afterwards. */
export async function startServer(): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), "madang-prove-"));
  const program = fileURLToPath(new URL("../node_modules/@madang/server/dist/main.js", import.meta.url));
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
  return {
    url,
    masterKey: (await readFile(join(folder, "master-key"), "utf8")).trim(),
    async stop() {
      const ended = new Promise((resolve) => server.once("exit", resolve));
      server.kill("SIGTERM");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

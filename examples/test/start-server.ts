import { spawn } from "node:child_process";
import { chmod, mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Server {
  readonly url: string;
  readonly masterKey: string;
  stop(): Promise<void>;
}

/** Starts the built server on an embedded PostgreSQL. `stop` deletes the data. */
export async function startServer(settings: Readonly<Record<string, string>> = {}): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), "madang-served-"));
  // As root, the server runs PostgreSQL as another user, which needs access.
  await chmod(folder, 0o755);
  const program = createRequire(import.meta.url)
    .resolve("@madang/server/package.json")
    .replace("package.json", "dist/main.js");
  const server = spawn(process.execPath, [program, "start"], {
    env: { PATH: process.env.PATH, PORT: "0", MADANG_DATA_DIR: folder, LOG_LEVEL: "warn", ...settings },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let output = "";
    server.stdout.on("data", (chunk) => {
      output += chunk;
      const [found] = /http:\/\/[\d.:]+/.exec(output) ?? [];
      if (found !== undefined && output.includes('"listening"')) resolve(found);
    });
    server.once("exit", (code) => reject(new Error(`The server exited with ${code} before it listened.`)));
  });
  return {
    url,
    masterKey: (await readFile(join(folder, "master-key"), "utf8")).trim(),
    async stop() {
      const ended = new Promise((resolve) => server.once("exit", resolve));
      server.kill("SIGTERM");
      await ended;
      // If that user still has no access, the data is elsewhere, and the folder contains a link.
      const outside = await realpath(join(folder, "outside")).catch(() => folder);
      for (const each of [outside, folder]) await rm(each, { recursive: true, force: true });
    },
  };
}

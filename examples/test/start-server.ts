import { type ChildProcess, spawn } from "node:child_process";
import { chmod, mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Server {
  readonly url: string;
  readonly masterKey: string;
  /** The environment of a command that uses it. */
  readonly env: Readonly<Record<string, string>>;
  /** Ends the process at once. */
  kill(): Promise<void>;
  /** Starts it again on the same port and the same data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const built = createRequire(import.meta.url)
  .resolve("@madang/server/package.json")
  .replace("package.json", "dist/main.js");

/** Starts the built server, or an installed one, on an embedded PostgreSQL. `stop` deletes the data. */
export async function startServer(
  settings: Readonly<Record<string, string>> = {},
  program = built,
): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), "madang-served-"));
  // As root, the server runs PostgreSQL as another user, which needs access.
  await chmod(folder, 0o755);
  const launch = (port: string) =>
    launchServer(program, { PORT: port, MADANG_DATA_DIR: folder, ...settings });
  let server = await launch("0");
  const masterKey = (await readFile(join(folder, "master-key"), "utf8")).trim();
  const { url } = server;
  return {
    url,
    masterKey,
    env: { PATH: process.env.PATH ?? "", HOME: folder, MADANG_URL: url, MADANG_API_KEY: masterKey },
    kill: () => end(server.child, "SIGKILL"),
    async restart() {
      server = await launch(new URL(url).port);
    },
    async stop() {
      await end(server.child, "SIGTERM");
      // If that user still has no access, the data is elsewhere, and the folder contains a link.
      const outside = await realpath(join(folder, "outside")).catch(() => folder);
      for (const each of [outside, folder]) await rm(each, { recursive: true, force: true });
    },
  };
}

async function launchServer(
  program: string,
  settings: Readonly<Record<string, string>>,
): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [program, "start"], {
    env: { PATH: process.env.PATH, LOG_LEVEL: "warn", ...settings },
    // Not inherited: if a test fails before it stops the server, what started the tests would wait for the end of its output.
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stderr.pipe(process.stderr);
  const url = await new Promise<string>((resolve, reject) => {
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
      const [found] = /http:\/\/[\d.:]+/.exec(output) ?? [];
      if (found !== undefined && output.includes('"listening"')) resolve(found);
    });
    child.once("exit", (code) =>
      reject(new Error(`The server exited with ${code} before it listened.\n${output}`)),
    );
  });
  return { url, child };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  await ended;
}

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root, shell } from "./step.mjs";

/** Starts the built server with the settings of `.env`, on the Node that the repository installs. Signals go to the server. */
export function startServer(nodeOptions = []) {
  const envFile = existsSync(join(root, ".env")) ? ["--env-file=.env"] : [];
  const args = [...nodeOptions, ...envFile, "apps/server/dist/main.js", "start", "--migrate"];
  const server = spawn("node", args, { cwd: root, stdio: "inherit", shell });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => server.kill(signal));
  // npm passes a signal only to its shell, which exits and leaves this process behind.
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || server.kill("SIGTERM"), 250).unref();
  server.on("exit", (code, signal) => {
    process.exitCode = code ?? (signal === null ? 1 : 0);
  });
  return server;
}

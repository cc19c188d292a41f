// What `npm start` does on a fresh clone: install, build, serve. Plain Node, which is all there is by then.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root, shell, step } from "./step.mjs";

step("npm", ["run", "--silent", "setup"]);
step("turbo", ["run", "build", "--filter=@madang/server", "--output-logs=errors-only"]);

// From here on `node` is the one that the repository brings. Signals go to the server, which ends in good order.
const envFile = existsSync(join(root, ".env")) ? ["--env-file=.env"] : [];
const server = spawn("node", [...envFile, "apps/server/dist/main.js", "start", "--migrate"], {
  cwd: root,
  stdio: "inherit",
  shell,
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => server.kill(signal));
// npm passes a signal to its shell only, which dies and leaves us behind: then the answer is the same.
const parent = process.ppid;
setInterval(() => process.ppid === parent || server.kill("SIGTERM"), 250).unref();
server.on("exit", (code, signal) => {
  process.exitCode = code ?? (signal === null ? 1 : 0);
});

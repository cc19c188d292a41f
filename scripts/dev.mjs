// What `npm run dev` does: installs, builds and serves like `npm start`, then rebuilds what changes and restarts the server.
import { spawn } from "node:child_process";
import { startServer } from "./start-server.mjs";
import { root, shell, step } from "./step.mjs";

const build = ["build", "--filter=@madang/server"];
step("npm", ["run", "--silent", "setup"]);
step("turbo", ["run", ...build, "--output-logs=errors-only"]);

const server = startServer(["--watch", "--watch-preserve-output"]);
// Turborepo rebuilds a changed package and those that depend on it; Node restarts the server when its files change.
const builder = spawn("turbo", ["watch", ...build, "--output-logs=errors-only"], {
  cwd: root,
  shell,
  stdio: ["ignore", "inherit", "inherit"],
});
server.on("exit", () => builder.kill("SIGTERM"));

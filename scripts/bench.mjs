// What `npm run bench -- [options]` does on a fresh clone: install, build, measure.
import { startNode } from "./start-node.mjs";
import { step } from "./step.mjs";

step("npm", ["run", "--silent", "setup"]);
step("turbo", [
  "run",
  "build",
  "--filter=@madang/server",
  "--filter=@madang/cli",
  "--filter=@madang/bench",
  "--output-logs=errors-only",
]);
startNode(["bench/dist/main.js", ...process.argv.slice(2)]);

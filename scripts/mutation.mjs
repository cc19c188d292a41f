// What `npm run mutation` does: changes each rule and reports the changes that no test detects. Stryker is installed only
// for this command (decision 47), in the server's node_modules, where it finds our Vitest.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, step } from "./step.mjs";

const version = "10.1.1";
const home = join(root, "apps", "server", "node_modules", ".mutation", version);

step("npm", ["run", "--silent", "setup"]);
step("turbo", ["run", "build", "--filter=@madang/contract", "--output-logs=errors-only"]);
if (!existsSync(join(home, "node_modules"))) {
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "package.json"), '{"private":true}');
  const tools = ["core", "vitest-runner"].map((name) => `@stryker-mutator/${name}@${version}`);
  // Without its peer dependencies: a second Vitest would not run our tests.
  step("npm", [
    "install",
    "--prefix",
    home,
    "--legacy-peer-deps",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    ...tools,
  ]);
}
for (const folder of ["packages/contract", "apps/server"])
  step("node", [join(home, "node_modules/@stryker-mutator/core/bin/stryker.js"), "run"], join(root, folder));

// What `npm start`, `npm test` and the other commands of the root do on a fresh clone, with plain Node.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reportTests } from "./report-tests.mjs";
import { root, runNode, shell, startServer, step } from "./step.mjs";

const [name, ...options] = process.argv.slice(2);
const server = ["build", "--filter=@madang/server", "--output-logs=errors-only"];

const commands = {
  start() {
    turbo(...server);
    startServer();
  },
  dev() {
    turbo(...server);
    const running = startServer(["--watch", "--watch-preserve-output"]);
    // Turborepo rebuilds a changed package and those that depend on it; Node restarts the server when its files change.
    const stdio = ["ignore", "inherit", "inherit"];
    const builder = spawn("turbo", ["watch", ...server], { cwd: root, shell, stdio });
    // Vite serves the console from its sources, reloads it when they change, and passes its requests on to the server.
    const env = { ...process.env, MADANG_URL: process.env.MADANG_URL ?? `http://127.0.0.1:${readPort()}` };
    const page = spawn("pnpm", ["run", "dev"], { cwd: join(root, "apps/console"), shell, stdio, env });
    running.on("exit", () => {
      builder.kill("SIGTERM");
      page.kill("SIGTERM");
    });
  },
  // Turborepo skips what did not change.
  test() {
    const lint = { name: "lint", command: ["biome", "ci", "--error-on-warnings", "."] };
    const rest = ["typecheck", "build", "test", "test:repository", "--concurrency=2"];
    reportTests(
      ["short", "repository"],
      [lint, { name: "types, build and tests", command: testWith(...rest) }],
    );
  },
  "test:long"() {
    const long = { name: "long tests", command: testWith("test:long", "--concurrency=2") };
    // It follows `npm test`: the results are those of both.
    reportTests(["short", "repository", "long"], [long]);
  },
  chaos() {
    const suites = ["server", "cli", "bench"].map((each) => `--filter=@madang/${each}`);
    // One suite after the other: each needs the machine.
    turbo("chaos", ...suites, "--output-logs=new-only", "--env-mode=loose", "--concurrency=1");
  },
  cluster() {
    if (process.env.MADANG_TEST_CITUS === undefined)
      process.stdout.write(
        "Skipped: MADANG_TEST_CITUS is not set. Install PostgreSQL with Citus 13.2, and set it to the folder that pg_config --bindir prints.\n",
      );
    else turbo("cluster", "--filter=@madang/server", "--output-logs=new-only", "--env-mode=loose");
  },
  /** The packed packages on the Node that is installed here: the workflow chooses the oldest that they declare. */
  oldest() {
    turbo("build", "compile", ...["server", "cli", "react"].map((each) => `--filter=@madang/${each}`));
    const vitest = ["exec", "vitest", "run", "--config", "vitest.chaos.config.ts", "--project", "chaos"];
    step("pnpm", [...vitest, "test/process/oldest-node.test.ts"], join(root, "apps/server"));
  },
  /** A project with the packages of this clone. */
  create() {
    turbo(
      "build",
      ...["client", "react"].map((each) => `--filter=@madang/${each}`),
      "--filter=create-madang",
      "--output-logs=errors-only",
    );
    const packages = mkdtempSync(join(tmpdir(), "madang-packages-"));
    for (const name of ["client", "react"])
      step("pnpm", ["--silent", "--filter", `@madang/${name}`, "pack", "--pack-destination", packages]);
    const key = join(root, ".madang/master-key");
    const known = existsSync(key) ? ["--key-file", key] : [];
    const program = join(root, "packages/create-madang/dist/main.js");
    step("node", [program, ...options, "--packages", packages, ...known], process.env.INIT_CWD);
    rmSync(packages, { recursive: true });
  },
  interop() {
    turbo("build", "generate", "--filter=@madang/interop...", "--output-logs=errors-only");
    step("node", ["interop/src/main.ts"]);
  },
  bench() {
    const packages = ["server", "cli", "bench"].map((each) => `--filter=@madang/${each}`);
    turbo("build", ...packages, "--output-logs=errors-only");
    runNode(["bench/dist/main.js", ...options]);
  },
  /** Changes each rule and reports the changes that no test detects. */
  mutation() {
    turbo("build", "--filter=@madang/contract", "--output-logs=errors-only");
    const stryker = installStryker("10.1.1");
    for (const folder of ["packages/contract", "apps/server"])
      step("node", [stryker, "run"], join(root, folder));
  },
};

// Starting needs no package of the command line, the benchmarks and the third-party tools. The examples have none of their own.
const started = ["madang", "@madang/server...", "@madang/example-chat..."];
// Next.js has 300 MB, for one long test.
const installed = { start: started, dev: started, create: [...started, "create-madang"], "test:long": [] }[
  name
] ?? ["!@madang/example-next"];
step("npm", ["run", "--silent", "setup", "--", ...installed.flatMap((each) => ["--filter", each])]);
commands[name]();

function turbo(...args) {
  step("turbo", ["run", ...args]);
}

function testWith(...args) {
  return ["turbo", "run", ...args, "--output-logs=new-only", "--continue=dependencies-successful"];
}

/** The port of the server, which may be in `.env`. */
function readPort() {
  const file = join(root, ".env");
  const [, port] = /^PORT=(\d+)/m.exec(existsSync(file) ? readFileSync(file, "utf8") : "") ?? [];
  return process.env.PORT ?? port ?? 3000;
}

/** Only this command needs it (docs/decisions/contract.md). It is in the server's node_modules, where it finds our Vitest. */
function installStryker(version) {
  const home = join(root, "apps", "server", "node_modules", ".mutation", version);
  if (!existsSync(join(home, "node_modules"))) {
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, "package.json"), '{"private":true}');
    const tools = ["core", "vitest-runner"].map((tool) => `@stryker-mutator/${tool}@${version}`);
    // Without its peer dependencies: a second Vitest would not run our tests.
    const flags = ["--legacy-peer-deps", "--ignore-scripts", "--no-audit", "--no-fund"];
    step("npm", ["install", "--prefix", home, ...flags, ...tools]);
  }
  return join(home, "node_modules/@stryker-mutator/core/bin/stryker.js");
}

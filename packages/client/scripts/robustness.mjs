// `pnpm run robustness [name …]`: the robustness suite on every runtime, each installed from npm into its own cache.
import { execFile, spawn } from "node:child_process";
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "tsup";
import { cache, install } from "../robustness/install.ts";

const run = promisify(execFile);
const here = join(import.meta.dirname, "../robustness");
const selected = process.argv.slice(2);
const runtimes = JSON.parse(readFileSync(join(here, "runtimes.json"), "utf8")).filter(
  ({ name }) => selected.length === 0 || selected.includes(name),
);

await build({
  entry: ["main", "worker", "serve"].map((name) => join(here, `${name}.ts`)),
  format: "esm",
  splitting: false,
  target: "es2022",
  outDir: cache,
  noExternal: [/./],
  config: false,
  silent: true,
  // The published code is tested.
  esbuildPlugins: [
    {
      name: "built-client",
      setup: ({ onResolve }) => {
        onResolve({ filter: /\.\.\/src\/index$/ }, () => ({ path: join(here, "../dist/index.js") }));
        onResolve({ filter: /\.\.\/src\/events\/verify-webhook$/ }, () => ({
          path: join(here, "../dist/webhooks.js"),
        }));
      },
    },
  ],
});
copyFileSync(join(here, "workerd.capnp"), join(cache, "workerd.capnp"));
const { startFaultyServer } = await import(join(cache, "serve.js"));

let hasFailed = false;
for (const runtime of runtimes) {
  const server = await startFaultyServer();
  try {
    const { package: name, version } = runtime;
    const bin = join(await install(`${name}-${version}`, [`${name}@${version}`]), ".bin", name);
    const { stdout } = await run(bin, ["--version"]);
    const outcomes = await (runtime.package === "workerd" ? runWorkerd : runScript)(bin, runtime, server.url);
    const faults = outcomes.filter(({ fault }) => fault !== undefined);
    console.log(
      `${runtime.name} (${stdout.trim().split("\n")[0]}): ${outcomes.length - faults.length} of ${outcomes.length}`,
    );
    for (const { name, fault } of faults) console.log(`  ${name}\n    ${fault}`);
    hasFailed ||= faults.length > 0;
  } catch (error) {
    hasFailed = true;
    console.log(`${runtime.name}: did not run. ${error.message}`);
  }
  server.close();
}
process.exit(hasFailed ? 1 : 0);

async function runScript(bin, { package: name }, url) {
  const flags = name === "deno" ? ["run", "--allow-all", "--no-config"] : [];
  const { stdout } = await run(bin, [...flags, join(cache, "main.js"), url], { timeout: 120_000 });
  return JSON.parse(stdout);
}

async function runWorkerd(bin, _runtime, url) {
  // workerd reports its port on a pipe.
  const child = spawn(bin, ["serve", join(cache, "workerd.capnp"), "--control-fd=3"], {
    stdio: ["ignore", "ignore", "inherit", "pipe"],
  });
  try {
    const port = await new Promise((resolve, reject) => {
      child.on("exit", (code) => reject(new Error(`workerd ended with ${code}`)));
      child.stdio[3].on("data", (chunk) => {
        for (const line of String(chunk).split("\n").filter(Boolean)) {
          const event = JSON.parse(line);
          if (event.event === "listen") resolve(event.port);
        }
      });
    });
    const response = await fetch(`http://127.0.0.1:${port}/?server=${encodeURIComponent(url)}`);
    return await response.json();
  } finally {
    child.kill();
  }
}

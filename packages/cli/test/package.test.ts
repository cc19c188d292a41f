import { execFile, execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createFolder } from "./support/folder";
import { pack } from "./support/install-packed";
import { startRecordingServer } from "./support/recording-server";

const root = join(import.meta.dirname, "..");
const bins = [join(root, "node_modules/.bin"), join(root, "../../node_modules/.bin"), process.env.PATH].join(
  delimiter,
);
const key = "mk_only-for-tests-0123456789";

const kim = { user_id: "kim_01", name: "김민준", meta: {}, created_at: 1, updated_at: 1 };
const server = await startRecordingServer(() => ({ status: 200, body: kim }));
const folder = createFolder();
const installed = join(folder, "global/bin/madang");
/** With the Node of the machine, not the one that runs the tests. */
const machinePath = (process.env.PATH ?? "")
  .split(delimiter)
  .filter((path) => !path.includes("node_modules"))
  .join(delimiter);
let tarball = "";
beforeAll(() => {
  tarball = pack("packages/cli", folder);
});
afterAll(server.close);

test("publint finds nothing, and nothing has to be installed with the package", () => {
  execFileSync("publint", ["--strict", tarball], { env: { ...process.env, PATH: bins }, stdio: "pipe" });
  execFileSync("tar", ["-xzf", tarball, "-C", folder]);
  const manifest = JSON.parse(readFileSync(join(folder, "package/package.json"), "utf8"));
  expect(manifest).not.toHaveProperty("dependencies");
  expect(manifest).not.toHaveProperty("optionalDependencies");
});

test("the licences of what is bundled are published with it", () => {
  const notices = readFileSync(join(root, "dist/THIRD-PARTY-NOTICES.md"), "utf8");
  for (const name of ["commander", "@clack/prompts", "@clack/core", "fast-string-width", "sisteransi", "zod"])
    expect(notices).toContain(`## ${name} `);
  expect(notices).toContain("Sindre Sorhus");
  // Only commands that check rows load it: it would double the size of the file that every command loads.
  expect(readFileSync(join(root, "dist/command.js"), "utf8")).not.toContain("ZodType");
});

test("the guide installs the packed file as madang", async () => {
  const guide = readFileSync(join(root, "../../docs/guides/command-line.md"), "utf8");
  const [, pack = "", install = ""] = /```sh\n(.+)\n(.+)\nmadang login\n```/.exec(guide) ?? [];
  expect(pack).toBe('npx pnpm --filter @madang/cli pack --pack-destination "$PWD"');
  const env = {
    HOME: folder,
    PATH: machinePath,
    npm_config_offline: "true",
    npm_config_cache: join(folder, "cache"),
    npm_config_prefix: join(folder, "global"),
  };
  const { stdout } = await promisify(execFile)("sh", ["-euc", `${install} >&2\n"$0" --version`, installed], {
    cwd: folder,
    env,
  });
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test("npx runs the packed file without a registry", async () => {
  const env = {
    HOME: folder,
    PATH: machinePath,
    npm_config_offline: "true",
    npm_config_cache: join(folder, "cache"),
    MADANG_URL: server.url,
    MADANG_API_KEY: key,
  };
  const args = ["--yes", `file:${tarball}`, "users", "get", "kim_01", "--json"];
  const { stdout } = await promisify(execFile)("npx", args, { cwd: folder, env });
  expect(JSON.parse(stdout)).toEqual(kim);
  expect(server.requests.at(-1)?.headers["user-agent"]).toMatch(/^madang-cli\/\d/);
});

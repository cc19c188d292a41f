import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type Block, listBlocks, pages, root } from "./pages";

/** The blocks that no test runs. Each states the reason in the comment before it. */
const notRun = {
  "README.md": ["npm start", "cd ../my-app"],
  "docs/guides/installing.md": ["sudo npm install"],
  "docs/architecture.md": [" SDK"],
  "docs/guides/deploying.md": ["docker build"],
  "docs/guides/distributing.md": [
    "shared_preload_libraries",
    "CREATE EXTENSION",
    "# pg_hba.conf",
    "DATABASE_URL=",
  ],
  "docs/measurements/README.md": ["npm run bench"],
  "packages/client/README.md": ["npm install @madang/client"],
  "docs/guides/migrating.md": ["madang import", "node guides/from-sendbird.ts"],
  "docs/guides/command-line.md": ["madang search", "madang tail", "madang export"],
  "docs/guides/erase-a-person.md": [
    "madang export-person",
    "madang-server erasures",
    "madang-server migrate --erase",
  ],
  "docs/guides/audit-log.md": ["madang-server audit verify"],
  "packages/cli/README.md": ["npx @madang/cli"],
};
const blocks = pages.flatMap((page) => listBlocks(page));

test.each(blocks)("$page, line $line: a test runs the block, or a comment says why not", (block) => {
  const [, verb, target = ""] = /^<!-- (sample:|run by|not run:|samples\/)(.+) -->$/.exec(block.marker) ?? [];
  if (verb === "sample:") return expectSample(block, target.trim());
  // The README of a package names its samples from there.
  if (verb === "samples/") return expectSample(block, block.page.replace(/[^/]*$/, `samples/${target}`));
  if (verb === "run by") {
    const path = new URL(target.trim(), root);
    expect(existsSync(path), `${target} is missing`).toBe(true);
    expect(readFileSync(path, "utf8"), `${target} does not read the page`).toContain(basename(block.page));
    return;
  }
  expect(block.marker, "the comment before a block names the test that runs it").toMatch(
    /^<!-- not run: .{10,} -->$/,
  );
  const [firstLine = ""] = block.code.split("\n");
  const allowed: readonly string[] = Object.entries(notRun).find(([page]) => page === block.page)?.[1] ?? [];
  expect(allowed.some((prefix) => firstLine.startsWith(prefix))).toBe(true);
});

function expectSample({ code }: Block, path: string): void {
  expect(readFileSync(new URL(path, root), "utf8")).toContain(code);
  expect(code, "a sample starts with a complete statement").toMatch(/^\S/);
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "madang-blocks-"));
  mkdirSync(join(folder, ".madang"));
  writeFileSync(join(folder, ".madang/master-key"), `${inject("masterKey")}\n`);
});
afterAll(() => rmSync(folder, { recursive: true }));

test("README.md: curl lists the users with the key from the data folder", async () => {
  const stdout = await runShell(findBlock("README.md", "export MADANG_URL"), folder);
  expect(JSON.parse(stdout)).toHaveProperty("users");
});

test.each(["docs/guides/getting-started.md", "examples/README.md"])(
  "%s: the shell variables contain the URL and the key of the service",
  async (page) => {
    const exports = findBlock(page, "export MADANG_URL");
    const stdout = await runShell(`${exports}echo "$MADANG_URL $MADANG_API_KEY"`, folder);
    expect(stdout).toBe(`${inject("url")} ${inject("masterKey")}\n`);
  },
);

test.each([
  ["README.md", "안녕하세요"],
  ["examples/README.md", "created the channel"],
])("%s: an example runs from the repository root, and runs again", async (page, output) => {
  // The tests depend on the build, so its command does not run here.
  const [build = "", ...commands] = findBlock(page, "npx turbo").split("\n");
  expect(build).toBe("npx turbo run build --filter=@madang/client");
  for (let run = 0; run < 2; run++)
    expect(await runShell(commands.join("\n"), fileURLToPath(root))).toContain(output);
});

function findBlock(page: string, prefix: string): string {
  const found = blocks.filter((block) => block.page === page && block.code.startsWith(prefix));
  expect(found).toHaveLength(1);
  return found[0]?.code ?? "";
}

async function runShell(code: string, cwd: string): Promise<string> {
  const script = code.replaceAll("http://127.0.0.1:3000", inject("url"));
  const env = { ...process.env, MADANG_URL: inject("url"), MADANG_API_KEY: inject("masterKey") };
  const { stdout } = await promisify(execFile)("sh", ["-euc", script], { cwd, env });
  return stdout;
}

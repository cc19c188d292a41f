import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type Block, listBlocks, pages, root } from "./pages";

/** The blocks that nobody runs: a further one is named here, and says why before it. */
const notRun = {
  "README.md": ["npm start", "npm test"],
  "docs/architecture.md": [" SDK"],
  "docs/performance.md": ["npm run bench"],
  "packages/client/README.md": ["npm install @madang/client"],
};
const blocks = pages.flatMap((page) => listBlocks(page));

test.each(blocks)("$page, line $line: what is shown is run, or says why it is not", (block) => {
  const [, verb, said = ""] = /^<!-- (sample:|run by|not run:|samples\/)(.+) -->$/.exec(block.marker) ?? [];
  if (verb === "sample:") return expectSample(block, said.trim());
  // The README of a package names its samples from there.
  if (verb === "samples/") return expectSample(block, block.page.replace(/[^/]*$/, `samples/${said}`));
  if (verb === "run by") {
    const path = new URL(said.trim(), root);
    expect(existsSync(path), `${said} is missing`).toBe(true);
    expect(readFileSync(path, "utf8"), `${said} does not read the page`).toContain(basename(block.page));
    return;
  }
  expect(block.marker, "who runs it stands before a block").toMatch(/^<!-- not run: .{10,} -->$/);
  const [firstLine = ""] = block.code.split("\n");
  const allowed: readonly string[] = Object.entries(notRun).find(([page]) => page === block.page)?.[1] ?? [];
  expect(allowed.some((beginning) => firstLine.startsWith(beginning))).toBe(true);
});

function expectSample({ code }: Block, path: string): void {
  expect(readFileSync(new URL(path, root), "utf8")).toContain(code);
  expect(code, "a sample begins with a whole statement").toMatch(/^\S/);
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "madang-blocks-"));
  mkdirSync(join(folder, ".madang"));
  writeFileSync(join(folder, ".madang/master-key"), `${inject("masterKey")}\n`);
});
afterAll(() => rmSync(folder, { recursive: true }));

test("README.md: a user is created with curl and the key of the data folder", async () => {
  const stdout = await runShell(findBlock("README.md", "curl"), folder);
  expect(JSON.parse(stdout)).toMatchObject({ user_id: "kim_01", name: "Kim" });
});

test("getting-started.md: the shell is told where the service is", async () => {
  const exports = findBlock("docs/guides/getting-started.md", "export MADANG_URL");
  const stdout = await runShell(`${exports}echo "$MADANG_URL $MADANG_API_KEY"`, folder);
  expect(stdout).toBe(`${inject("url")} ${inject("masterKey")}\n`);
});

test("examples/README.md: an example is run from the root", async () => {
  // What the first command builds is built: these tests stand on it.
  const [build = "", ...commands] = findBlock("examples/README.md", "npx").split("\n");
  expect(build).toBe("npx turbo run build --filter=@madang/client");
  const stdout = await runShell(commands.join("\n"), fileURLToPath(root));
  expect(stdout).toContain("created the channel");
});

function findBlock(page: string, beginning: string): string {
  const found = blocks.filter((block) => block.page === page && block.code.startsWith(beginning));
  expect(found).toHaveLength(1);
  return found[0]?.code ?? "";
}

async function runShell(code: string, cwd: string): Promise<string> {
  const here = code.replaceAll("http://127.0.0.1:3000", inject("url"));
  const env = { ...process.env, MADANG_URL: inject("url"), MADANG_API_KEY: inject("masterKey") };
  const { stdout } = await promisify(execFile)("sh", ["-euc", here], { cwd, env });
  return stdout;
}

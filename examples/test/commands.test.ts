import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { listBlocks, root } from "./pages";

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

test("docs/guides/getting-started.md: the shell variables contain the URL and the key of the service", async () => {
  const exports = findBlock("docs/guides/getting-started.md", "export MADANG_URL");
  const stdout = await runShell(`${exports}echo "$MADANG_URL $MADANG_API_KEY"`, folder);
  expect(stdout).toBe(`${inject("url")} ${inject("masterKey")}\n`);
});

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
  const found = listBlocks(page).filter(({ code }) => code.startsWith(prefix));
  expect(found).toHaveLength(1);
  return found[0]?.code ?? "";
}

async function runShell(code: string, cwd: string): Promise<string> {
  const script = code.replaceAll("http://127.0.0.1:3000", inject("url"));
  const env = { ...process.env, MADANG_URL: inject("url"), MADANG_API_KEY: inject("masterKey") };
  const { stdout } = await promisify(execFile)("sh", ["-euc", script], { cwd, env });
  return stdout;
}

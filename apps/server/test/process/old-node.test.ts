import { spawnSync } from "node:child_process";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const program = new URL("../../dist/main.js", import.meta.url);

test("an old Node prints one sentence, before anything is imported that it does not have", async () => {
  const folder = await mkdtemp(join(tmpdir(), "madang-old-node-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  // Alone: importing the command would fail.
  await copyFile(program, join(folder, "main.js"));
  const old =
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })";
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(old)}`, "main.js", "--help"],
    { cwd: folder, encoding: "utf8" },
  );
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: "",
    stderr: "madang-server needs Node 22.15 or later, and this is Node 20.20.2.\n",
  });
});

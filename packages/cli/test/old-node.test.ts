import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { engines } from "../package.json";
import { explainOldNode, neededNode } from "../src/terminal/node-version";

test.each([
  ["18.20.8", true],
  ["20.9.0", true],
  ["20.12.0", false],
  ["24.0.0", false],
])("Node %s is too old: %s", (running, isTooOld) => {
  const text = `madang needs Node 20.12 or later, and this is Node ${running}.`;
  expect(explainOldNode(running)).toBe(isTooOld ? text : undefined);
});

test("the package needs the same Node", () => {
  expect(engines.node).toBe(`>=${neededNode}`);
});

test("an old Node prints one sentence, before anything is imported that it does not have", () => {
  const folder = mkdtempSync(join(tmpdir(), "madang-old-node-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  // Without the command: importing it would fail.
  cpSync(join(import.meta.dirname, "../dist"), folder, {
    recursive: true,
    filter: (path) => !path.endsWith("command.js"),
  });
  const old =
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } })";
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(old)}`, "main.js", "--help"],
    { cwd: folder, encoding: "utf8" },
  );
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: "",
    stderr: "madang needs Node 20.12 or later, and this is Node 18.20.8.\n",
  });
});

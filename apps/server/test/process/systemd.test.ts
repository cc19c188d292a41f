import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const guide = new URL("../../../../docs/guides/deploying.md", import.meta.url);
const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;

let folder: string;
let unit: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "madang-unit-"));
  const page = await readFile(guide, "utf8");
  unit = /^```ini\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? "";
});
afterAll(() => rm(folder, { recursive: true }));

async function verify(text: string): Promise<string> {
  const file = join(folder, "madang.service");
  await writeFile(file, text);
  return spawnSync("systemd-analyze", ["verify", "--man=no", file], { encoding: "utf8" }).stderr;
}

test.skipIf(!hasSystemd)(
  "the unit of the deployment guide passes systemd-analyze verify (skipped without systemd)",
  async () => {
    expect(unit).toContain("ExecStart=/usr/local/bin/madang-server start");
    // The program must exist where the unit is verified.
    const here = unit.replace("/usr/local/bin/madang-server", process.execPath);
    expect(await verify(here)).toBe("");
    expect(await verify(here.replace("KillMode", "KilMode"))).toContain("Unknown key");
  },
);

test("the unit waits longer for the end than the server takes, and does not restart with a wrong setting", () => {
  const value = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(unit)?.[1];
  expect(Number(value("TimeoutStopSec"))).toBeGreaterThan(20);
  expect(value("RestartPreventExitStatus")).toBe("2");
});

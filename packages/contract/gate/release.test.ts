import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = join(import.meta.dirname, "../../..");
/** The Node of the project: it runs TypeScript as it is. */
const node = join(root, "node_modules/.bin/node");
let copy: string;

// A release as `npm run version` makes it, of a copy with nothing in it but what it reads.
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "madang-release-"));
  for (const file of ["package.json", "pnpm-workspace.yaml", "pnpm-lock.yaml"])
    cpSync(join(root, file), join(copy, file));
  for (const room of ["packages/contract", "packages/client", "apps/server"]) {
    mkdirSync(join(copy, room), { recursive: true });
    cpSync(join(root, room, "package.json"), join(copy, room, "package.json"));
  }
  for (const part of [".changeset/config.json", ...parts("gate", "scripts", "src", "openapi.json")])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  // The gate imports its packages from here.
  symlinkSync(join(root, "packages/contract/node_modules"), join(copy, "packages/contract/node_modules"));
  // Changesets asks git which commit added a changeset.
  runGit("init", "--quiet", "--initial-branch=main");
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

test("from the first release on, a breaking change needs a major changeset, and is named with its place", () => {
  expect(runGate()).toMatchObject({ code: 0, told: expect.stringContaining("none has been released yet") });
  const before = readVersion();
  addChangeset("first", "minor");
  release();
  expect(readVersion()).not.toBe(before);
  expect(readContract("released/openapi.json")).toEqual(readContract("openapi.json"));
  expect(runGate()).toMatchObject({ code: 0 });

  changeContract((text) => text.replace('"/v1/users/{user_id}/meta"', '"/v1/users/{user_id}/data"'));
  const refused = runGate();
  expect(refused.code).toBe(1);
  expect(refused.told).toMatch(/^breaking {2}(PUT )?\/v1\/users\/\{user_id\}\/meta: /m);
  expect(refused.told).toMatch(/^harmless {2}(PUT )?\/v1\/users\/\{user_id\}\/data: /m);
  addChangeset("not-enough", "minor");
  expect(runGate().code).toBe(1);
  addChangeset("renamed", "major");
  expect(runGate().code).toBe(0);

  release();
  expect(Number.parseInt(readVersion(), 10)).toBe(Number.parseInt(before, 10) + 1);
  expect(readFileSync(join(copy, "packages/contract/CHANGELOG.md"), "utf8")).toContain("A change: renamed.");
  expect(readdirSync(join(copy, ".changeset"))).toEqual(["config.json"]);
  expect(runGate()).toMatchObject({
    code: 0,
    told: expect.stringContaining("The contract equals the released one"),
  });
}, 60_000);

function parts(...names: string[]): string[] {
  return names.map((name) => `packages/contract/${name}`);
}

/** The two steps of `npm run version`, as package.json says them. */
function release(): void {
  const { scripts } = JSON.parse(readFileSync(join(copy, "package.json"), "utf8"));
  const [first, second, ...others] = String(scripts.version).split(" && ");
  expect([first, second, others]).toEqual([
    "changeset version",
    "node packages/contract/scripts/release.ts",
    [],
  ]);
  runGit("add", "--all");
  runGit("commit", "--quiet", "--message", "a change");
  execFileSync(join(root, "node_modules/.bin/changeset"), ["version"], { cwd: copy, stdio: "pipe" });
  execFileSync(node, ["packages/contract/scripts/release.ts"], { cwd: copy });
}

function runGate(): { code: number | null; told: string } {
  const { status, stdout, stderr } = spawnSync(node, ["packages/contract/scripts/gate.ts"], {
    cwd: copy,
    encoding: "utf8",
  });
  return { code: status, told: stdout + stderr };
}

function addChangeset(name: string, kind: "major" | "minor"): void {
  writeFileSync(
    join(copy, ".changeset", `${name}.md`),
    `---\n"@madang/contract": ${kind}\n---\n\nA change: ${name}.\n`,
  );
}

function changeContract(change: (text: string) => string): void {
  const path = join(copy, "packages/contract/openapi.json");
  writeFileSync(path, change(readFileSync(path, "utf8")));
}

function readContract(name: string): unknown {
  return JSON.parse(readFileSync(join(copy, "packages/contract", name), "utf8"));
}

function readVersion(): string {
  return JSON.parse(readFileSync(join(copy, "packages/contract/package.json"), "utf8")).version;
}

function runGit(...args: string[]): void {
  const who = [
    "-c",
    "user.name=release",
    "-c",
    "user.email=release@example.com",
    "-c",
    "commit.gpgsign=false",
  ];
  execFileSync("git", [...who, ...args], { cwd: copy, stdio: "pipe" });
}

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
/** The Node of the project, which runs TypeScript. */
const node = join(root, "node_modules/.bin/node");
let copy: string;

// A release like `npm run version`, in a copy with only the files that it reads.
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "madang-release-"));
  for (const file of ["package.json", "pnpm-workspace.yaml", "pnpm-lock.yaml"])
    cpSync(join(root, file), join(copy, file));
  for (const folder of ["packages/contract", "packages/client", "apps/server"]) {
    mkdirSync(join(copy, folder), { recursive: true });
    cpSync(join(root, folder, "package.json"), join(copy, folder, "package.json"));
  }
  for (const part of [".changeset/config.json", ...parts("gate", "scripts", "src", "openapi.json")])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  // The gate imports its packages from here.
  symlinkSync(join(root, "packages/contract/node_modules"), join(copy, "packages/contract/node_modules"));
  // Changesets reads from git which commit added a changeset.
  runGit("init", "--quiet", "--initial-branch=main");
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

test("after the first release, a breaking change needs a major changeset and is reported with its operation", () => {
  expect(runGate()).toMatchObject({ code: 0, output: expect.stringContaining("none has been released yet") });
  const before = readVersion();
  addChangeset("first", "minor");
  release();
  expect(readVersion()).not.toBe(before);
  expect(readContract("released/openapi.json")).toEqual(readContract("openapi.json"));
  expect(runGate()).toMatchObject({ code: 0 });

  changeContract((text) => text.replace('"/v1/users/{user_id}/meta"', '"/v1/users/{user_id}/data"'));
  const failed = runGate();
  expect(failed.code).toBe(1);
  expect(failed.output).toMatch(/^breaking {2}(PUT )?\/v1\/users\/\{user_id\}\/meta: /m);
  expect(failed.output).toMatch(/^compatible {2}(PUT )?\/v1\/users\/\{user_id\}\/data: /m);
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
    output: expect.stringContaining("The contract equals the released one"),
  });
});

function parts(...names: string[]): string[] {
  return names.map((name) => `packages/contract/${name}`);
}

/** The two steps of `npm run version`, as in package.json. */
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

function runGate(): { code: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(node, ["packages/contract/scripts/gate.ts"], {
    cwd: copy,
    encoding: "utf8",
  });
  return { code: status, output: stdout + stderr };
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
  const identity = [
    "-c",
    "user.name=release",
    "-c",
    "user.email=release@example.com",
    "-c",
    "commit.gpgsign=false",
  ];
  execFileSync("git", [...identity, ...args], { cwd: copy, stdio: "pipe" });
}

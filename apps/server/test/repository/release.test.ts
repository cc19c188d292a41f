import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const root = join(import.meta.dirname, "../../../..");
const folders = ["packages", "apps"].flatMap((parent) =>
  readdirSync(join(root, parent)).map((name) => `${parent}/${name}`),
);
const read = (from: string, folder: string) =>
  JSON.parse(readFileSync(join(from, folder, "package.json"), "utf8"));
const published = folders.filter((folder) => !read(root, folder).private);

test("a release publishes each package for everybody, with the provenance of its repository", () => {
  const copy = mkdtempSync(join(tmpdir(), "madang-release-"));
  onTestFinished(() => rmSync(copy, { recursive: true }));
  for (const folder of folders) {
    mkdirSync(join(copy, folder), { recursive: true });
    cpSync(join(root, folder, "package.json"), join(copy, folder, "package.json"));
  }
  const env = { ...process.env, GITHUB_REPOSITORY: "someone/chat" };
  execFileSync(process.execPath, [join(root, "scripts/set-repository.mjs"), copy], { env });
  expect(published.length).toBeGreaterThan(5);
  for (const directory of published) {
    const { name, publishConfig, repository } = read(copy, directory);
    expect([name, publishConfig]).toEqual([name, { access: "public", provenance: true }]);
    expect(repository).toEqual({ type: "git", url: "git+https://github.com/someone/chat.git", directory });
  }
  expect(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).scripts.release).toContain(
    "node scripts/set-repository.mjs && changeset publish",
  );
});

test("the page on releases names every package that has to exist on npm first", () => {
  const page = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
  const [, section = ""] = /## Release\n([\s\S]*?)(\n## |$)/.exec(page) ?? [];
  const named = new Set(section.match(/@madang\/[a-z-]+|create-madang/g));
  expect([...named].sort()).toEqual(published.map((folder) => read(root, folder).name).sort());
});

import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { type Block, listBlocks, pages, root } from "./pages";

/** The blocks that no test runs. Each states the reason in the comment before it. */
const notRun = {
  "README.md": ["npm start", "npm run create", "cd ../my-app"],
  "docs/guides/installing.md": ["npm run setup", "sudo npm install"],
  "docs/architecture.md": [" SDK"],
  "docs/guides/deploying.md": ["docker build", "location /chat/ {"],
  "docs/guides/distributing.md": [
    "shared_preload_libraries",
    "CREATE EXTENSION",
    "# pg_hba.conf",
    "DATABASE_URL=",
  ],
  "docs/guides/audit-log.md": ["psql"],
  "docs/measurements/README.md": ["npm run bench"],
  "packages/client/README.md": ["npm install @madang/client"],
  "docs/guides/attachments.md": ["madang-server files adopt"],
  "docs/guides/migrating.md": ["madang import", "node guides/from-sendbird.ts"],
  "docs/guides/agents.md": ["madang users create", "claude mcp add", "{"],
  "docs/guides/command-line.md": ["madang search", "madang tail", "madang export"],
  "docs/guides/erase-a-person.md": [
    "madang export-person",
    "madang-server erasures",
    "madang-server migrate --erase",
  ],
  "packages/cli/README.md": ["npx @madang/cli"],
  "packages/create-madang/README.md": ["npm run create"],
  "docs/guides/filters-and-hooks.md": ["export HOOK_SECRET"],
  "examples/expo/README.md": ["npm run create"],
  "packages/create-madang/readmes/expo.md": ["npm install"],
  "packages/create-madang/readmes/vite.md": ["npm install"],
  "packages/create-madang/readmes/next.md": ["npm install"],
};
const blocks = pages.flatMap((page) => listBlocks(page));

test.each(blocks)("$page, line $line: a test runs the block, or a comment says why not", (block) => {
  const [, verb, target = ""] =
    /^ *<!-- (sample:|run by|not run:|samples\/)(.+) -->$/.exec(block.marker) ?? [];
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

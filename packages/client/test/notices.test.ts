import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

test("the licences of the bundled code are published with it", () => {
  const notices = read("THIRD-PARTY-NOTICES.md");
  for (const licence of ["ky/license", "@noble/hashes/LICENSE", "fastest-levenshtein/LICENSE.md"])
    expect(notices).toContain(read(`node_modules/${licence}`).trim());
  expect(JSON.parse(read("package.json")).files).toContain("THIRD-PARTY-NOTICES.md");
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

test("the licence of the bundled code is published with it", () => {
  expect(read("THIRD-PARTY-NOTICES.md")).toContain(read("node_modules/ky/license"));
  expect(JSON.parse(read("package.json")).files).toContain("THIRD-PARTY-NOTICES.md");
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runTool } from "./support/packed";

// The examples run in apps/server/test/journeys/sdk-reference.test.ts.
test("docs/reference.md is up to date with the doc comments of the built types", () => {
  const page = readFileSync(join(import.meta.dirname, "../docs/reference.md"), "utf8");
  const script =
    'import { createReference } from "./scripts/reference.mjs"; process.stdout.write(createReference());';
  expect(page).toBe(runTool("node", ["--input-type=module", "--eval", script]));
});

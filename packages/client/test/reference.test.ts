import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runTool } from "./support/packed";

test("docs/reference.md says what the doc comments of the built types say", () => {
  const page = join(import.meta.dirname, "../docs/reference.md");
  const script =
    'import { createReference } from "./scripts/reference.mjs"; process.stdout.write(createReference());';
  expect(readFileSync(page, "utf8")).toBe(runTool("node", ["--input-type=module", "--eval", script]));
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { files } from "./files.ts";

test.each(Object.entries(files))("src/generated/%s is what the contract says", (name, text) => {
  expect(readFileSync(join(import.meta.dirname, "../src/generated", name), "utf8")).toBe(text);
});

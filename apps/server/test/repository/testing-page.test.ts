import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

const page = new URL("../../../../docs/testing.md", import.meta.url);
const text = await readFile(page, "utf8");
const rows = [...text.matchAll(/^\| [^|]+ \| ([^|]+) \| \[[^\]]+\]\((\S+)\) \|$/gm)].map(
  ([, name = "", file = ""]) => [name, file] as const,
);

test("the table from guarantees to tests has rows", () => {
  expect(rows.length).toBeGreaterThan(10);
});

test.each(rows)("the file of docs/testing.md has the test: %s", async (name, file) => {
  expect(await readFile(new URL(file, page), "utf8")).toContain(name);
});

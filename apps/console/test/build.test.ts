import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

const dist = new URL("../dist/", import.meta.url);
const html = readFileSync(new URL("index.html", dist), "utf8");

test("the page has no inline script and no inline style, and loads only its own files", () => {
  expect(html).not.toMatch(/<style|\sstyle=|<script(?![^>]*\ssrc=)|\son\w+=/);
  const addresses = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = ""]) => address);
  expect(addresses.length).toBeGreaterThan(2);
  expect(addresses.filter((address) => !address.startsWith("./assets/"))).toEqual([]);
});

test.each([
  ["the overview", "overview"],
  ["a conversation", "channel-page"],
])("the page, its style and %s take at most 200 KiB before they can be used", (_, module) => {
  const first = [...html.matchAll(/assets\/[^"]+/g)].map(([file]) => file);
  const entry = readdirSync(new URL("assets/", dist)).find((name) => name.startsWith(`${module}-`));
  const files = new Set([...first, ...importsOf(`assets/${entry}`)]);
  const bytes = [...files].reduce((sum, file) => sum + gzipSync(readFileSync(new URL(file, dist))).length, 0);
  expect(files.size).toBeGreaterThan(3);
  expect(bytes).toBeLessThan(200 * 1_024);
});

/** A file and everything that it imports statically. */
function importsOf(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const code = readFileSync(new URL(file, dist), "utf8");
  for (const [, name = ""] of code.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g))
    importsOf(`assets/${name}`, found);
  return found;
}

import { readFile } from "node:fs/promises";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import * as contract from "./index";

test("every line of the README gives what stands behind it", async () => {
  const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
  const [, sample = ""] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  const lines = [...sample.matchAll(/^(.+); \/\/ (.+)$/gm)];
  expect(lines.length).toBeGreaterThan(4);
  for (const [, expression = "", shown = ""] of lines) {
    const value = JSON.stringify(runInNewContext(expression, contract));
    // An ellipsis stands for the rest of a list.
    const told = shown.includes("…") ? shown.slice(0, shown.indexOf("…")) : shown;
    const expected = shown.includes("…") ? told : JSON.stringify(runInNewContext(`(${told})`));
    expect(value.startsWith(expected.replaceAll(", ", ",")), `${expression} gives ${value}`).toBe(true);
  }
});

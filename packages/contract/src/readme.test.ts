import { readFile } from "node:fs/promises";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import * as contract from "./index";

test("every expression in the README has the value in its comment", async () => {
  const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
  const [, sample = ""] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  const lines = [...sample.matchAll(/^(.+); \/\/ (.+)$/gm)];
  expect(lines.length).toBeGreaterThan(4);
  for (const [, expression = "", shown = ""] of lines) {
    const value = JSON.stringify(runInNewContext(expression, contract));
    // An ellipsis stands for the rest of a list.
    const [prefix = "", ...rest] = shown.split("…");
    const expected = rest.length > 0 ? prefix : JSON.stringify(runInNewContext(`(${prefix})`));
    expect(value.startsWith(expected.replaceAll(", ", ",")), `${expression} is ${value}`).toBe(true);
  }
});

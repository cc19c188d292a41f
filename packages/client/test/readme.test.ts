import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

// The samples run in examples/test/client-readme.test.ts.
const root = join(import.meta.dirname, "..");
const readme = readFileSync(join(root, "README.md"), "utf8");

test("the README lists every method", () => {
  const reference = readFileSync(join(root, "docs/reference.md"), "utf8");
  const methods = [...reference.matchAll(/^### `(chat\.[\w.]+)\(/gm)].map(([, method]) => method);
  const rows = [...readme.matchAll(/^\| `(chat\.[\w.]+)` \| (.+) \|$/gm)];
  const listed = rows.flatMap(([, resource, names = ""]) =>
    [...names.matchAll(/`([\w.]+)`/g)].map(([, name]) => `${resource}.${name}`),
  );
  expect(["chat.request", ...listed].toSorted()).toEqual(methods.toSorted());
});

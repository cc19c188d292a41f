import fc from "fast-check";
import { expect, test } from "vitest";
import { createValueCounter } from "./count-values";

const count = (text: string) => createValueCounter()(Buffer.from(text));

test.each([
  ["", 0],
  ['{"a":1}', 1],
  ['{"a":1,"b":[1,2,3]}', 3],
  ['"a,b[{"', 0],
  [String.raw`["a\",b", "c\\", "d,"]`, 2],
  ["[,,", 2],
  ["[[[[", 4],
  ['{"a":{"b":{"c":[]}}}', 4],
])("%s has at least %i values", (text, values) => {
  expect(count(text)).toBe(values);
});

test("the text may be cut anywhere", () => {
  const text = String.raw`["a\",b", "c\\", "d,", [[[1,2]]]]`;
  for (let cut = 0; cut <= text.length; cut += 1) {
    const counter = createValueCounter();
    counter(Buffer.from(text.slice(0, cut)));
    expect(counter(Buffer.from(text.slice(cut)))).toBe(count(text));
  }
});

test("a text has at least as many values as are counted, and at most twice as many, and one", () => {
  const countAll = (value: unknown): number =>
    typeof value !== "object" || value === null
      ? 1
      : Object.values(value).reduce<number>((sum, part) => sum + countAll(part), 1);
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const text = JSON.stringify(value);
      const values = countAll(JSON.parse(text));
      expect(count(text)).toBeLessThanOrEqual(values);
      expect(values).toBeLessThanOrEqual(2 * count(text) + 1);
    }),
  );
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { createCommaCounter } from "./count-commas";

const count = (text: string) => createCommaCounter()(Buffer.from(text));

test.each([
  ["", 0],
  ['{"a":1}', 0],
  ['{"a":1,"b":[1,2,3]}', 3],
  ['"a,b"', 0],
  [String.raw`["a\",b", "c\\", "d,"]`, 2],
  ["[,,", 2],
])("%s has %i commas outside strings", (text, commas) => {
  expect(count(text)).toBe(commas);
});

test("the text may be cut anywhere", () => {
  const text = String.raw`["a\",b", "c\\", "d,", [1,2]]`;
  for (let cut = 0; cut <= text.length; cut += 1) {
    const counter = createCommaCounter();
    counter(Buffer.from(text.slice(0, cut)));
    expect(counter(Buffer.from(text.slice(cut)))).toBe(count(text));
  }
});

test("every value except the first of its array or object follows a comma", () => {
  const countFurther = (value: unknown): number => {
    if (typeof value !== "object" || value === null) return 0;
    const parts = Object.values(value);
    return Math.max(parts.length - 1, 0) + parts.reduce<number>((sum, part) => sum + countFurther(part), 0);
  };
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(count(text)).toBe(countFurther(JSON.parse(text)));
    }),
  );
});

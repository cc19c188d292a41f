import fc from "fast-check";
import { expect, test } from "vitest";
import { JsonWriter } from "./json-writer";

function write(text: string, usualBytes: number): string {
  const source = Buffer.from(`before${text}after`);
  const writer = new JsonWriter(usualBytes);
  writer.ascii("[");
  writer.string(source, { start: 6, end: source.length - 5 });
  writer.ascii("]");
  return writer.finish().toString();
}

test("a string becomes the very bytes that JSON.stringify makes of it", () => {
  for (const text of ["", '"', "\\", '\\"', "\0\b\t\n\f\r\u001f\u007f", "한글 😀 é\u2028", "</script>"])
    expect(write(text, 8)).toBe(JSON.stringify([text]));
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 1, max: 64 }), (text, usualBytes) => {
      fc.pre(text.isWellFormed());
      expect(write(text, usualBytes)).toBe(JSON.stringify([text]));
    }),
    { numRuns: 2_000 },
  );
});

test("what was written stays when the memory grows", () => {
  const writer = new JsonWriter(1);
  const parts = Array.from({ length: 200 }, (_, index) => `${index},`);
  for (const [index, part] of parts.entries()) {
    if (index % 2 === 0) writer.ascii(part);
    else writer.raw(Buffer.from(part), { start: 0, end: part.length });
  }
  expect(writer.finish().toString()).toBe(parts.join(""));
});

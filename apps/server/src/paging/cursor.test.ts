import fc from "fast-check";
import { expect, test } from "vitest";
import { createCursors } from "./cursor";

const cursors = createCursors(new Uint8Array(32).fill(7));
const content = { name: "김", limit: 15, before: { createdAt: 1_700_000_000_000, pk: 42 } };
const signed = cursors.sign("users", content);

test("a cursor opens to what was signed", () => {
  expect(cursors.open("users", signed, "next")).toEqual(content);
});

test("another process with the same secret opens it", () => {
  expect(createCursors(new Uint8Array(32).fill(7)).open("users", signed, "next")).toEqual(content);
});

test("a cursor does not open in another list or with another secret", () => {
  expect(() => cursors.open("channels", signed, "after")).toThrow(
    "The cursor in after is not from this list",
  );
  expect(() => createCursors(new Uint8Array(32).fill(8)).open("users", signed, "next")).toThrow(
    "not from this list",
  );
});

test("every truncated cursor is rejected", () => {
  for (let length = 0; length < signed.length; length += 1)
    expect(() => cursors.open("users", signed.slice(0, length), "next")).toThrow("not from this list");
});

test("10,000 mutated cursors are rejected", () => {
  const mutation = fc.record({
    index: fc.nat(signed.length - 1),
    character: fc.constantFrom(..."ABCXYZabcxyz0189-_.=+/ \u0000é"),
    isInserted: fc.boolean(),
  });
  fc.assert(
    fc.property(mutation, ({ index, character, isInserted }) => {
      const mutated = signed.slice(0, index) + character + signed.slice(index + (isInserted ? 0 : 1));
      if (mutated !== signed)
        expect(() => cursors.open("users", mutated, "next")).toThrow("not from this list");
    }),
    { numRuns: 10_000 },
  );
});

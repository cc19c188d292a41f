import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import { firstKeySet } from "../security/key-set";
import { createKeyMaker } from "../security/secret";
import { createCursors } from "./cursor";

const secret = Buffer.alloc(32, 7);
/** A service with this first master key. */
const withKey = (masterKey: string) =>
  createCursors(createKeyMaker([masterKey], firstKeySet(masterKey), randomBytes), secret);
const cursors = withKey("mk_first");
const content = { name: "김", limit: 15, before: { createdAt: 1_700_000_000_000, pk: 42 } };
const signed = cursors.sign("users", content);

test("a cursor opens to what was signed", () => {
  expect(cursors.open("users", signed, "next", z.unknown())).toEqual(content);
});

test("another process with the same master key and database opens it", () => {
  expect(withKey("mk_first").open("users", signed, "next", z.unknown())).toEqual(content);
});

test("a cursor does not open in another list, or with the secret of the database alone", () => {
  expect(() => cursors.open("channels", signed, "after", z.unknown())).toThrow(
    "The cursor in after is not from this list",
  );
  expect(() => withKey("mk_guessed").open("users", signed, "next", z.unknown())).toThrow(
    "not from this list",
  );
});

test("signed content that is not what the list signs is rejected", () => {
  const schema = z.object({ limit: z.string() });
  expect(() => cursors.open("users", signed, "next", schema)).toThrow("not from this list");
});

test("every truncated cursor is rejected", () => {
  for (let length = 0; length < signed.length; length += 1)
    expect(() => cursors.open("users", signed.slice(0, length), "next", z.unknown())).toThrow(
      "not from this list",
    );
});

test("1,000 mutated cursors are rejected", () => {
  const mutation = fc.record({
    index: fc.nat(signed.length - 1),
    character: fc.constantFrom(..."ABCXYZabcxyz0189-_.=+/ \u0000é"),
    isInserted: fc.boolean(),
  });
  fc.assert(
    fc.property(mutation, ({ index, character, isInserted }) => {
      const mutated = signed.slice(0, index) + character + signed.slice(index + (isInserted ? 0 : 1));
      if (mutated !== signed)
        expect(() => cursors.open("users", mutated, "next", z.unknown())).toThrow("not from this list");
    }),
    { numRuns: 1_000 },
  );
});

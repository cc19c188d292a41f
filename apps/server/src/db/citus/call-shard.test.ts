import { expect, test } from "vitest";
import { encode } from "./call-shard";

test("values are text as PostgreSQL reads it", () => {
  const values = [null, undefined, 1, true, "a", { b: 1 }, Buffer.from("c"), ['"d"\\', null, ["e"]]];
  expect(values.map(encode)).toEqual([
    null,
    null,
    "1",
    "true",
    "a",
    '{"b":1}',
    "\\x63",
    '{"\\"d\\"\\\\",NULL,"{\\"e\\"}"}',
  ]);
});

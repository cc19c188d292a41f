import { inspect } from "node:util";
import { expect, test } from "vitest";
import { copyCause, redact } from "./secrets";

test("a cause keeps its message but nothing that could contain a request", () => {
  const cause = Object.assign(new Error("socket of sk_1 closed"), {
    code: "ECONNRESET",
    request: { key: "sk_1" },
  });
  const original = new TypeError("fetch failed for sk_1", { cause });
  const copy = copyCause(original, ["sk_1"]);
  expect(copy).toMatchObject({
    name: "TypeError",
    message: "fetch failed for [secret]",
    cause: { message: "socket of [secret] closed", code: "ECONNRESET" },
  });
  expect(inspect(copy, { depth: 20, showHidden: true })).not.toContain("sk_1");
});

test("a short key is not cut out of words, and a long one is wherever it stands", () => {
  expect(redact("the key x has expired: x.", ["x"])).toBe("the key [secret] has expired: [secret].");
  expect(redact("keysk_12345678x", ["sk_12345678"])).toBe("key[secret]x");
});

test("a cause that is its own cause does not loop", () => {
  const error = new Error("loop");
  error.cause = error;
  expect(inspect(copyCause(error, []))).toContain("loop");
});

test("a value that is not an error becomes one", () => {
  expect(copyCause("sk_1 is wrong", ["sk_1"]).message).toBe("[secret] is wrong");
});

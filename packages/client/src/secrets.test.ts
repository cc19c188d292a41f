import { inspect } from "node:util";
import { expect, test } from "vitest";
import { copyCause } from "./secrets";

test("a cause keeps what explains it and nothing that could hold a request", () => {
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

test("a cause that is its own cause ends", () => {
  const error = new Error("circle");
  error.cause = error;
  expect(inspect(copyCause(error, []))).toContain("circle");
});

test("what is no error becomes one", () => {
  expect(copyCause("sk_1 is wrong", ["sk_1"]).message).toBe("[secret] is wrong");
});

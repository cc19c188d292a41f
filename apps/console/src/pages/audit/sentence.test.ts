import { auditedOperations } from "@madang/contract";
import { expect, test } from "vitest";
import { sentenceOf } from "./sentence";
import { sentences } from "./sentences";

test.each(Object.entries(sentences))(
  "in %s, every sentence is about an operation of the contract",
  (_, texts) => {
    expect(Object.keys(texts).filter((id) => !auditedOperations.includes(id))).toEqual([]);
  },
);

test("every language has the same sentences", () => {
  const [first, ...others] = Object.values(sentences).map((texts) => Object.keys(texts).sort());
  for (const names of others) expect(names).toEqual(first);
});

const entry = { entry_id: "1", at: 0, method: "PUT", status: 200, kind: "console", address: "::1" } as const;
const words = { aMessage: "a message", masterKey: "Master key" };

test("a sentence names who did what to whom, and an operation without one is named", () => {
  const suspended = { ...entry, operation: "users.suspend", actor: "Jane Doe", user_id: "kim_01" };
  expect(sentenceOf(suspended, "en", words)).toBe("Jane Doe suspended kim_01");
  expect(sentenceOf({ ...entry, operation: "users.get", key_id: "key_1" }, "en", words)).toBe(
    "key_1: users.get",
  );
});

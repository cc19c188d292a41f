import { expect, test } from "vitest";
import { masterKey, oneOf, operationNames, policy, share, wholeNumber } from "./types";

test.each([
  ["600/60s", { requests: 600, seconds: 60 }],
  ["1/1s", { requests: 1, seconds: 1 }],
  ["999999999/99999s", { requests: 999_999_999, seconds: 99_999 }],
])("%s is a policy", (written, parsed) => {
  expect(policy.parse(written)).toEqual(parsed);
});

test.each([
  "",
  "600",
  "600/60",
  "600/60m",
  "0/60s",
  "600/0s",
  "06/60s",
  "600/06s",
  "-1/60s",
  "6.5/60s",
  "x600/60s",
  "600/60sx",
  " 600/60s",
  "600/60s\n",
  "1000000000/60s",
  "600/100000s",
  "a/60s",
  "600/as",
])("%j is not a policy", (written) => {
  expect(policy.safeParse(written).success).toBe(false);
});

test.each([
  [
    "a whole number",
    wholeNumber(10),
    ["0", "10"],
    ["-1", "11", "1.5"],
    "must be a whole number from 0 to 10.",
  ],
  ["a share", share, ["0", "0.5", "1"], ["-0.1", "1.1", "half"], "must be a number from 0 to 1."],
  ["a choice", oneOf(["on", "off"]), ["on", "off"], ["no"], "must be one of on, off."],
  [
    "a master key",
    masterKey,
    ["x".repeat(16), "~".repeat(512)],
    ["x".repeat(15), "x".repeat(513), ` ${"x".repeat(16)}`, `${"x".repeat(16)} `],
    "must have 16 to 512 visible ASCII characters and no spaces.",
  ],
  [
    "a list of operations",
    operationNames,
    ["healthz, readyz", "users.list,keys.delete,"],
    ["users.list,nothing"],
    'contains "nothing", which is no operation.',
  ],
])("%s has a form, and a message that completes a sentence", (_what, form, valid, invalid, message) => {
  for (const text of valid) expect(form.safeParse(text).success).toBe(true);
  for (const text of invalid) expect(form.safeParse(text).error?.issues[0]?.message).toBe(message);
});

test("a list of operations is a set of names, without the spaces around them", () => {
  expect(operationNames.parse("healthz, users.list,")).toEqual(new Set(["healthz", "users.list"]));
});

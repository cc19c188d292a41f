import { expect, test } from "vitest";
import { parsePolicy } from "./policy";

test.each([
  ["600/60s", { requests: 600, seconds: 60 }],
  ["1/1s", { requests: 1, seconds: 1 }],
  ["999999999/99999s", { requests: 999_999_999, seconds: 99_999 }],
])("%s is a policy", (written, policy) => {
  expect(parsePolicy(written)).toEqual(policy);
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
  expect(parsePolicy(written)).toBeUndefined();
});

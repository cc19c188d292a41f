import { expect, test } from "vitest";
import { endOfPrefix } from "./position";

const last = String.fromCodePoint(0x10ffff);

test.each([
  ["Kim", "Kin"],
  ["김", "깁"],
  ["a😀", "a😁"],
  ["\ud7ff", "\ue000"],
  [`a${last}`, "b"],
  [`a${last}${last}`, "b"],
  [last, last.repeat(151)],
])("the texts with the prefix %j end before %j", (prefix, end) => {
  expect(endOfPrefix(prefix)).toBe(end);
});

import { expect, test } from "vitest";
import { engines } from "../../package.json";
import { explainOldNode, neededNode } from "./node-version";

test.each([
  ["20.20.2", true],
  ["22.9.0", true],
  ["22.14.0", true],
  ["22.15.0", false],
  ["22.100.1", false],
  ["24.0.0", false],
])("Node %s is too old: %s", (running, isTooOld) => {
  const text = `madang-server needs Node 22.15 or later, and this is Node ${running}.`;
  expect(explainOldNode(running)).toBe(isTooOld ? text : undefined);
});

test("the package needs the same Node", () => {
  expect(engines.node).toBe(`>=${neededNode}`);
});

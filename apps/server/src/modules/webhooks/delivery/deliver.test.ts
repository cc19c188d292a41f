import { expect, test } from "vitest";
import { retryDelay } from "./deliver";

test("a delay differs from the schedule by at most 20 %", () => {
  expect(retryDelay(1, () => 0)).toBe(4_000);
  expect(retryDelay(1, () => 0.5)).toBe(5_000);
  expect(retryDelay(1, () => 1)).toBe(6_000);
});

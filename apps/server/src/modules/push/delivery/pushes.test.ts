import { expect, test } from "vitest";
import { retryDelay } from "./pushes";

test("retries are delayed longer each time, up to five minutes, and do not come all at once", () => {
  const delays = [1, 2, 3, 4, 5, 6, 100].map((failed) => retryDelay(failed, () => 0.5));
  expect(delays).toEqual([5_000, 15_000, 45_000, 120_000, 300_000, 300_000, 300_000]);
  expect([retryDelay(1, () => 0), retryDelay(1, () => 1)]).toEqual([4_000, 6_000]);
});

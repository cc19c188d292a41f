import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createCallLog } from "./seen-calls";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const call = { operation: "messages.send", outcome: "accept", duration_ms: 20, created_at: 1 } as const;

test("close waits for what is being stored, and stores what came after it", async () => {
  const stored: number[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const log = createCallLog(async (hookPk) => {
    if (hookPk === 1) await released;
    stored.push(hookPk);
  });
  log.add(1, call);
  await vi.advanceTimersByTimeAsync(1_000);
  log.add(2, call);
  let isClosed = false;
  const closed = log.close().then(() => {
    isClosed = true;
  });
  await vi.advanceTimersByTimeAsync(1_000);
  expect([isClosed, stored]).toEqual([false, []]);
  release();
  await closed;
  expect(stored).toEqual([1, 2]);
});

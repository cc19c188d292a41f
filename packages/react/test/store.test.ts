import { expect, onTestFinished, test, vi } from "vitest";
import { createStore } from "../src/store/store";

test("a listener that throws is reported, and stops neither the others nor what changes the store", async () => {
  const reported: unknown[] = [];
  const queue = queueMicrotask;
  vi.stubGlobal("queueMicrotask", (work: () => void) =>
    queue(() => {
      try {
        work();
      } catch (error) {
        reported.push(error);
      }
    }),
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  const store = createStore(0);
  const error = new Error("It fails.");
  const seen: number[] = [];
  store.subscribe(() => {
    throw error;
  });
  store.subscribe(() => seen.push(store.get()));
  store.set(1);
  store.set(2);
  expect(seen).toEqual([1, 2]);
  await expect.poll(() => reported).toEqual([error, error]);
});

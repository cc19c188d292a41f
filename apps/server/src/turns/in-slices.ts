import { setImmediate } from "node:timers/promises";

const maxSliceMs = 2;

/** Runs small steps to their result in the same way. */
export async function runSteps<Result>(steps: Generator<undefined, Result>): Promise<Result> {
  let next = steps.next();
  function* each() {
    for (; !next.done; next = steps.next()) yield;
  }
  await runInSlices(each(), () => undefined);
  if (!next.done) throw new Error("Steps run to their end.");
  return next.value;
}

/**
 * Runs the work on each item, in order, and lets other requests run whenever it has taken some milliseconds. Each item
 * must be small: nothing interrupts the work on one.
 */
export async function runInSlices<Item>(
  items: Iterable<Item>,
  work: (item: Item, index: number) => void,
): Promise<void> {
  let startedAt = performance.now();
  let index = 0;
  for (const item of items) {
    work(item, index++);
    if (performance.now() - startedAt < maxSliceMs) continue;
    await setImmediate();
    startedAt = performance.now();
  }
}

/** Calls a function for each item, `concurrency` at a time. After an error no further call begins. */
export async function forEachConcurrently<Item>(
  items: readonly Item[],
  concurrency: number,
  call: (item: Item) => unknown,
): Promise<void> {
  const waiting = iterate(items);
  const work = async () => {
    for (const item of waiting) await call(item);
  };
  const workers = Array.from({ length: Math.min(concurrency, items.length) }, work);
  const settled = await Promise.allSettled(workers);
  for (const result of settled) if (result.status === "rejected") throw result.reason;
}

/** When one worker throws, the generator ends, so the others stop. An iterator of the array would go on. */
function* iterate<Item>(items: readonly Item[]): Generator<Item, void, undefined> {
  yield* items;
}

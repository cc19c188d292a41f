/** Calls a function for each item, `concurrency` at a time. After an error no further call begins. */
export async function forEachConcurrently<Item>(
  items: readonly Item[],
  concurrency: number,
  call: (item: Item) => unknown,
): Promise<void> {
  const waiting = items.values();
  let hasFailed = false;
  const work = async () => {
    for (const item of waiting) {
      if (hasFailed) return;
      try {
        await call(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const workers = Array.from({ length: Math.min(concurrency, items.length) }, work);
  const settled = await Promise.allSettled(workers);
  for (const result of settled) if (result.status === "rejected") throw result.reason;
}

/** Calls a function for each item, so many at once. After a failure no further one is begun. */
export async function forEachAtOnce<Item>(
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
  for (const outcome of settled) if (outcome.status === "rejected") throw outcome.reason;
}

/** Runs the work on each item, on some at a time. The first error ends it, after what is running. */
export async function forEachConcurrently<Item>(
  items: AsyncIterable<Item>,
  concurrency: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.asyncIterator]();
  let hasFailed = false;
  const worker = async () => {
    while (!hasFailed) {
      const { done, value } = await iterator.next();
      if (done) return;
      try {
        await work(value);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const results = await Promise.allSettled(Array.from({ length: concurrency }, worker));
  await iterator.return?.();
  for (const result of results) if (result.status === "rejected") throw result.reason;
}

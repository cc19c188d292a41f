/**
 * Runs the work on each item, on some at a time. The first error ends it, after what is running: a loop that throws ends the
 * generator for all.
 */
export async function forEachConcurrently<Item>(
  items: AsyncGenerator<Item>,
  concurrency: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const worker = async () => {
    for await (const item of items) await work(item);
  };
  const results = await Promise.allSettled(Array.from({ length: concurrency }, worker));
  for (const result of results) if (result.status === "rejected") throw result.reason;
}

export async function* toAsync<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  yield* items;
}

/**
 * A stream that pulls a chunk only when its reader does. Cancelling it calls `abort`, which ends a pull under way, and then
 * ends the iteration, so that its `finally` blocks run.
 */
export function createStream<Chunk>(
  chunks: AsyncGenerator<Chunk, void, undefined>,
  abort: () => void,
): ReadableStream<Chunk> {
  return new ReadableStream<Chunk>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        abort();
        await chunks.return();
      },
    },
    { highWaterMark: 0 },
  );
}

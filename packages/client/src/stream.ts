/**
 * A stream that asks for a chunk only when its reader does. Cancelling it calls `stop`, which aborts a pull under way, and
 * then ends the iteration, so that its `finally` blocks run.
 */
export function createStream<Chunk>(
  chunks: AsyncGenerator<Chunk, void, undefined>,
  stop: () => void,
): ReadableStream<Chunk> {
  return new ReadableStream<Chunk>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        stop();
        await chunks.return();
      },
    },
    { highWaterMark: 0 },
  );
}

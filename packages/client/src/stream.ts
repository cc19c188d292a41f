/** A stream that asks for a chunk only when its reader does. Cancelling it calls `stop` at once, whatever is under way. */
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
      cancel: stop,
    },
    { highWaterMark: 0 },
  );
}

import type { Turns } from "./turns";

/**
 * Reads in turns. Requests for the same result share one read while it waits: it sees every change before it starts, and so what
 * happened before any of them.
 */
export function shareReads(
  turns: Turns,
): <Result>(key: string, result: string, read: () => Promise<Result>) => Promise<Result> {
  const waiting = new Map<string, Promise<unknown>>();
  return (key, result, read) => {
    const known = waiting.get(result);
    // The name of a result includes its kind.
    if (known !== undefined) return known as ReturnType<typeof read>;
    const end = () => waiting.get(result) === reading && waiting.delete(result);
    const reading: ReturnType<typeof read> = turns.run(key, () => {
      end();
      return read();
    });
    waiting.set(result, reading);
    reading.catch(end);
    return reading;
  };
}

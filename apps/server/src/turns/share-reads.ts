import { currentClient } from "./client";
import type { Resource } from "./resource";

/**
 * Reads in turns. Requests of a client for the same result share one read while it waits: it sees every change before it starts, and so
 * what happened before any of them. Different clients do not: one would wait for the turn of the other.
 */
export function shareReads(
  resource: Resource,
): <Result>(result: string, read: () => Promise<Result>) => Promise<Result> {
  const waiting = new Map<string, Promise<unknown>>();
  return (result, read) => {
    const key = `${currentClient().name} ${result}`;
    const known = waiting.get(key);
    // The name of a result includes its kind.
    if (known !== undefined) return known as ReturnType<typeof read>;
    const end = () => waiting.get(key) === reading && waiting.delete(key);
    const reading: ReturnType<typeof read> = resource.run(() => {
      end();
      return read();
    });
    waiting.set(key, reading);
    reading.catch(end);
    return reading;
  };
}

import { ServiceError } from "../errors";

const maxWaitMs = 5_000;

/**
 * Runs at most `maxRunning` reads at once, so that reads of many rows leave connections to other requests. The others wait
 * for their turn, in order. Requests for the same result share one read while it waits: it sees every change before it
 * starts, and so what happened before any of them.
 */
export function shareReads(
  maxRunning: number,
  what: string,
): <Result>(key: string, read: () => Promise<Result>) => Promise<Result> {
  let running = 0;
  const turns: (() => void)[] = [];
  const waiting = new Map<string, Promise<unknown>>();

  const takeTurn = () =>
    new Promise<void>((resolve, reject) => {
      if (running < maxRunning) {
        running += 1;
        return resolve();
      }
      const timer = setTimeout(() => {
        turns.splice(turns.indexOf(start), 1);
        reject(new ServiceError("unavailable", `Too many ${what} are running. Try again shortly.`));
      }, maxWaitMs);
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      turns.push(start);
    });
  const endTurn = () => {
    const next = turns.shift();
    if (next === undefined) running -= 1;
    else next();
  };

  const run = async <Result>(key: string, read: () => Promise<Result>) => {
    await takeTurn().finally(() => waiting.delete(key));
    return read().finally(endTurn);
  };

  return (key, read) => {
    const known = waiting.get(key);
    // The key names the kind of result.
    if (known !== undefined) return known as ReturnType<typeof read>;
    const result = run(key, read);
    waiting.set(key, result);
    return result;
  };
}

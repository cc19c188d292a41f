import { setTimeout as sleep } from "node:timers/promises";

// Runs in a process of its own, so that the attack's work does not delay the measurement. For each message, every caller repeats its
// requests, one after the other, for so many rounds and so many milliseconds.

export interface ObservedRequest {
  readonly caller: string;
  readonly url: string;
  readonly options: Readonly<Record<string, unknown>>;
}

export interface Observed {
  /** Of all requests, in ascending order. */
  readonly tookMs: readonly number[];
  /** The caller, the status and the beginning of the body of each response that is no success. */
  readonly failures: readonly string[];
}

export interface ObservedTime {
  readonly minRounds: number;
  readonly minMs: number;
}

/** A client gives up then. */
const timeoutMs = 30_000;

const requests = JSON.parse(process.argv[2] ?? "[]") as ObservedRequest[];
const callers = [...Map.groupBy(requests, ({ caller }) => caller).values()];
process.on("message", async (time: ObservedTime) => {
  const tookMs: number[] = [];
  const failures: string[] = [];
  const repeat = async (own: readonly ObservedRequest[]) => {
    const until = performance.now() + time.minMs;
    for (let round = 0; round < time.minRounds || performance.now() < until; round++)
      for (const request of own) {
        const startedAt = performance.now();
        const failure = await send(request);
        tookMs.push(performance.now() - startedAt);
        if (failure !== undefined) failures.push(failure);
        await sleep(5);
      }
  };
  await Promise.all(callers.map(repeat));
  process.send?.({ tookMs: tookMs.toSorted((a, b) => a - b), failures });
});

async function send({ caller, url, options }: ObservedRequest): Promise<string | undefined> {
  try {
    const response = await fetch(url, { ...options, signal: AbortSignal.timeout(timeoutMs) });
    const text = await response.text();
    return response.ok && text !== "" ? undefined : `${caller}: ${response.status} ${text.slice(0, 200)}`;
  } catch (error) {
    return `${caller}: ${error}`;
  }
}

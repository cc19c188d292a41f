import autocannon from "autocannon";
import type { CpuClock } from "./cpu";
import type { Call, Operation, Side } from "./operations/operation";
import type { Sizes } from "./world";

export interface Load {
  readonly operation: Operation;
  readonly side: Side;
  readonly url: string;
  /** Sent with every request: who calls. */
  readonly headers: Readonly<Record<string, string>>;
  readonly sizes: Sizes;
  readonly connections: number;
  readonly warmUpMs: number;
  readonly measuredMs: number;
  /** Gives each turn its number. */
  readonly nextTurn: () => number;
  readonly clocks: { readonly node: CpuClock; readonly postgres: CpuClock };
}

export interface Measured {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly nodeMs: number;
  readonly postgresMs: number;
  readonly failed: number;
}

/** Loads one side, and measures what lies between the warm-up and the end. */
export async function measure(load: Load): Promise<Measured> {
  const { warmUpMs, measuredMs, clocks } = load;
  const durations: number[] = [];
  let failed = 0;
  let isMeasuring = false;
  const instance = autocannon(
    {
      url: load.url,
      connections: load.connections,
      duration: (warmUpMs + measuredMs) / 1_000 + 5,
      sampleInt: 50,
      headers: { ...load.headers },
      requests: requestsOf(load),
    },
    () => undefined,
  );
  const ended = new Promise((resolve) => instance.on("done", resolve));
  instance.on("response", (_client, status, _bytes, durationMs) => {
    if (isMeasuring) durations.push(durationMs);
    if (status < 200 || status > 299) failed += 1;
  });
  instance.on("reqError", () => {
    failed += 1;
  });
  await pause(warmUpMs);
  const before = { at: performance.now(), node: clocks.node.readMs(), postgres: clocks.postgres.readMs() };
  isMeasuring = true;
  await pause(measuredMs);
  isMeasuring = false;
  const seconds = (performance.now() - before.at) / 1_000;
  const count = durations.length;
  const result = {
    perSecond: count / seconds,
    nodeMs: (clocks.node.readMs() - before.node) / count,
    postgresMs: (clocks.postgres.readMs() - before.postgres) / count,
    failed,
  };
  instance.stop();
  await ended;
  durations.sort((a, b) => a - b);
  return { ...result, p50Ms: at(durations, 0.5), p99Ms: at(durations, 0.99) };
}

/** Each connection goes through the calls of a turn in order, and takes a new turn when it begins again. */
function requestsOf({ operation, side, sizes, nextTurn }: Load): autocannon.Request[] {
  const { length } = operation.turn(0, side, sizes);
  return Array.from({ length }, (_, index) => ({
    setupRequest(request: autocannon.Request, context: { calls?: readonly Call[] }) {
      if (index === 0) context.calls = operation.turn(nextTurn(), side, sizes);
      const call = context.calls?.[index];
      if (call === undefined) throw new Error(`${operation.id} changes how many calls a turn has.`);
      const { method, path } = call;
      if (call.body === undefined) return { ...request, method, path };
      const headers = { ...request.headers, "content-type": "application/json" };
      return { ...request, method, path, headers, body: JSON.stringify(call.body) };
    },
  }));
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const at = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

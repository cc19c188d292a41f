import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import autocannon from "autocannon";
import type { Call, Operation } from "../operations/operation";
import { machineTimeMs, processorTimeMs, totalProcessorTimeMs } from "../results/processor-time";
import type { Measured } from "../results/row";
import { quantile } from "../results/statistics";
import type { Sizes } from "../servers/dataset";
import { isKeyed, type Side } from "../servers/side";

export interface Load {
  readonly operation: Operation;
  readonly side: Side;
  readonly url: string;
  /** Sent with every request: the credentials. */
  readonly headers: Readonly<Record<string, string>>;
  readonly sizes: Sizes;
  readonly connections: number;
  readonly warmUpMs: number;
  /** The min duration. It is extended until the servers have used as much processor time. */
  readonly measuredMs: number;
  /** The number of the next turn, which the load advances. */
  readonly turns: { next: number };
  readonly pids: {
    readonly node: number;
    readonly postgres: readonly number[];
    readonly others: readonly number[];
  };
}

/** Loads a server, and measures from the end of the warm-up to the end of the load. */
export async function measure(load: Load): Promise<Measured> {
  const { pids, warmUpMs, measuredMs } = load;
  const durations: number[] = [];
  let failed = 0;
  let isMeasuring = false;
  const instance = autocannon(
    {
      url: load.url,
      connections: load.connections,
      duration: (warmUpMs + maxExtension * measuredMs) / 1_000 + 5,
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
  const readClocks = (): Clocks => ({
    ms: performance.now(),
    nodeMs: processorTimeMs(pids.node),
    postgresMs: totalProcessorTimeMs(pids.postgres),
    loadMs: loadTimeMs(),
    othersMs: totalProcessorTimeMs(pids.others),
    machineMs: machineTimeMs(),
  });
  await sleep(warmUpMs);
  const before = readClocks();
  isMeasuring = true;
  await sleep(measuredMs);
  let after = readClocks();
  // On a busy machine, the servers get less processor time. Measure longer, so that the number of requests is similar.
  while (usedMs(before, after) < measuredMs && after.ms - before.ms < maxExtension * measuredMs) {
    await sleep(50);
    after = readClocks();
  }
  isMeasuring = false;
  instance.stop();
  await ended;
  const count = durations.length;
  const since = (name: keyof Clocks) => after[name] - before[name];
  const ownMs = since("nodeMs") + since("postgresMs") + since("loadMs") + since("othersMs");
  return {
    perSecond: (1_000 * count) / since("ms"),
    p99Ms: quantile(durations, 0.99),
    nodeMs: since("nodeMs") / count,
    postgresMs: since("postgresMs") / count,
    loadMs: since("loadMs") / count,
    othersMs: since("othersMs") / count,
    otherProcessors: Math.max(0, (since("machineMs") - ownMs) / since("ms")),
    failed,
  };
}

const maxExtension = 8;

interface Clocks {
  readonly ms: number;
  readonly nodeMs: number;
  readonly postgresMs: number;
  readonly loadMs: number;
  readonly othersMs: number;
  readonly machineMs: number;
}

/** The servers are children of this process, so their time must not be counted. */
function loadTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

const usedMs = (before: Clocks, after: Clocks) =>
  after.nodeMs - before.nodeMs + after.postgresMs - before.postgresMs;

/** Each connection sends the calls of a turn in order, then takes the next turn. */
function requestsOf({ operation, side, sizes, turns }: Load): autocannon.Request[] {
  const { length } = operation.turn(0, side, sizes);
  return Array.from({ length }, (_, index) => ({
    setupRequest(request: autocannon.Request, context: { calls?: readonly Call[] }) {
      if (index === 0) context.calls = operation.turn(turns.next++, side, sizes);
      const call = context.calls?.[index];
      if (call === undefined) throw new Error(`${operation.id}: every turn needs the same number of calls.`);
      const { method, path } = call;
      const headers = { ...request.headers, ...headersOf(call, side) };
      return { ...request, method, path, headers, ...(call.body !== undefined && { body: textOf(call) }) };
    },
  }));
}

/** The headers that the SDK sends: every change has a new idempotency key. */
export const headersOf = ({ method, body }: Call, side: Side): Record<string, string> => ({
  ...(body !== undefined && { "content-type": "application/json" }),
  ...(method !== "GET" && isKeyed(side) && { "idempotency-key": randomUUID() }),
});

const textOf = ({ body }: Call) => JSON.stringify(body);

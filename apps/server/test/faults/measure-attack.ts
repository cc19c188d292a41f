import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { call } from "../support/call";
import { expectNearlyAll, expectWithinIfLong, report } from "../support/report";
import type { ServerProcess } from "./process";

const maxGrowthMegabytes = 150;
const maxWaitMs = 100;

interface Observation {
  /** The request of the other client. By default, a health check. */
  readonly request?: {
    readonly name: string;
    readonly path: string;
    readonly options: Readonly<Record<string, unknown>>;
  };
  /** The limit of the whole process, instead of that of the growth. */
  readonly maxMegabytes?: number;
}

const healthCheck = { name: "a health check", path: "/healthz", options: {} };

/**
 * Runs an attack while another client sends requests, which must all succeed. The server's memory may grow by at most 150 MB. 99 %
 * of the other requests should get their response within 100 ms: the long form reports the figure.
 */
export async function measureAttack(
  fault: string,
  server: ServerProcess,
  attack: () => Promise<unknown>,
  { request = healthCheck, maxMegabytes }: Observation = {},
): Promise<void> {
  // The first requests increase the memory of any process.
  for (let count = 0; count < 50; count++) await call(server.url, "GET", "/healthz");
  const observer = fork(
    fileURLToPath(new URL("./observer.ts", import.meta.url)),
    [server.url + request.path, JSON.stringify(request.options)],
    { execArgv: [] },
  );
  await once(observer, "message");
  const before = await server.residentMegabytes();
  let isOver = false;
  let peak = before;
  const watchMemory = async () => {
    while (!isOver) {
      peak = Math.max(peak, await server.residentMegabytes());
      await sleep(20);
    }
  };
  const attacking = attack().finally(() => {
    isOver = true;
  });
  await Promise.all([attacking, watchMemory()]).catch((error: unknown) => {
    // With its output, if the process is gone.
    server.requireAlive();
    throw error;
  });
  server.requireAlive();
  observer.send("stop");
  const [{ tookMs, failures }] = (await once(observer, "message")) as [
    { tookMs: number[]; failures: number[] },
  ];
  const p99 = tookMs[Math.floor(tookMs.length * 0.99)] ?? Number.NaN;
  const memory =
    maxMegabytes === undefined
      ? `memory grows by ${Math.round(peak - before)} MB`
      : `the process uses at most ${Math.round(peak)} MB`;
  await report({
    fault: `${fault}: ${memory}; p99 of ${request.name} ${p99.toFixed(1)} ms`,
    load: "1 client",
    sent: tookMs.length,
    acknowledged: tookMs.length - failures.length,
    maxOutageMs: tookMs.at(-1),
  });
  expect(failures.filter((status) => status !== 503)).toEqual([]);
  expectNearlyAll(tookMs.length - failures.length, tookMs.length);
  if (maxMegabytes === undefined) expect(peak - before).toBeLessThan(maxGrowthMegabytes);
  else expect(peak).toBeLessThan(maxMegabytes);
  expectWithinIfLong(maxWaitMs, p99);
}

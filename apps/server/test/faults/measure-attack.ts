import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { call } from "../support/call";
import { expectWithinIfLong, report } from "../support/report";
import type { ServerProcess } from "./process";

const maxGrowthMegabytes = 150;
const maxWaitMs = 100;

/**
 * Runs an attack while another client sends requests. The server's memory may grow by at most 150 MB. 99 % of the
 * other requests should get their response within 100 ms: the long form reports the figure.
 */
export async function measureAttack(
  fault: string,
  server: ServerProcess,
  attack: () => Promise<unknown>,
): Promise<void> {
  // The first requests increase the memory of any process.
  for (let count = 0; count < 50; count++) await call(server.url, "GET", "/healthz");
  const observer = fork(fileURLToPath(new URL("./observer.ts", import.meta.url)), [server.url], {
    execArgv: [],
  });
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
  await Promise.all([attacking, watchMemory()]);
  observer.send("stop");
  const [tookMs] = (await once(observer, "message")) as [number[]];
  const p99 = tookMs[Math.floor(tookMs.length * 0.99)] ?? Number.NaN;
  await report({
    fault: `${fault}: memory grows by ${Math.round(peak - before)} MB; p99 of a health check ${p99.toFixed(1)} ms`,
    load: "1 client",
    sent: tookMs.length,
    acknowledged: tookMs.length,
    maxOutageMs: tookMs.at(-1),
  });
  expect(peak - before).toBeLessThan(maxGrowthMegabytes);
  expectWithinIfLong(maxWaitMs, p99);
}

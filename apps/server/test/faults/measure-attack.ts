import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { call } from "../support/call";
import { expectWithin, report } from "../support/report";
import type { ServerProcess } from "./process";

const maxGrowthMegabytes = 150;
const maxWaitMs = 100;

/**
 * Runs an attack while another client sends requests. The server's memory may grow by 150 MB at most, and in the long
 * form every other request is answered within 100 ms.
 */
export async function measureAttack(
  fault: string,
  server: ServerProcess,
  attack: () => Promise<unknown>,
): Promise<void> {
  // The first requests make the process grow for reasons of its own.
  for (let count = 0; count < 50; count++) await call(server.url, "GET", "/v1/users/kim_01");
  const before = await server.residentMegabytes();
  let isOver = false;
  let peak = before;
  let slowestMs = 0;
  let sent = 0;
  const observe = async () => {
    while (!isOver) {
      const startedAt = performance.now();
      expect((await call(server.url, "GET", "/healthz")).status).toBe(200);
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
      sent++;
      peak = Math.max(peak, await server.residentMegabytes());
      await sleep(10);
    }
  };
  const attacking = attack().finally(() => {
    isOver = true;
  });
  await Promise.all([attacking, observe()]);
  await report({
    fault: `${fault}: memory grows by ${Math.round(peak - before)} MB`,
    load: "1 client",
    sent,
    acknowledged: sent,
    lost: 0,
    doubled: 0,
    wrong: 0,
    longestOutageMs: slowestMs,
  });
  expect(peak - before).toBeLessThan(maxGrowthMegabytes);
  expectWithin(maxWaitMs, slowestMs);
}

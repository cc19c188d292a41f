import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { expectNearlyAll, expectWithinIfLong, report, scale } from "../support/report";
import type { Observed, ObservedRequest, ObservedTime } from "./observer";
import type { ServerProcess } from "./process";

const maxGrowthMegabytes = 150;
/** What a request may take beside an attack, as a multiple of what it takes without. */
const maxSlowdown = 3;
/** A machine that does nothing else responds faster than this, so that a multiple of it would say nothing. */
const minMs = 10;

interface Observation {
  /** The requests of other clients. By default, health checks. */
  readonly requests?: readonly ObservedRequest[];
  /** The limit of the whole process, instead of that of the growth. */
  readonly maxMegabytes?: number;
  /** How long the attack runs before the others are measured. */
  readonly settleMs?: number | undefined;
  /** Why its requests may take longer than three times as long. */
  readonly isSlow?: string | undefined;
}

/**
 * Runs an attack while other clients send requests, which must all succeed. The attack ends when they have sent enough. The server's
 * memory may grow by at most 150 MB. 95 % of the other requests should take at most three times as long as without the attack: the long
 * form reports the figures, and asserts them.
 */
export async function measureAttack(
  fault: string,
  server: ServerProcess,
  attack: (signal: AbortSignal) => Promise<unknown>,
  {
    requests = [{ caller: "nobody", url: `${server.url}/healthz`, options: {} }],
    settleMs = 1_500,
    ...limits
  }: Observation = {},
): Promise<void> {
  const observer = fork(
    fileURLToPath(new URL("./observer.ts", import.meta.url)),
    [JSON.stringify(requests)],
    { execArgv: [] },
  );
  const observe = async (time: ObservedTime): Promise<Observed> => {
    observer.send(time);
    return (await once(observer, "message"))[0] as Observed;
  };
  // The first requests load the code of both, and increase the memory of any process.
  await observe({ minRounds: 3, minMs: 0 });
  const calm = await observe({ minRounds: 5, minMs: scale(0, 5_000) });
  const before = await server.residentMegabytes();
  const ended = new AbortController();
  let peak = before;
  let isOver = false;
  const watchMemory = async () => {
    for (; !isOver; await sleep(20)) peak = Math.max(peak, await server.residentMegabytes());
  };
  const attackEnded = attack(ended.signal).finally(() => {
    isOver = true;
  });
  const attacking = Promise.all([attackEnded, watchMemory()]);
  let attacked: Observed;
  try {
    // Until it is at its worst.
    await Promise.race([attacking, sleep(settleMs)]);
    attacked = await observe({ minRounds: 5, minMs: scale(1_000, 15_000) });
  } finally {
    ended.abort();
    observer.disconnect();
    await attacking.catch(() => undefined);
    // With its output, if the process is gone.
    server.requireAlive();
  }
  await attacking;
  const { tookMs, failures } = attacked;
  const [calmMs, p95] = [calm.tookMs, tookMs].map((all) => all[Math.floor(all.length * 0.95)] ?? Number.NaN);
  const { maxMegabytes, isSlow } = limits;
  const memory =
    maxMegabytes === undefined
      ? `memory grows by ${Math.round(peak - before)} MB`
      : `the process uses at most ${Math.round(peak)} MB`;
  await report({
    fault: `${fault}: ${memory}; p95 of other requests ${calmMs?.toFixed(1)} → ${p95?.toFixed(1)} ms${isSlow ? ` (${isSlow})` : ""}`,
    load: `${new Set(requests.map(({ caller }) => caller)).size} clients`,
    sent: tookMs.length,
    acknowledged: tookMs.length - failures.length,
    maxOutageMs: tookMs.at(-1),
  });
  const others = failures.filter((failure) => !failure.includes(" 503 "));
  expect(others).toEqual([]);
  expectNearlyAll(tookMs.length - failures.length, tookMs.length);
  if (maxMegabytes === undefined) expect(peak - before).toBeLessThan(maxGrowthMegabytes);
  else expect(peak).toBeLessThan(maxMegabytes);
  if (isSlow === undefined) expectWithinIfLong(maxSlowdown * Math.max(minMs, calmMs ?? 0), p95 ?? Number.NaN);
}

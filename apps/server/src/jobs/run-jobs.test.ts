import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import pino from "pino";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { inRounds, startJobs } from "./run-jobs";

test("work that arrives at any moment of a step is done by a later step, without waiting for the interval", async () => {
  const rounds = 200;
  let pending = 0;
  let done = 0;
  const step = async () => {
    const found = pending;
    // A step looks for work first, and takes a few turns of the event loop.
    for (let turn = 0; turn < 3; turn++) await setImmediate();
    pending -= found;
    done += found;
  };
  const jobs = startJobs([{ name: "counting", step }], pino({ level: "silent" }));
  for (let round = 0; round < rounds; round++) {
    pending += 1;
    jobs.wake("counting");
    for (let turn = 0; turn < round % 4; turn++) await (turn % 2 === 0 ? setImmediate() : undefined);
  }
  await expect.poll(() => done).toBe(rounds);
  await jobs.stop();
});

test("a wake during a step that fails is followed by another step, without waiting for the interval", async () => {
  let steps = 0;
  const step = async () => {
    steps += 1;
    if (steps > 3) return;
    await setImmediate();
    // The work of the next one arrives, and then the connection breaks.
    jobs.wake("failing");
    throw new Error("The connection was terminated.");
  };
  const jobs = startJobs([{ name: "failing", step }], pino({ level: "silent" }));
  await expect.poll(() => steps).toBe(4);
  // Without a wake, the next interval is early enough.
  await sleep(50);
  await jobs.stop();
  expect(steps).toBe(4);
});

test("the steps of a job run at most a quarter of the time", async () => {
  let workedMs = 0;
  const step = async () => {
    const startedAt = performance.now();
    await sleep(20);
    // The pause after a longer step is half a second, its maximum, so only a third of that counts as work.
    workedMs += Math.min(performance.now() - startedAt, 500 / 3);
    return true;
  };
  const startedAt = performance.now();
  const jobs = startJobs([{ name: "working", step }], pino({ level: "silent" }));
  await sleep(1_000);
  await jobs.stop();
  expect(workedMs).toBeLessThan(0.3 * (performance.now() - startedAt));
  expect(workedMs).toBeGreaterThan(20);
});

test("a wake during a round is followed by one more round, from its start", async () => {
  const visited: number[] = [];
  async function* visitAll() {
    for (const place of [1, 2, 3]) {
      visited.push(place);
      if (visited.length === 2) jobs.wake("visiting");
      yield true as const;
    }
    return undefined;
  }
  const jobs = startJobs([{ name: "visiting", step: inRounds(visitAll) }], pino({ level: "silent" }));
  await expect.poll(() => visited.length).toBe(6);
  // A third round would have begun by then.
  await sleep(50);
  await jobs.stop();
  expect(visited).toEqual([1, 2, 3, 1, 2, 3]);
});

describe("with a clock of the test", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "setInterval"] }));
  afterEach(() => void vi.useRealTimers());

  const started: string[] = [];
  const start = () => {
    started.length = 0;
    const named = (name: string) => ({ name, step: async () => void started.push(name), intervalMs: 1_000 });
    return startJobs(["first", "second"].map(named), pino({ level: "silent" }));
  };

  test("two jobs do not take their connections at the same moment, also at the next interval", async () => {
    const jobs = start();
    await vi.advanceTimersByTimeAsync(50);
    expect(started).toEqual(["first"]);
    await vi.advanceTimersByTimeAsync(100);
    expect(started).toEqual(["first", "second"]);
    await vi.advanceTimersByTimeAsync(900);
    expect(started).toEqual(["first", "second", "first"]);
    await jobs.stop();
  });

  test("a job that is woken before its turn starts at once, and one that is stopped before it never starts", async () => {
    const jobs = start();
    jobs.wake("second");
    await jobs.stop();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(started).toEqual(["second"]);
  });
});

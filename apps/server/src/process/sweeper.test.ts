import { setImmediate } from "node:timers/promises";
import pino from "pino";
import { expect, test } from "vitest";
import { startSweeper } from "./sweeper";

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
    return false;
  };
  const sweeper = startSweeper("counting", step, pino({ level: "silent" }));
  for (let round = 0; round < rounds; round++) {
    pending += 1;
    sweeper.wake();
    for (let turn = 0; turn < round % 4; turn++) await (turn % 2 === 0 ? setImmediate() : undefined);
  }
  await expect.poll(() => done).toBe(rounds);
  await sweeper.stop();
});

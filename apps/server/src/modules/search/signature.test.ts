import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { signBlocks } from "./signature";

test("signing messages that grow when they are folded lets requests run after each", async () => {
  const messages = Array.from({ length: 64 }, (_, pk) => ({
    createdAt: 1,
    pk,
    text: "\ufdfa".repeat(8_192),
    senderPk: 1,
  }));
  let isSigning = true;
  const signing = signBlocks(messages).finally(() => {
    isSigning = false;
  });
  const turnsMs: number[] = [];
  // Processor time, because the machine may do other work.
  for (let before = process.cpuUsage(); isSigning; before = process.cpuUsage()) {
    await setImmediate();
    const { user, system } = process.cpuUsage(before);
    turnsMs.push((user + system) / 1_000);
  }
  expect(await signing).toHaveLength(2);
  // Without an end between the messages of a block, there are few turns, and a block takes half of the time.
  expect(turnsMs.length).toBeGreaterThan(20);
  expect(Math.max(...turnsMs)).toBeLessThan(0.3 * turnsMs.reduce((sum, each) => sum + each, 0));
});

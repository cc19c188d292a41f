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
  let turns = 0;
  for (; isSigning; turns++) await setImmediate();
  expect(await signing).toHaveLength(2);
  // Without an end between the messages of a block, there is a turn or two for each block. Their number depends on the machine.
  expect(turns).toBeGreaterThan(8);
});

import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { firstKeySet } from "../../../src/security/key-set";
import { createKeyMaker } from "../../../src/security/secret";
import { isLong, report } from "../../support/report";

const master = "mk_3f9c1d7a8b2e4f6071829304a5b6c7d8e9f0a1b2c3d4e5f6";
const letters = [..."abcdefghijklnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"].filter(
  (letter) => !master.startsWith(letter) && !master.endsWith(letter),
);
// Through bytes, so that all strings have the same representation: concatenated strings are slower to read.
const flat = (text: string) => Buffer.from(text).toString();
/** Many keys of each kind, because the memory location of a single key may affect its time. */
const wrongKeys = [
  letters.map((letter) => flat(letter + master.slice(1))),
  letters.map((letter) => flat(master.slice(0, -1) + letter)),
] as const;

/** Measures the check of keys of both kinds in random order, without the slowest 5 %. */
function measure(rounds: number): readonly [number[], number[]] {
  const { isMaster } = createKeyMaker([master], firstKeySet(master), randomBytes);
  const took: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const which = Math.random() < 0.5 ? 0 : 1;
    const key = wrongKeys[which][Math.floor(Math.random() * letters.length)] ?? "";
    const startedAt = process.hrtime.bigint();
    isMaster(key);
    took[which].push(Number(process.hrtime.bigint() - startedAt));
  }
  const kept = (all: number[]) => all.sort((a, b) => a - b).slice(0, Math.floor(all.length * 0.95));
  return [kept(took[0]), kept(took[1])];
}

function welch(one: readonly number[], other: readonly number[]): number {
  const mean = (all: readonly number[]) => all.reduce((sum, value) => sum + value, 0) / all.length;
  const variance = (all: readonly number[], middle: number) =>
    all.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (all.length - 1);
  const [a, b] = [mean(one), mean(other)];
  return Math.abs(a - b) / Math.sqrt(variance(one, a) / one.length + variance(other, b) / other.length);
}

// Only in the long form: measurements during other work are meaningless.
test.runIf(isLong)("the time to reject a key does not reveal how much of it is correct", async () => {
  measure(20_000);
  const rounds = 200_000;
  const t = welch(...measure(rounds));
  await report({
    fault: `response time for a wrong first and a wrong last byte of a key: Welch's t ${t.toFixed(2)}`,
    load: "1 process",
    sent: rounds,
    acknowledged: rounds,
    wrong: t < 4.5 ? 0 : 1,
  });
  expect(t).toBeLessThan(4.5);
});

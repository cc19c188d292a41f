import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { firstKeySet } from "./key-set";
import { createKeyMaker } from "./secret";

const makerOf = (masterKey: string, random = randomBytes as (length: number) => Buffer) =>
  createKeyMaker([masterKey], firstKeySet(masterKey), random);
const maker = makerOf("mk_the-master-key-0001");
const other = makerOf("mk_the-master-key-0002");

test("a sub key starts with sk_ and has at least 256 random bits", () => {
  expect(maker.make()).toMatch(/^sk_[A-Za-z0-9_-]{64}$/);
  expect(new Set(Array.from({ length: 1_000 }, () => maker.make())).size).toBe(1_000);
});

test("only a sub key of this master key is signed", () => {
  const key = maker.make();
  expect(maker.isSigned(key)).toBe(true);
  expect(other.isSigned(key)).toBe(false);
  for (const wrong of [
    "",
    "sk_",
    `${key}A`,
    key.slice(0, -1),
    key.toLowerCase(),
    `xx_${key.slice(3)}`,
    `${key}=`,
  ])
    expect(maker.isSigned(wrong)).toBe(false);
});

test("a key with one changed character is not signed", () => {
  const key = maker.make();
  for (let index = 3; index < key.length; index += 1) {
    const changed = key.slice(0, index) + (key[index] === "A" ? "B" : "A") + key.slice(index + 1);
    expect(maker.isSigned(changed)).toBe(false);
  }
});

test("a sealed key can be opened, differs each time, and does not contain the key", async () => {
  const key = maker.make();
  const sealed = maker.seal(key);
  expect(await maker.open(sealed)).toBe(key);
  expect(sealed.equals(maker.seal(key))).toBe(false);
  expect(sealed.includes(key)).toBe(false);
  expect(maker.digest(key).includes(key)).toBe(false);
});

test("a changed sealed key, or one from another master key, cannot be opened", async () => {
  const sealed = maker.seal(maker.make());
  await expect(other.open(sealed)).rejects.toThrow();
  for (let index = 0; index < sealed.length; index += 7) {
    const changed = Buffer.from(sealed);
    changed[index] = (changed[index] ?? 0) ^ 1;
    await expect(maker.open(changed)).rejects.toThrow();
  }
});

test("only the exact master key is accepted", () => {
  expect(maker.isMaster("mk_the-master-key-0001")).toBe(true);
  for (const wrong of ["", "mk_the-master-key-000", "mk_the-master-key-00011", "mk_the-master-key-0002"])
    expect(maker.isMaster(wrong)).toBe(false);
});

test("values that are derived from a master key never change, because stored keys depend on them", () => {
  const counted = makerOf("mk_the-master-key-0001", (length) => Buffer.alloc(length, 7));
  const key = counted.make();
  expect({
    key,
    masterId: counted.masterId.toString("hex"),
    digest: counted.digest(key).toString("hex"),
    sealed: counted.seal("text").toString("hex"),
    derived: counted.derive("a purpose").toString("hex"),
  }).toMatchInlineSnapshot(`
    {
      "derived": "6bbea95a752a6b22bc6ba8a100e78f3ea5b5e6f32bb656270cc9d488a448853c",
      "digest": "4e58035cc88279f03fb887d0badc4b3caa96ae106a7640fc29ea718e73ca09b6",
      "key": "sk_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwdyzK7Xh2ztQDI0-4YfVgZ1",
      "masterId": "713f17f47fd41323fa43220eb6fdd6c5",
      "sealed": "07070707070707070707070741c7a1b8a0708d2905e654fee9c14f0676a1f36a",
    }
  `);
  expect(counted.digest(key)).toBe(counted.digest(key));
});

test("two master keys are accepted while one replaces the other, and what another process sealed opens", async () => {
  const [old, current] = ["mk_the-master-key-0001", "mk_the-master-key-0002"];
  const before = firstKeySet(old);
  const after = { ...before, sealKeys: [randomBytes(32), ...before.sealKeys] };
  const both = createKeyMaker([current, old], before, randomBytes, async () => after);
  expect([both.isMaster(current), both.isMaster(old), both.isMaster("mk_the-master-key-0003")]).toEqual([
    true,
    true,
    false,
  ]);
  const key = maker.make();
  expect(both.isSigned(key)).toBe(true);
  expect(both.digest(key)).toEqual(maker.digest(key));
  const newer = createKeyMaker([current], after, randomBytes);
  expect(await both.open(newer.seal(key))).toBe(key);
  const resealed = await newer.reseal(maker.seal(key));
  await expect(maker.open(resealed ?? Buffer.alloc(0))).rejects.toThrow();
  expect(await newer.reseal(newer.seal(key))).toBeUndefined();
  expect(both.mask(`${old} ${current}`)).toBe("… …");
});

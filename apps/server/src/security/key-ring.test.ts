import { randomBytes } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { createKeyRing, type KeyRing } from "./key-ring";
import { createKeyMaker } from "./secret";

const maker = createKeyMaker("mk_the-master-key-0001", randomBytes);
let stored: Set<string>;
let clock: number;
let looks: number;
let ring: KeyRing;

beforeEach(() => {
  stored = new Set();
  clock = 0;
  looks = 0;
  ring = createKeyRing(
    maker,
    async () => {
      looks += 1;
      return [...stored];
    },
    () => clock,
  );
});

const add = (key: string) => stored.add(maker.digest(key).toString("base64"));
const remove = (key: string) => stored.delete(maker.digest(key).toString("base64"));

test("a valid key costs no look within half a second", async () => {
  const key = maker.make();
  add(key);
  for (clock = 0; clock < 500; clock += 1) expect(await ring.isValid(key)).toBe(true);
  expect(looks).toBe(1);
});

test("a key deleted elsewhere is refused within a second", async () => {
  const key = maker.make();
  add(key);
  expect(await ring.isValid(key)).toBe(true);
  remove(key);
  clock += 501;
  expect(await ring.isValid(key)).toBe(false);
});

test("a key made elsewhere is accepted at once", async () => {
  const first = maker.make();
  add(first);
  expect(await ring.isValid(first)).toBe(true);
  const second = maker.make();
  add(second);
  clock += 1;
  expect(await ring.isValid(second)).toBe(true);
});

test("a key deleted here is refused by the very next request", async () => {
  const key = maker.make();
  add(key);
  expect(await ring.isValid(key)).toBe(true);
  remove(key);
  ring.forget();
  expect(await ring.isValid(key)).toBe(false);
});

test("a revoked key that keeps calling costs one look, not one a call", async () => {
  const key = maker.make();
  expect(await ring.isValid(key)).toBe(false);
  const before = looks;
  for (let call = 0; call < 100; call += 1) {
    clock += 1;
    expect(await ring.isValid(key)).toBe(false);
  }
  expect(looks).toBe(before);
});

test("a look that began before a key was deleted is not believed after it", async () => {
  const key = maker.make();
  let answer: (digests: string[]) => void = () => undefined;
  const slow = createKeyRing(
    maker,
    () => new Promise((resolve) => (answer = resolve)),
    () => clock,
  );
  const early = slow.isValid(key);
  clock += 1;
  slow.forget();
  answer([maker.digest(key).toString("base64")]);
  expect(await early).toBe(true);
  const late = slow.isValid(key);
  answer([]);
  clock += 1;
  // A second look follows when the first began before the request; it finds nothing either.
  queueMicrotask(() => answer([]));
  expect(await late).toBe(false);
});

test("a key that was made elsewhere while a look was under way is found by another one", async () => {
  const [first, second] = [maker.make(), maker.make()];
  const digestOf = (key: string) => maker.digest(key).toString("base64");
  const answers: ((digests: string[]) => void)[] = [];
  const slow = createKeyRing(
    maker,
    () => new Promise((resolve) => answers.push(resolve)),
    () => clock,
  );
  const early = slow.isValid(first);
  clock += 1;
  const late = slow.isValid(second);
  answers[0]?.([digestOf(first)]);
  expect(await early).toBe(true);
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.([digestOf(first), digestOf(second)]);
  expect(await late).toBe(true);
});

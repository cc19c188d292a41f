import { randomBytes } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { createKeyRing, type KeyRing } from "./key-ring";
import { createKeyMaker } from "./secret";

const maker = createKeyMaker("mk_the-master-key-0001", randomBytes);
let stored: Set<string>;
let clock: number;
let loads: number;
let ring: KeyRing;

beforeEach(() => {
  stored = new Set();
  clock = 0;
  loads = 0;
  ring = createKeyRing(
    maker,
    async () => {
      loads += 1;
      return [...stored];
    },
    () => clock,
  );
});

const add = (key: string) => stored.add(maker.digest(key).toString("base64"));
const remove = (key: string) => stored.delete(maker.digest(key).toString("base64"));

test("a valid key causes no query within half a second", async () => {
  const key = maker.make();
  add(key);
  for (clock = 0; clock < 500; clock += 1) expect(await ring.isValid(key)).toBe(true);
  expect(loads).toBe(1);
});

test("a key that another process deleted is rejected within a second", async () => {
  const key = maker.make();
  add(key);
  expect(await ring.isValid(key)).toBe(true);
  remove(key);
  clock += 501;
  expect(await ring.isValid(key)).toBe(false);
});

test("a key that another process created is accepted immediately", async () => {
  const first = maker.make();
  add(first);
  expect(await ring.isValid(first)).toBe(true);
  const second = maker.make();
  add(second);
  clock += 1;
  expect(await ring.isValid(second)).toBe(true);
});

test("a key that this process deleted is rejected by the next request", async () => {
  const key = maker.make();
  add(key);
  expect(await ring.isValid(key)).toBe(true);
  remove(key);
  ring.forget();
  expect(await ring.isValid(key)).toBe(false);
});

test("a deleted key that is sent many times causes one query", async () => {
  const key = maker.make();
  expect(await ring.isValid(key)).toBe(false);
  const before = loads;
  for (let call = 0; call < 100; call += 1) {
    clock += 1;
    expect(await ring.isValid(key)).toBe(false);
  }
  expect(loads).toBe(before);
});

test("a query from before a deletion is ignored after it", async () => {
  const key = maker.make();
  let respond: (digests: string[]) => void = () => undefined;
  const slow = createKeyRing(
    maker,
    () => new Promise((resolve) => (respond = resolve)),
    () => clock,
  );
  const early = slow.isValid(key);
  clock += 1;
  slow.forget();
  respond([maker.digest(key).toString("base64")]);
  expect(await early).toBe(true);
  const late = slow.isValid(key);
  respond([]);
  clock += 1;
  // A second query follows, because the first began before the request. It finds nothing either.
  queueMicrotask(() => respond([]));
  expect(await late).toBe(false);
});

test("a key that another process creates during a query is found by a second query", async () => {
  const [first, second] = [maker.make(), maker.make()];
  const digestOf = (key: string) => maker.digest(key).toString("base64");
  const pending: ((digests: string[]) => void)[] = [];
  const slow = createKeyRing(
    maker,
    () => new Promise((resolve) => pending.push(resolve)),
    () => clock,
  );
  const early = slow.isValid(first);
  clock += 1;
  const late = slow.isValid(second);
  pending[0]?.([digestOf(first)]);
  expect(await early).toBe(true);
  await expect.poll(() => pending.length).toBe(2);
  pending[1]?.([digestOf(first), digestOf(second)]);
  expect(await late).toBe(true);
});

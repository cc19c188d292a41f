import { randomBytes } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { createKeyRing, type KeyRing, type StoredKey } from "./key-ring";
import { firstKeySet } from "./key-set";
import { createKeyMaker } from "./secret";

const masterKey = "mk_the-master-key-0001";
const maker = createKeyMaker([masterKey], firstKeySet(masterKey), randomBytes);
let stored: Map<string, StoredKey>;
let clock: number;
let loads: number;
let uses: [digest: string, usedAt: number][];
let ring: KeyRing;

beforeEach(() => {
  stored = new Map();
  clock = 0;
  loads = 0;
  uses = [];
  ring = createKeyRing({
    keyMaker: maker,
    load: async () => {
      loads += 1;
      return [...stored.values()];
    },
    monotonicNow: () => clock,
    now: () => clock,
    onUse: (digest, usedAt) => uses.push([digest, usedAt]),
  });
});

const digestOf = (key: string) => maker.digest(key).toString("base64");
const add = (key: string, rest: Partial<StoredKey> = {}) =>
  stored.set(digestOf(key), { digest: digestOf(key), ...rest });
const remove = (key: string) => stored.delete(digestOf(key));
const isValid = async (key: string, keyRing = ring) => (await keyRing.find(key)) !== undefined;

test("a found key has its label", async () => {
  const key = maker.make();
  add(key, { label: "billing" });
  expect(await ring.find(key)).toMatchObject({ label: "billing" });
});

test("a key is rejected from the moment it expires", async () => {
  const key = maker.make();
  add(key, { expiresAt: 300 });
  clock = 299;
  expect(await isValid(key)).toBe(true);
  clock = 300;
  expect(await isValid(key)).toBe(false);
});

test("a use is reported at most once a minute per key", async () => {
  const [key, other] = [maker.make(), maker.make()];
  add(key);
  add(other);
  for (clock = 0; clock <= 120_000; clock += 20_000) await ring.find(key);
  await ring.find(other);
  expect(uses).toEqual([
    [digestOf(key), 0],
    [digestOf(key), 60_000],
    [digestOf(key), 120_000],
    [digestOf(other), clock],
  ]);
});

test("a valid key causes no query within half a second", async () => {
  const key = maker.make();
  add(key);
  for (clock = 0; clock < 500; clock += 1) expect(await isValid(key)).toBe(true);
  expect(loads).toBe(1);
});

test("a key that another process deleted is rejected within a second", async () => {
  const key = maker.make();
  add(key);
  expect(await isValid(key)).toBe(true);
  remove(key);
  clock += 501;
  expect(await isValid(key)).toBe(false);
});

test("a key that another process created is accepted immediately", async () => {
  const first = maker.make();
  add(first);
  expect(await isValid(first)).toBe(true);
  const second = maker.make();
  add(second);
  clock += 1;
  expect(await isValid(second)).toBe(true);
});

test("a key that this process deleted is rejected by the next request", async () => {
  const key = maker.make();
  add(key);
  expect(await isValid(key)).toBe(true);
  remove(key);
  ring.forget();
  expect(await isValid(key)).toBe(false);
});

test("a deleted key that is sent many times causes one query", async () => {
  const key = maker.make();
  expect(await isValid(key)).toBe(false);
  const before = loads;
  for (let call = 0; call < 100; call += 1) {
    clock += 1;
    expect(await isValid(key)).toBe(false);
  }
  expect(loads).toBe(before);
});

test("a query from before a deletion is ignored after it", async () => {
  const key = maker.make();
  let respond: (keys: StoredKey[]) => void = () => undefined;
  const slow = createSlowRing((resolve) => {
    respond = resolve;
  });
  const early = isValid(key, slow);
  clock += 1;
  slow.forget();
  respond([{ digest: digestOf(key) }]);
  expect(await early).toBe(true);
  const late = isValid(key, slow);
  respond([]);
  clock += 1;
  // A second query follows, because the first began before the request. It finds nothing either.
  queueMicrotask(() => respond([]));
  expect(await late).toBe(false);
});

test("a key that another process creates during a query is found by a second query", async () => {
  const [first, second] = [maker.make(), maker.make()];
  const pending: ((keys: StoredKey[]) => void)[] = [];
  const slow = createSlowRing((resolve) => pending.push(resolve));
  const early = isValid(first, slow);
  clock += 1;
  const late = isValid(second, slow);
  pending[0]?.([{ digest: digestOf(first) }]);
  expect(await early).toBe(true);
  await expect.poll(() => pending.length).toBe(2);
  pending[1]?.([{ digest: digestOf(first) }, { digest: digestOf(second) }]);
  expect(await late).toBe(true);
});

/** A ring whose look-ups end when the test resolves them. */
function createSlowRing(onLoad: (resolve: (keys: StoredKey[]) => void) => unknown): KeyRing {
  const load = () => new Promise<StoredKey[]>((resolve) => void onLoad(resolve));
  return createKeyRing({ keyMaker: maker, load, monotonicNow: () => clock, now: () => clock });
}

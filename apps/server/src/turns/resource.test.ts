import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Client, runAs } from "./client";
import { KeyedTurns } from "./keyed-turns";
import { type Hold, Resource } from "./resource";
import { Waits } from "./waits";

const user = (name: string): Client => ({ kind: "user", name });
const [attacker, other] = [user("attacker"), user("other")];
const key: Client = { kind: "key", name: "key" };
const master: Client = { kind: "master", name: "master" };

const connections = (total: number, maxWaitMs?: number) =>
  new Resource({ name: "connections", what: "connections", total, ...(maxWaitMs && { maxWaitMs }) });

/** Takes as many single units as a client gets at once. */
function takeAll(resource: Resource, client: Client): Hold[] {
  const holds: Hold[] = [];
  for (let hold = resource.tryTake(1, client); hold !== undefined; hold = resource.tryTake(1, client))
    holds.push(hold);
  return holds;
}

test.each([
  // The total, and what a user and a key get of it.
  [1, 1, 1],
  [2, 1, 1],
  [3, 1, 2],
  [10, 3, 7],
  [100, 37, 75],
])("of %i, a user alone gets %i, and a key alone %i", (total, ofUser, ofKey) => {
  expect(takeAll(connections(total), attacker)).toHaveLength(ofUser);
  expect(takeAll(connections(total), key)).toHaveLength(ofKey);
});

test("however many users hold what they may, the keys of the application get something at once", () => {
  const resource = connections(10);
  for (let count = 0; count < 1_000; count++) takeAll(resource, user(`user ${count}`));
  expect(resource.state.inUse).toBe(7);
  expect(takeAll(resource, key).length).toBeGreaterThan(0);
  expect(takeAll(resource, master).length).toBeGreaterThan(0);
});

test("who waits with one request is served after one of another client, not after all of them", async () => {
  const resource = connections(1);
  const served: string[] = [];
  const work = (client: Client, name: string) =>
    runAs(client, () => resource.run(async () => void served.push(name)));
  const first = await resource.take(1, attacker);
  const waiting = [1, 2, 3].map((index) => work(attacker, `attack ${index}`));
  waiting.push(work(other, "other"), work(key, "key"));
  first.release();
  await Promise.all(waiting);
  expect(served.indexOf("key")).toBeLessThan(2);
  expect(served.indexOf("other")).toBeLessThan(3);
  expect(served.filter((name) => name.startsWith("attack"))).toEqual(["attack 1", "attack 2", "attack 3"]);
});

test("a client that waits with too many requests is rejected with 429, and no other one", async () => {
  const resource = connections(1);
  const held = await resource.take(1, attacker);
  const release = (hold: Hold) => hold.release();
  const waiting = Array.from({ length: 64 }, () => resource.take(1, attacker).then(release));
  await expect(resource.take(1, attacker)).rejects.toMatchObject({
    code: "rate_limited",
    retryAfterSeconds: 1,
  });
  waiting.push(resource.take(1, other).then(release));
  expect(resource.state).toEqual({ inUse: 1, waiting: 65, rejected: 1 });
  held.release();
  await Promise.all(waiting);
});

test("what waits too long is rejected: with 429 for what it holds itself, otherwise with 503", async () => {
  const resource = connections(1, 20);
  await resource.take(1, attacker);
  await expect(resource.take(1, attacker)).rejects.toMatchObject({ code: "rate_limited" });
  await expect(resource.take(1, other)).rejects.toMatchObject({ code: "unavailable" });
  expect(resource.state.waiting).toBe(0);
});

test("bytes: the small requests of a client succeed beside its large ones, and those of others beside any", async () => {
  const resource = new Resource({ name: "bodies", what: "bytes", total: 32_000, small: 64 });
  while (resource.tryTake(8_000, key) !== undefined);
  expect(resource.of(key)).toBe(16_000);
  expect(resource.tryTake(64, key)).toBeDefined();
  for (let count = 0; count < 100; count++) while (resource.tryTake(1_000, user(`${count}`)) !== undefined);
  expect(resource.tryTake(1_000, other)).toBeUndefined();
  while (resource.tryTake(32, user(`${resource.state.inUse}`)) && resource.state.inUse < 32_000);
  expect(resource.tryTake(64, other)).toBeDefined();
});

test("what a hold has too much goes to those who wait, and what it has beyond counts", async () => {
  const resource = new Resource({ name: "responses", what: "bytes", total: 100, keptForKeys: 0 });
  const page = await resource.take(60, master);
  const waiting = resource.take(60, other);
  page.resize(10);
  const second = await waiting;
  second.resize(90);
  expect(resource.state.inUse).toBe(100);
  expect(resource.tryTake(1, key)).toBeUndefined();
  second.release();
  second.release();
  second.resize(50);
  expect(resource.state.inUse).toBe(10);
});

test("of the writes of one channel, a user has one at a time, and those of another channel do not wait", async () => {
  const turns = new KeyedTurns({ name: "channels", what: "changes" });
  let running = 0;
  let most = 0;
  const write = (channelId: string) =>
    runAs(attacker, () =>
      turns.run(channelId, async () => {
        most = Math.max(most, ++running);
        await sleep(5);
        running -= 1;
      }),
    );
  await Promise.all(Array.from({ length: 10 }, () => write("one")));
  expect(most).toBe(1);
  await Promise.all(["one", "two"].map(write));
  expect(most).toBe(2);
  expect(turns.state).toEqual({ inUse: 0, waiting: 0, rejected: 0 });
});

test("a request waits for all its turns together as long as one request may", async () => {
  const [first, second] = [connections(1, 60_000), connections(1, 60_000)];
  const held = await first.take(1, other);
  await second.take(1, other);
  const startedAt = performance.now();
  const waits = new Waits(400);
  const request = runAs(
    attacker,
    async () => {
      await first.take();
      await second.take();
    },
    waits,
  );
  await sleep(200);
  held.release();
  await expect(request).rejects.toMatchObject({ code: "unavailable" });
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(390);
  // A timer may fire a little early.
  expect(waits.leftMs).toBeLessThan(5);
});

test("turns that a request waits for at the same time count once, and none what it does between them", async () => {
  const resources = [connections(1, 60_000), connections(1, 60_000), connections(1, 60_000)];
  const holds = await Promise.all(resources.map((each) => each.take(1, other)));
  const waits = new Waits(60_000);
  const startedAt = performance.now();
  const request = runAs(attacker, () => Promise.all(resources.map((each) => each.take())), waits);
  await sleep(200);
  for (const hold of holds) hold.release();
  await request;
  const waitedMs = performance.now() - startedAt;
  await sleep(50);
  expect(60_000 - waits.leftMs).toBeGreaterThanOrEqual(190);
  expect(60_000 - waits.leftMs).toBeLessThanOrEqual(waitedMs + 1);
});

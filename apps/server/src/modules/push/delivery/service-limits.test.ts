import { expect, test } from "vitest";
import { ServiceLimits } from "./service-limits";

const due = (services: readonly string[], isFailing = false) =>
  services.map((service) => ({ service, isFailing }));
const freeOf = (limits: ServiceLimits, service: string) => limits.freeOf(due([service])).get(service) ?? 0;
const begin = (limits: ServiceLimits, service: string, count: number) => {
  for (let index = 0; index < count; index++) limits.begin(service);
};
const beginAll = (limits: ServiceLimits, free: ReadonlyMap<string, number>) => {
  for (const [service, count] of free) begin(limits, service, count);
};
const fail = (limits: ServiceLimits, service: string) => {
  limits.begin(service);
  limits.end(service, false);
};
const manyNames = (name: string) => Array.from({ length: 150 }, (_, index) => `${name}-${index}`);

test("a service gets more pushes at once after each success, up to 50, and fewer after each failure", () => {
  const limits = new ServiceLimits();
  const sizes = [freeOf(limits, "one")];
  for (const isAccepted of [true, true, true, true, undefined, false, false, false, false, false, false]) {
    limits.begin("one");
    limits.end("one", isAccepted);
    sizes.push(freeOf(limits, "one"));
  }
  expect(sizes).toEqual([8, 16, 32, 50, 50, 50, 25, 12, 6, 3, 1, 1]);
});

test("one that takes all that it gets leaves the others what they had", () => {
  const limits = new ServiceLimits();
  begin(limits, "slow", 8);
  expect(limits.freeOf(due(["slow", "good"]))).toEqual(new Map([["good", 8]]));
});

test("those that have accepted nothing yet share 100; one that has is not limited by them", () => {
  const limits = new ServiceLimits();
  limits.begin("good");
  limits.end("good", true);
  const free = limits.freeOf(due([...manyNames("unknown"), "good"]));
  expect([...free.values()].reduce((sum, count) => sum + count, 0)).toBe(100 + 16);
  beginAll(limits, free);
  expect(limits.freeOf(due([...manyNames("unknown"), "good", "new"]))).toEqual(new Map());
  limits.end("good", true);
  expect(freeOf(limits, "good")).toBeGreaterThan(0);
});

test("those that fail leave a part to a new one, however many they are", () => {
  const limits = new ServiceLimits();
  const dead = manyNames("dead");
  for (const service of dead) fail(limits, service);
  beginAll(limits, limits.freeOf(due(dead)));
  expect(limits.freeOf(due([...dead, "new"]))).toEqual(new Map([["new", 8]]));
});

test("one that failed for an earlier process begins with one push, after those that did not", () => {
  const limits = new ServiceLimits();
  const free = limits.freeOf([...due(manyNames("dead"), true), ...due(["new"])]);
  expect(free.get("new")).toBe(8);
  expect(free.get("dead-0")).toBe(1);
  expect(free.size).toBeLessThan(52);
});

test("the services of Google and Apple, whose addresses nobody chooses, wait for no other one", () => {
  const limits = new ServiceLimits();
  beginAll(limits, limits.freeOf(due(manyNames("unknown"))));
  expect(limits.freeOf(due(["new", "fcm", "apns"]))).toEqual(
    new Map([
      ["fcm", 8],
      ["apns", 8],
    ]),
  );
});

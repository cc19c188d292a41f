import { expect, test } from "vitest";
import { ServiceLimits } from "./service-limits";

const freeOf = (limits: ServiceLimits, service: string) => limits.freeOf([service]).get(service) ?? 0;
const begin = (limits: ServiceLimits, service: string, count: number) => {
  for (let index = 0; index < count; index++) limits.begin(service);
};

test("a service gets more pushes at once after each success, up to 50, and fewer after each failure", () => {
  const limits = new ServiceLimits();
  const sizes = [freeOf(limits, "one")];
  for (const isAccepted of [true, true, true, true, false, false, false, false, false, false, false]) {
    limits.begin("one");
    limits.end("one", isAccepted);
    sizes.push(freeOf(limits, "one"));
  }
  expect(sizes).toEqual([8, 16, 32, 50, 50, 25, 12, 6, 3, 1, 1, 1]);
});

test("one that takes all that it gets leaves the others what they had", () => {
  const limits = new ServiceLimits();
  begin(limits, "slow", 8);
  expect(limits.freeOf(["slow", "good"])).toEqual(new Map([["good", 8]]));
});

test("those that have accepted nothing yet share 100; one that has is not limited by them", () => {
  const limits = new ServiceLimits();
  limits.begin("good");
  limits.end("good", true);
  const dead = Array.from({ length: 30 }, (_, index) => `dead-${index}`);
  const free = limits.freeOf([...dead, "good"]);
  expect([...free.values()].reduce((sum, count) => sum + count, 0)).toBe(100 + 16);
  for (const [service, count] of free) begin(limits, service, count);
  expect(limits.freeOf([...dead, "new"])).toEqual(new Map());
  limits.end("good", true);
  expect(freeOf(limits, "good")).toBeGreaterThan(0);
});

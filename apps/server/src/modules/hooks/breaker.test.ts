import { expect, test } from "vitest";
import { Breaker } from "./breaker";

function createBreaker() {
  const clock = { now: 0 };
  const breaker = new Breaker(() => clock.now);
  const fail = (times: number, senders = ["kim", "park"]) =>
    Array.from({ length: times }, (_, index) => breaker.count(true, senders[index % senders.length] ?? ""));
  return { clock, breaker, fail };
}

test("ten failures in a row pause a hook for 30 seconds", () => {
  const { clock, breaker, fail } = createBreaker();
  expect(fail(10)).toEqual([...Array<boolean>(9).fill(false), true]);
  expect(breaker.pausedMs).toBe(30_000);
  clock.now = 30_000;
  expect(breaker.pausedMs).toBe(0);
});

test("a success in between begins a new row", () => {
  const { breaker, fail } = createBreaker();
  fail(9);
  breaker.count(false, "kim");
  expect(fail(9)).not.toContain(true);
  expect(fail(1)).toEqual([true]);
});

test("failures during a pause do not extend it, and the first ones of two senders after it begin another", () => {
  const { clock, breaker, fail } = createBreaker();
  fail(10);
  clock.now = 29_000;
  expect(fail(2)).toEqual([false, false]);
  expect(breaker.pausedMs).toBe(1_000);
  clock.now = 30_000;
  expect(fail(2)).toEqual([false, true]);
  expect(breaker.pausedMs).toBe(30_000);
});

test("failures for one sender alone never pause it, neither at first nor after a success or a pause", () => {
  const { clock, breaker, fail } = createBreaker();
  const failForOne = () => expect(fail(20, ["kim"])).not.toContain(true);
  failForOne();
  breaker.count(false, "park");
  failForOne();
  expect(fail(1, ["park"])).toEqual([true]);
  clock.now = 30_000;
  failForOne();
});

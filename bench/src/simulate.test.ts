import { expect, test } from "vitest";
import { simulate } from "./simulate";

const demand = { loadMs: 0.1, nodeMs: 0.4, postgresMs: 0.5, waitMs: 1 };
const system = { connections: 64, processes: 1, poolSize: 20, processors: 64 };
const perSecond = (change: Partial<typeof system>, of = demand) => simulate(of, { ...system, ...change });

test("one client gets a response after the sum of all demands", () => {
  expect(perSecond({ connections: 1 })).toBeCloseTo(500, -1);
});

test("with enough processors, a process of Node is the limit, and two processes allow twice as much", () => {
  expect(perSecond({})).toBeCloseTo(2_500, -2);
  expect(perSecond({ processes: 2 })).toBeCloseTo(5_000, -2);
});

test("with few processors, their number is the limit", () => {
  expect(perSecond({ processors: 2, processes: 4 })).toBeCloseTo(2_000, -2);
});

test("the client and the pool are limits, too", () => {
  expect(perSecond({ processes: 16 }, { ...demand, loadMs: 1 })).toBeCloseTo(1_000, -2);
  expect(perSecond({ processes: 16, poolSize: 1 })).toBeCloseTo(2_000, -2);
});

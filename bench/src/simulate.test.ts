import { expect, test } from "vitest";
import { type Demand, simulate } from "./simulate";

const numbering = { nodeMs: 0, postgresMs: 0, notifiedMs: 0 };
const demand: Demand = { loadMs: 0.1, nodeMs: 0.4, postgresMs: 0.5, flushMs: 1, numbering };
const system = { clients: 64, processes: 1, poolSize: 20, processors: 64 };
const perSecond = (change: Partial<typeof system>, of = demand) => simulate(of, { ...system, ...change });

test("one client gets a response after the sum of all demands", () => {
  expect(perSecond({ clients: 1 })).toBeCloseTo(500, -1);
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

test("one process numbers events, and all are notified", () => {
  // About 45 times per second, because each time waits 20 ms and takes 2 ms or more.
  const shared = { processors: 1, clients: 16 };
  const idle = perSecond(shared);
  expect(idle).toBeCloseTo(1_000, -2);
  const one = perSecond(shared, { ...demand, numbering: { ...numbering, postgresMs: 1 } });
  expect(one).toBeLessThan(0.97 * idle);
  const notifying = { ...demand, numbering: { ...numbering, notifiedMs: 1 } };
  const [two, four] = [
    perSecond({ ...shared, processes: 2 }, notifying),
    perSecond({ ...shared, processes: 4 }, notifying),
  ];
  expect(four).toBeLessThan(0.93 * two);
});

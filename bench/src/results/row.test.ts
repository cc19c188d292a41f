import { expect, test } from "vitest";
import { evaluate, verdictOf } from "./row";

test("the ratio is the baseline's processor time divided by the subject's, of Node and PostgreSQL together", () => {
  const row = evaluate({ title: "get" }, rounds([1.5, 1.5, 1.5]), 1);
  expect(row.ratio).toEqual({ median: 1.5, spread: 0 });
  expect(verdictOf(row)).toBe("");
});

test("a p99 above the limit does not reach it", () => {
  const verdictWith = (maxP99Ms: number) =>
    verdictOf(evaluate({ title: "get", maxP99Ms }, rounds([1, 1, 1]), 1));
  expect([verdictWith(10), verdictWith(9)]).toEqual(["reached", "not reached"]);
});

test("rounds that spread too far, failed requests and missing processor times allow no verdict", () => {
  const noVerdict = (...args: Parameters<typeof rounds>) => {
    const row = evaluate({ title: "get", maxP99Ms: 100 }, rounds(...args), 3);
    expect(verdictOf(row)).toBe("no verdict");
    return row.fault;
  };
  expect(noVerdict([1, 1.5, 2])).toMatch(/spread by 33 %, measured 3 times/);
  expect(noVerdict([1, 1, 1], { failed: 1 })).toBe("3 requests failed");
  expect(noVerdict([1, 1, 1], { nodeMs: Number.NaN })).toMatch(/not available/);
});

/** Rounds in which the baseline costs 2 ms per request. */
function rounds(ratios: readonly number[], changed: { failed?: number; nodeMs?: number } = {}) {
  const measured = {
    perSecond: 1_000,
    p99Ms: 10,
    nodeMs: 1,
    postgresMs: 1,
    loadMs: 0,
    othersMs: 0,
    otherProcessors: 0,
    failed: 0,
  };
  return ratios.map((ratio) => ({
    subject: { ...measured, nodeMs: 0.5 / ratio, postgresMs: 1.5 / ratio, ...changed },
    baseline: measured,
  }));
}

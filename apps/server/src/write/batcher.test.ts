import { expect, onTestFinished, test, vi } from "vitest";
import { type Batching, createBatcher } from "./batcher";

interface Call {
  readonly key: string;
  readonly value: number;
  readonly claim?: string;
}

interface Run {
  readonly values: readonly number[];
  /** For a batch, whether it has one key. */
  readonly isOneGroup: boolean | "alone";
  end(results?: readonly (number | undefined)[]): void;
  fail(error: Error): void;
}

/** A batcher whose runs end when the test ends them. A result is its call's value. */
function startBatcher(change: Partial<Batching<Call, number>> = {}) {
  const runs: Run[] = [];
  const start = <Result>(
    calls: readonly Call[],
    isOneGroup: Run["isOneGroup"],
    convert: (r: unknown[]) => Result,
  ) =>
    new Promise<Result>((resolve, reject) => {
      const values = calls.map(({ value }) => value);
      runs.push({
        values,
        isOneGroup,
        end: (results = values) => resolve(convert([...results])),
        fail: reject,
      });
    });
  const add = createBatcher<Call, number>({
    groupOf: ({ key }) => key,
    namesOf: ({ claim }) => (claim === undefined ? [] : [claim]),
    maxRunning: 2,
    runMany: (calls) =>
      start(
        calls,
        new Set(calls.map(({ key }) => key)).size === 1,
        (results) => results as (number | undefined)[],
      ),
    runOne: (call) => start([call], "alone", ([result]) => Number(result)),
    ...change,
  });
  const began = () => runs.map(({ values }) => values);
  const run = (index: number) => runs[index] ?? expect.fail(`run ${index} has not begun`);
  return {
    add: (key: string, value: number, claim?: string) => add({ key, value, ...(claim && { claim }) }),
    runs,
    began,
    run,
  };
}

/** Returns a function that moves the clock on. Timers are real. */
function stopClock(): (ms: number) => void {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  return (ms) => void vi.advanceTimersByTime(ms);
}

/** Lets everything that is settled take effect. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("a call starts at once, and the calls that arrive while batches run form the next one", async () => {
  const { add, began, run, runs } = startBatcher();
  const values = Array.from({ length: 67 }, (_, index) => index + 1);
  const results = values.map((value) => add(`key_${value}`, value));
  expect(began()).toEqual([[1], [2]]);
  run(0).end();
  await settled();
  expect(began()).toEqual([[1], [2], values.slice(2, 66)]);
  run(1).end();
  await settled();
  expect(began()[3]).toEqual([67]);
  for (const each of runs) each.end();
  expect(await Promise.all(results)).toEqual(values);
});

test("calls with one key run in order, in one batch at a time, and delay no other key", async () => {
  const { add, began, run, runs } = startBatcher();
  const results = [add("a", 1), add("a", 2), add("a", 3), add("b", 4)];
  expect(began()).toEqual([[1], [4]]);
  run(1).end();
  await settled();
  expect(began()).toEqual([[1], [4]]);
  run(0).end();
  await settled();
  expect(began()[2]).toEqual([2, 3]);
  expect(run(2).isOneGroup).toBe(true);
  for (const each of runs) each.end();
  expect(await Promise.all(results)).toEqual([1, 2, 3, 4]);
});

test("calls that must be distinct are in different batches, and later calls of their keys stay behind them", async () => {
  const { add, began, run } = startBatcher({ maxRunning: 1 });
  void add("a", 0);
  void add("a", 1, "same");
  void add("b", 2, "same");
  void add("b", 3);
  run(0).end();
  await settled();
  expect(began()[1]).toEqual([1]);
  run(1).end();
  await settled();
  expect(began()[2]).toEqual([2, 3]);
});

test("calls that a batch passes over run again by key, may then wait, and finally run alone", async () => {
  const { add, began, run } = startBatcher({ maxRunning: 1 });
  void add("x", 0);
  const results = [add("a", 1), add("a", 2), add("b", 3)];
  run(0).end();
  await settled();
  expect(run(1)).toMatchObject({ values: [1, 2, 3], isOneGroup: false });
  run(1).end([undefined, undefined, 3]);
  await settled();
  expect(await results[2]).toBe(3);
  expect(run(2)).toMatchObject({ values: [1, 2], isOneGroup: true });
  run(2).end([1, undefined]);
  await settled();
  expect(run(3)).toMatchObject({ values: [2], isOneGroup: "alone" });
  run(3).end();
  expect(await Promise.all(results)).toEqual([1, 2, 3]);
  expect(began()).toHaveLength(4);
});

test("if one call makes a batch fail, only that call is rejected", async () => {
  const { add, run, runs } = startBatcher({ maxRunning: 1 });
  void add("x", 0);
  const results = [add("a", 1), add("b", 2)];
  run(0).end();
  await settled();
  run(1).fail(new Error("bad row"));
  await settled();
  runs
    .find(({ values, isOneGroup }) => isOneGroup === "alone" && values[0] === 1)
    ?.fail(new Error("bad row"));
  runs.find(({ values, isOneGroup }) => isOneGroup === "alone" && values[0] === 2)?.end();
  expect(await Promise.allSettled(results)).toMatchObject([
    { status: "rejected", reason: { message: "bad row" } },
    { status: "fulfilled", value: 2 },
  ]);
});

test("if the database is unavailable, a batch is rejected as a whole, and so are the calls that waited for it", async () => {
  const advance = stopClock();
  const { add, run, began } = startBatcher({ maxRunning: 1 });
  void add("x", 0);
  const results = [add("a", 1), add("b", 2)];
  run(0).end();
  await settled();
  const waited = add("a", 3);
  const other = add("c", 4);
  advance(251);
  run(1).fail(Object.assign(new Error("refused"), { code: "ECONNREFUSED" }));
  expect(await Promise.allSettled([...results, waited])).toMatchObject([
    { reason: { message: "refused" } },
    { reason: { message: "refused" } },
    { reason: { code: "unavailable" } },
  ]);
  await settled();
  expect(began()[2]).toEqual([4]);
  run(2).end();
  expect(await other).toBe(4);
});

const cancelled = () => Object.assign(new Error("canceling statement"), { code: "57014" });
const lockTimeout = () => Object.assign(new Error("lock timeout"), { code: "55P03" });

test("if a statement is cancelled, the calls of its batch run alone", async () => {
  const { add, run, began } = startBatcher({ maxRunning: 1 });
  void add("x", 0);
  const results = [add("a", 1), add("b", 2)];
  run(0).end();
  await settled();
  run(1).fail(cancelled());
  await settled();
  expect(began().slice(2)).toEqual([[1], [2]]);
  run(2).end();
  run(3).end();
  expect(await Promise.all(results)).toEqual([1, 2]);
});

test("after a failed batch, the calls of one key run one after another, until the database is unavailable", async () => {
  const { add, run, began } = startBatcher({ maxRunning: 1 });
  void add("a", 0);
  const results = [add("a", 1), add("a", 2), add("a", 3)];
  run(0).end();
  await settled();
  const later = add("a", 4);
  run(1).fail(new Error("bad row"));
  await settled();
  expect(began().slice(2)).toEqual([[1]]);
  run(2).end();
  await settled();
  expect(began().slice(3)).toEqual([[2]]);
  run(3).fail(Object.assign(new Error("refused"), { code: "ECONNREFUSED" }));
  expect(await Promise.allSettled(results)).toMatchObject([
    { value: 1 },
    { reason: { message: "refused" } },
    { reason: { message: "refused" } },
  ]);
  await settled();
  run(4).end();
  expect(await later).toBe(4);
});

test("calls that waited for a lock together are rejected together", async () => {
  const { add, run, runs } = startBatcher({ maxRunning: 1 });
  void add("a", 0);
  const results = [add("a", 1), add("a", 2)];
  run(0).end();
  await settled();
  run(1).fail(lockTimeout());
  for (const result of await Promise.allSettled(results))
    expect(result).toMatchObject({ reason: { code: "55P03" } });
  expect(runs).toHaveLength(2);
});

test("a call that waited too long is rejected, and one that arrives later runs", async () => {
  const advance = stopClock();
  const { add, run, began } = startBatcher({ maxRunning: 1 });
  void add("x", 0);
  const late = add("a", 1);
  advance(1_999);
  const inTime = add("a", 2);
  advance(2);
  run(0).end();
  await expect(late).rejects.toMatchObject({ code: "unavailable" });
  await settled();
  expect(began()).toEqual([[0], [2]]);
  run(1).end();
  expect(await inTime).toBe(2);
});

test("a slow batch delays no other, except those of its keys", async () => {
  const { add, began, run } = startBatcher({ maxRunning: 1 });
  void add("a", 1);
  const later = [add("a", 2), add("b", 3)];
  expect(began()).toEqual([[1]]);
  await expect.poll(began).toEqual([[1], [3]]);
  run(1).end();
  expect(await later[1]).toBe(3);
  expect(began()).toHaveLength(2);
});

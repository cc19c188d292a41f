import { beforeEach, expect, test } from "vitest";
import { type Fresh, keepFresh } from "./keep-fresh";

let clock: number;
let pending: PromiseWithResolvers<string>[];
let fresh: Fresh<string>;

beforeEach(() => {
  clock = 0;
  pending = [];
  fresh = keepFresh(
    () => {
      const query = Promise.withResolvers<string>();
      pending.push(query);
      return query.promise;
    },
    () => clock,
  );
});

test("a result serves as long as it is new enough, also while the next query runs", async () => {
  const first = fresh.since(0);
  pending[0]?.resolve("first");
  expect(await first).toBe("first");
  clock = 10;
  expect(await fresh.since(0)).toBe("first");
  const second = fresh.since(10);
  expect(await fresh.since(0)).toBe("first");
  pending[1]?.resolve("second");
  expect(await second).toBe("second");
  expect(pending).toHaveLength(2);
});

test("however long a query takes, all who came before it have its result, and all who came during it share the next one", async () => {
  const before = [fresh.since(-500), fresh.since(0)];
  clock = 600;
  const during = [fresh.since(100), fresh.since(600)];
  clock = 5_000;
  pending[0]?.resolve("first");
  expect(await Promise.all(before)).toEqual(["first", "first"]);
  await expect.poll(() => pending.length).toBe(2);
  pending[1]?.resolve("second");
  expect(await Promise.all(during)).toEqual(["second", "second"]);
  expect(pending).toHaveLength(2);
});

test("a query from before `forget` serves only who came before it", async () => {
  const before = fresh.since(0);
  clock = 1;
  fresh.forget();
  const after = fresh.since(0);
  pending[0]?.resolve("old");
  expect(await before).toBe("old");
  await expect.poll(() => pending.length).toBe(2);
  pending[1]?.resolve("new");
  expect(await after).toBe("new");
});

test("a failure is that of those who wait for it: the next one sends a query, and an earlier result stays", async () => {
  const first = fresh.since(0);
  pending[0]?.resolve("first");
  await first;
  clock = 1;
  const failing = [fresh.since(1), fresh.since(1)];
  pending[1]?.reject(new Error("The database does not respond."));
  for (const each of failing) await expect(each).rejects.toThrow("does not respond");
  expect(await fresh.since(0)).toBe("first");
  const next = fresh.since(1);
  pending[2]?.resolve("next");
  expect(await next).toBe("next");
});

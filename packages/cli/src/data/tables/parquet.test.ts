import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readParquet, writeParquet } from "./parquet";
import { tables } from "./tables";

const folder = await mkdtemp(join(tmpdir(), "madang-parquet-"));
afterAll(() => rm(folder, { recursive: true }));

test.each([false, true])("row groups of any size are read in parts, reversed: %s", async (isReversed) => {
  const rows = Array.from({ length: 25_000 }, (_, index) => ({ user_id: `user_${index}`, name: "Kim" }));
  const path = join(folder, `${isReversed}.parquet`);
  await writeParquet(path, tables.users, inGroups());
  const sizes: number[] = [];
  const read: unknown[] = [];
  for await (const batch of readParquet(path, tables.users, isReversed)) {
    sizes.push(batch.length);
    read.push(...batch);
  }
  expect(sizes.sort((one, other) => other - one)).toEqual([10_000, 10_000, 4_000, 1_000]);
  const expected = rows.map((row, index) => ({ line: index + 1, row }));
  expect(read).toEqual(isReversed ? expected.reverse() : expected);

  async function* inGroups() {
    yield rows.slice(0, 24_000);
    yield rows.slice(24_000);
  }
});

test("any end of a suspension is read back", async () => {
  const rows = [0, 4_102_444_800_000, Number.MAX_SAFE_INTEGER].map((suspended_until) => ({
    suspended_until,
  }));
  const path = join(folder, "ends.parquet");
  await writeParquet(path, tables.users, toAsync([rows]));
  const read: unknown[] = [];
  for await (const batch of readParquet(path, tables.users, false))
    for (const entry of batch) read.push("row" in entry && entry.row);
  expect(read).toEqual(rows);

  async function* toAsync<Item>(items: readonly Item[]) {
    yield* items;
  }
});

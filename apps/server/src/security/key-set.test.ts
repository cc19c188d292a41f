import { randomBytes } from "node:crypto";
import { afterAll, afterEach, expect, test } from "vitest";
import { connectTo, createDatabase } from "../../test/support/database";
import { openKeySet } from "./key-set";

const first = "mk_the-first-master-key";
const second = "mk_the-second-master-key";
const third = "mk_the-third-master-key";
const wrongKey = /^The master key is not that of this database/;

const database = await createDatabase();
const db = connectTo(database.url);
afterAll(async () => {
  await db.close();
  await database.drop();
});
afterEach(() => db.query({ name: "empty", text: "DELETE FROM secrets" }));

const open = (current: string, previous?: string) => openKeySet(db, { current, previous }, randomBytes);

test("another master key is rejected, and changes nothing", async () => {
  const keySet = await open(first);
  await expect(open(second)).rejects.toThrow(wrongKey);
  await expect(open(second, third)).rejects.toThrow(wrongKey);
  expect(await open(first)).toEqual(keySet);
});

test("during a change, processes with either key start, in any order", async () => {
  const keySet = await open(first);
  const starts: [string, string?][] = [[second, first], [first], [second, first], [first], [first, second]];
  for (const [current, previous] of starts) expect(await open(current, previous)).toEqual(keySet);
});

test("a start with the new key alone ends the change: it adds a seal key and rejects the old master key", async () => {
  const { root, sealKeys } = await open(first);
  await open(second, first);
  const ended = await open(second);
  expect(ended).toEqual({ root, sealKeys: [expect.any(Buffer), ...sealKeys] });
  expect(await open(second)).toEqual(ended);
  expect(await open(second, first)).toEqual(ended);
  await expect(open(first)).rejects.toThrow(wrongKey);
});

test("a change can be undone, and a second one can follow", async () => {
  const { root } = await open(first);
  await open(second, first);
  await open(first, second);
  expect((await open(first)).sealKeys).toHaveLength(2);
  await open(third, first);
  expect(await open(third)).toMatchObject({ root, sealKeys: { length: 3 } });
});

test("of many processes that start at once, all get the same key set", async () => {
  const sets = await Promise.all(Array.from({ length: 8 }, () => open(first)));
  expect(new Set(sets.map((keySet) => JSON.stringify(keySet))).size).toBe(1);
  await open(second, first);
  const ended = await Promise.all(Array.from({ length: 8 }, () => open(second)));
  expect(new Set(ended.map((keySet) => JSON.stringify(keySet))).size).toBe(1);
});

test("of many processes with different master keys on an empty database, one kind starts", async () => {
  const started = await Promise.allSettled(
    Array.from({ length: 8 }, (_, index) => open(index % 2 === 0 ? first : second)),
  );
  expect(started.filter(({ status }) => status === "fulfilled")).toHaveLength(4);
});

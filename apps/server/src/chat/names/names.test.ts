import { ids } from "@madang/client";
import { expect, test } from "vitest";
import { createResources } from "../../turns/resources";
import { fold, plainCharacters } from "./fold";
import { createNameMatcher, createNameSearch, idsOf, type NameSource } from "./names";
import type { WalkedName } from "./names-store";

test.each([
  ["min j", "Kim Min-ji", true],
  ["kim", "O'Kim", true],
  ["im", "Kim", false],
  ["min ji", "Min Kim-ji", false],
  ["kim min", "kim_MIN", true],
  ["이", "김이", false],
  ["हि", "हिन्दी", true],
  ["ह", "हिन्दी", true],
  ["дом", "Белый Дом", true],
  ["2", "Team 2024", true],
  ["24", "Team 2024", false],
  ["-", "a-b", true],
  ["🎉", "Party🎉", true],
  ["🎉 par", "Party", true],
  ["  ", "a b", false],
])("q %j finds the name %j: %j", (q, name, finds) => {
  const { matches, part } = createNameMatcher(q);
  expect(matches(name)).toBe(finds);
  if (finds) expect(fold(name)).toContain(part);
});

test.each([
  "kim_01",
  "김민수",
  "Kim",
  "a",
  "b32_kim",
  "sha_kim",
  "kim@example.com",
  "x".repeat(80),
  "X".repeat(80),
])("%j can be the id itself, and is what ids.encode of the SDK makes of it", (q) => {
  expect(new Set([...(/^[a-z0-9_]{4,80}$/.test(q) ? [q] : []), ids.encode(q)])).toEqual(new Set(idsOf(q)));
});

test("of plain characters, folding changes only A to Z, also of all of them beside each other", () => {
  const isPlain = new RegExp(`[${plainCharacters}]`);
  const all = Array.from({ length: 0xffff }, (_, code) => String.fromCharCode(code)).filter((one) =>
    isPlain.test(one),
  );
  // U+00E9 makes the whole text one that is not plain.
  const text = `é${all.join("")}`;
  expect(fold(text)).toBe(text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()));
  expect(all.length).toBeGreaterThan(32_000);
});

test("a search that reads for long ends with a page that may be empty, and continues on the next one", async () => {
  const names = Array.from({ length: 2_000 }, (_, pk): WalkedName => {
    return { name: pk === 1_900 ? "Kim" : "Lee", createdAt: 1, pk, isLast: false };
  });
  const source: NameSource<{ pk: number; name: string }> = {
    walk: async (after, count) => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      const from = names.findIndex((one) => one.pk > after.pk);
      const read = names.slice(from, from + count);
      return read.map((one, index) => ({ ...one, isLast: index === count - 1 }));
    },
    findByKeys: async (pks) => pks.map((pk) => ({ pk, name: "Kim", isDeleted: false })),
    findByIds: async () => [],
    idOf: ({ pk }) => String(pk),
  };
  const search = createNameSearch(source, createResources(10).names);
  let page = await search({ q: "kim", limit: 5, after: undefined });
  expect(page).toEqual({ items: [], next: expect.anything() });
  // On a busy machine, a page reads less.
  while (page.next !== undefined && page.items.length === 0)
    page = await search({ q: "kim", limit: 5, after: page.next });
  expect(page).toEqual({ items: [expect.objectContaining({ pk: 1_900 })], next: undefined });
});

test("searches of users and channels share their turns: at most three run at once", async () => {
  let running = 0;
  let most = 0;
  const source: NameSource<{ pk: number; name: string }> = {
    walk: async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 20));
      running--;
      return [];
    },
    findByKeys: async () => [],
    findByIds: async () => [],
    idOf: ({ pk }) => String(pk),
  };
  const { names } = createResources(10);
  const [users, channels] = [createNameSearch(source, names), createNameSearch(source, names)];
  const queries = ["one", "two", "three"].map((q) => ({ q, limit: 5, after: undefined }));
  await Promise.all(queries.flatMap((query) => [users(query), channels(query)]));
  expect(most).toBe(3);
});

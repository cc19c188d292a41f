import { expect, test } from "vitest";
import { createCursors } from "./cursor";
import { bindTo, openPageQuery, signNextPage, takePage } from "./page-query";

const cursors = createCursors({ derive: () => Buffer.alloc(32, 7) }, Buffer.alloc(32));

const pageSize = { min: 5, max: 30, default: 15 };

test("a cursor with content in another format, from another version, is rejected", () => {
  for (const content of [{ name: "Kim", limit: 15, before: { createdAt: 1, pk: 1 } }, [], null, "next", 7]) {
    const next = cursors.sign("users", content);
    expect(() => openPageQuery(cursors, "users", { next }, pageSize)).toThrow("not from this list");
  }
});

const after = { createdAt: 1, pk: 1 };

test("a first page has the default size unless the request has another, and no position", () => {
  expect(openPageQuery(cursors, "users", { name: "Kim" }, pageSize)).toEqual({
    filters: { name: "Kim" },
    limit: 15,
  });
  expect(openPageQuery<{ name?: string }>(cursors, "users", { limit: 7 }, pageSize)).toEqual({
    filters: {},
    limit: 7,
  });
});

test("a cursor contains the whole first query", () => {
  const query = { filters: { name: "Kim" }, limit: 7 };
  const next = signNextPage(cursors, "users", query, after);
  expect(openPageQuery(cursors, "users", { next }, pageSize)).toEqual({ ...query, after });
});

test("a cursor of an earlier version, which has the position of a log, continues its list", () => {
  const query = { filters: { name: "Kim" }, limit: 7, after };
  const seen = { timeline: "00000001", lsn: "0/16B3748" };
  const next = cursors.sign("users", { ...query, seen });
  const opened = openPageQuery<{ name?: string }>(cursors, "users", { next }, pageSize);
  expect(opened).toMatchObject(query);
  expect(signNextPage(cursors, "users", opened, after)).toBe(signNextPage(cursors, "users", query, after));
});

test("a parameter beside a cursor must equal the one in the cursor", () => {
  const next = signNextPage(cursors, "users", { filters: { name: "Kim" }, limit: 7 }, after);
  const open = (rest: object) => openPageQuery(cursors, "users", { next, ...rest }, pageSize);
  expect(open({ name: "Kim", limit: 7 })).toMatchObject({ limit: 7 });
  expect(open({ name: undefined, limit: undefined })).toMatchObject({ limit: 7 });
  for (const [name, rest] of [
    ["name", { name: "Lee" }],
    ["limit", { limit: 15 }],
    ["zone", { zone: "UTC" }],
  ] as const)
    expect(() => open(rest)).toThrow(
      `The request is invalid. In the query, ${name}: It differs from the query in the cursor. Send only next.`,
    );
});

test("a cursor continues only the list of the channel or user for which it was signed", () => {
  const first = bindTo({ filters: {}, limit: 7 }, "owner", 1);
  const further = openPageQuery(
    cursors,
    "bans",
    { next: signNextPage(cursors, "bans", first, after) },
    pageSize,
  );
  expect(bindTo(further, "owner", 1)).toEqual(further);
  expect(() => bindTo(further, "owner", 2)).toThrow("not from this list");
  expect(() => bindTo(further, "owner", undefined)).toThrow("not from this list");
  const ofEarlierVersion = { filters: {}, limit: 7, after };
  expect(bindTo(ofEarlierVersion, "owner", 1)).toEqual({ ...ofEarlierVersion, owner: 1 });
});

test("every part of a cursor is required", () => {
  const whole = { filters: {}, limit: 15, after };
  for (const content of [
    { ...whole, filters: 1 },
    { ...whole, filters: { name: 1 } },
    { ...whole, limit: "15" },
    { ...whole, limit: 15.5 },
    { ...whole, owner: "1" },
    { ...whole, after: 1 },
    { ...whole, after: { createdAt: 1 } },
    { ...whole, after: { ...after, name: 1 } },
  ])
    expect(() => openPageQuery(cursors, "users", { next: cursors.sign("users", content) }, pageSize)).toThrow(
      expect.objectContaining({ code: "invalid_cursor" }),
    );
});

test("a cursor has a size that a first page can have", () => {
  const open = (limit: number) =>
    openPageQuery(cursors, "users", { next: cursors.sign("users", { filters: {}, limit, after }) }, pageSize);
  expect([5, 30].map((limit) => open(limit).limit)).toEqual([5, 30]);
  for (const limit of [-1, 4, 31, 100_000])
    expect(() => open(limit)).toThrow(expect.objectContaining({ code: "invalid_cursor" }));
});

test("a page ends at its last row if there is one more, and otherwise nowhere", () => {
  expect(takePage([1, 2, 3], 2)).toEqual({ items: [1, 2], last: 2 });
  expect(takePage([1, 2], 2)).toEqual({ items: [1, 2], last: undefined });
});

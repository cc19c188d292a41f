import { expect, test } from "vitest";
import { newest, oldest } from "../../paging/position";
import { planPage, takeMessagePage } from "./page-plan";
import type { MessageRow } from "./store";

const plan = (filters: Parameters<typeof planPage>[1]["filters"], limit = 4) =>
  planPage("room", { filters, limit });
const position = { createdAt: 5, pk: 7 };

test("without a message, a page starts at the newest one", () => {
  expect(plan({})).toEqual({ boundary: newest, sides: { newer: 0, older: 4 } });
});

test("before and after exclude the message, around includes it as an older one", () => {
  expect(plan({ before: "5-7" })).toEqual({
    boundary: { createdAt: 5, pk: 6 },
    sides: { newer: 0, older: 4 },
  });
  expect(plan({ after: "5-7" })).toEqual({ boundary: position, sides: { newer: 4, older: 0 } });
  expect(plan({ around: "5-7" })).toEqual({ boundary: position, sides: { newer: 2, older: 2 } });
  expect(plan({ around: "5-7" }, 5).sides).toEqual({ newer: 2, older: 3 });
});

test("an id in another format is rejected in each filter", () => {
  for (const name of ["before", "after", "around"])
    expect(() => plan({ [name]: "7" })).toThrow('There is no message "7" in the channel room.');
});

test("a cursor continues from its position in its direction, whatever the first query was", () => {
  const filters = { before: "9-9" };
  for (const [direction, sides] of [
    ["newer", { newer: 4, older: 0 }],
    ["older", { newer: 0, older: 4 }],
  ] as const)
    expect(planPage("room", { filters: { ...filters, direction }, limit: 4, after: position })).toEqual({
      boundary: position,
      sides,
    });
});

/** Messages with these keys, all of one time. */
const rows = (...pks: number[]) =>
  // The other columns are not read here.
  pks.map((messagePk) => ({ messagePk, sentAt: 5, content: "Hi." }) as MessageRow);
const pksOf = (messages: readonly MessageRow[]) => messages.map(({ messagePk }) => messagePk);

test("a page ends before the additional older message, which shows that there is another page", () => {
  const sides = { newer: 1, older: 2 };
  const page = takeMessagePage({ newer: rows(9), older: rows(8, 7, 6) }, { boundary: position, sides });
  expect([pksOf(page.messages), page.older, page.newer]).toEqual([
    [9, 8, 7],
    { createdAt: 5, pk: 6 },
    { createdAt: 5, pk: 9 },
  ]);
  const last = takeMessagePage({ newer: [], older: rows(8, 7) }, { boundary: position, sides });
  expect(pksOf(last.messages)).toEqual([8, 7]);
  expect(last).not.toHaveProperty("older");
});

test("an empty page continues from its boundary in both directions", () => {
  const towardsNewer = { boundary: position, sides: { newer: 4, older: 0 } };
  expect(takeMessagePage({ newer: [], older: rows(7) }, towardsNewer)).toEqual({
    messages: [],
    older: position,
    newer: position,
  });
});

test("after an empty channel come its first messages", () => {
  expect(takeMessagePage({ newer: [], older: [] }, plan({}))).toEqual({ messages: [], newer: oldest });
});

import { expect, test } from "vitest";
import { splitAtMatches } from "./split-at-matches";

/** With the matches in brackets. */
const mark = (text: string, query: string) =>
  splitAtMatches(text, query)
    .map(({ part, isMatch }) => (isMatch ? `[${part}]` : part))
    .join("");

test.each([
  ["See you at noon", "NOON", "See you at [noon]"],
  ["점심은 정오에", "점심 정오", "[점심]은 [정오]에"],
  ["정오에".normalize("NFD"), "정오", `[${"정오".normalize("NFD")}]${"에".normalize("NFD")}`],
  ["ＮＯＯＮ, noon", "noon", "[ＮＯＯＮ], [noon]"],
  ["Straße", "strasse", "[Straße]"],
  ["👩‍👧 family", "👩‍👧", "[👩‍👧] family"],
  ["그래ㅎㅠㅠ", "ㅎㅠ", "그래[ㅎㅠ]ㅠ"],
  ["soft\u00adhyphen in İstanbul", "softhyphen istanbul", "[soft]\u00ad[hyphen] in [İstanbul]"],
  ["aaaa", "aa", "[aaaa]"],
  ["nothing", "x", "nothing"],
  ["", "x", ""],
])("%j is searched for %j", (text, query, expected) => {
  expect(mark(text, query)).toBe(expected);
});

test("a long text is cut around its first match", () => {
  const text = `${"before ".repeat(100)}noon${" after".repeat(100)}`;
  const marked = mark(text, "noon");
  expect(marked).toMatch(/^….{40}\[noon\].{156}…$/);
});

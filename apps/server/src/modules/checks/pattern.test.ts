import { expect, test } from "vitest";
import { searchPattern } from "./pattern";
import { mask, prepareText, type Search } from "./search";

function compile(pattern: string): Search {
  const search = searchPattern(pattern);
  if (typeof search === "string") throw new Error(search);
  return search;
}

// With texts on which engines that backtrack take minutes (OWASP, regexes of StackOverflow and Cloudflare when they were down).
const stalling = [
  ["(a+)+$", "a"],
  ["([a-zA-Z]+)*$", "a"],
  ["(a|aa)+$", "a"],
  ["(a|a?)+$", "a"],
  ["(.*a){11}$", "a"],
  ["^(([a-z])+.)+[A-Z]([a-z])+$", "a"],
  ["^\\s+|\\s+$", " "],
  [
    "(?:(?:\"|'|\\]|\\}|\\\\|\\d|(?:nan|infinity|true|false|null|undefined|symbol|math)|`|-|\\+)+[)]*;?((?:\\s|-|~|!|\\{\\}|\\|\\||\\+)*.*(?:.*=.*)))",
    "x",
  ],
  ["^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@)$", "a"],
  ["(x+x+)+y", "x"],
] as const;

test.each(stalling)("the pattern %s ends soon in a long text", async (pattern, character) => {
  const search = searchPattern(pattern);
  // One that also matches nothing is no pattern of a filter.
  if (typeof search === "string") return expect(search).toBe("Must not match an empty text.");
  const text = prepareText(`${character.repeat(65_535)}!`);
  const startedAt = performance.now();
  search.finds(text);
  await search.locate(text);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});

test.each([
  ["(", "Is not a regular expression"],
  ["a(?=b)", "Is not a regular expression"],
  ["(a)\\1", "Is not a regular expression"],
  ["a*", "Must not match an empty text."],
  ["a.*z|\\b", "Must not match an empty text."],
  ["(?:[a-z]{100}){10}", "Is too large"],
])("the pattern %s is rejected", (pattern, reason) => {
  expect(searchPattern(pattern)).toContain(reason);
});

test("a pattern is compared with the text as it was written, and masks all that it finds", async () => {
  const search = compile("(?i)\\bcasino\\w*|\\d{3}-\\d{4}");
  const text = "Casinos: 555-1234 or 555-9876, 😀";
  expect(mask(text, await search.locate(prepareText(text)))).toBe("*******: ******** or ********, 😀");
});

// The search for each of the matches reads the rest of the text.
test("so many matches that they would take minutes take less, one after the other, and the rest of the text is masked", async () => {
  const search = compile("a.*z|a");
  const text = prepareText("ab".repeat(32_768));
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  const startedAt = performance.now();
  const ranges = await search.locate(text);
  clearInterval(timer);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  expect(turns).toBeGreaterThan(10);
  expect(mask(text.original, ranges)).toMatch(/^(\*b){256}\*+$/);
});

test("each match is masked in a text of less than 4,096 characters", async () => {
  const text = "ab".repeat(2_047);
  expect(mask(text, await compile("a.*z|a").locate(prepareText(text)))).toBe("*b".repeat(2_047));
});

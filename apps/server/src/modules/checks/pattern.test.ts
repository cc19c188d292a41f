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

test.each(stalling)("the pattern %s ends soon in a long text", (pattern, character) => {
  const search = searchPattern(pattern);
  // One that also matches nothing is no pattern of a filter.
  if (typeof search === "string") return expect(search).toBe("Must not match an empty text.");
  const text = prepareText(`${character.repeat(65_535)}!`);
  const startedAt = performance.now();
  search.finds(text);
  search.locate(text);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});

test.each([
  ["(", "Is not a regular expression"],
  ["a(?=b)", "Is not a regular expression"],
  ["(a)\\1", "Is not a regular expression"],
  ["a*", "Must not match an empty text."],
  ["(?:[a-z]{100}){10}", "Is too large"],
])("the pattern %s is rejected", (pattern, reason) => {
  expect(searchPattern(pattern)).toContain(reason);
});

test("a pattern is compared with the text as it was written, and masks all that it finds", () => {
  const search = compile("(?i)\\bcasino\\w*|\\d{3}-\\d{4}");
  const text = "Casinos: 555-1234 or 555-9876, 😀";
  expect(mask(text, search.locate(prepareText(text)))).toBe("*******: ******** or ********, 😀");
});

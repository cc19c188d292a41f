import fc from "fast-check";
import { expect, test } from "vitest";
import { fold, foldWithPlaces } from "../../chat/names/fold";
import { mask, prepareText } from "./search";
import { searchWords } from "./words";

/** Invisible characters, marks, letters and syllables of Korean, full-width and other forms, emoji, and what case changes. */
const characters = [
  ..."abABßİıſK",
  ..." \t\n\u3000.,*_-0",
  ..."\u200b\u200d\u00ad\ufe0f\u034f\u3164",
  ..."\u0301\u0307\u0336\u1161\u11a8\uff9e",
  ..."가각ㄱㅏㄳᄀᄁ한글",
  ..."ａｂＡｶﾀﾡﾢ",
  ..."😀🖕🏽👨‍👩‍👧",
  "ﬀ",
  "ﷺ",
  "\u{16d67}",
];
const someText = (maxLength: number) =>
  fc
    .array(
      fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...characters) }, fc.string({ unit: "grapheme" })),
      {
        maxLength,
      },
    )
    .map((parts) => parts.join("").toWellFormed());
const someWord = fc
  .tuple(fc.constantFrom("", "*"), someText(4), fc.constantFrom("", "*"))
  .map((parts) => parts.join(""));

const joinSpaces = (text: string) => text.replace(/\p{White_Space}+/gu, " ");
const isPart = (character: string | undefined) =>
  character !== undefined && /[\p{L}\p{M}\p{N}_]/u.test(character);

/** Compares the word with every place of the folded text. */
function findSlowly(word: string, text: string): boolean {
  const folded = joinSpaces(fold(text));
  const wanted = joinSpaces(fold(word.replace(/^\*+/, "").replace(/\*+$/, ""))).trim();
  for (let start = 0; start + wanted.length <= folded.length; start++) {
    if (!folded.startsWith(wanted, start)) continue;
    const end = start + wanted.length;
    const before = [...folded.slice(0, start)].at(-1);
    const after = [...folded.slice(end)][0];
    const begins = word.startsWith("*") || !(isPart(before) && isPart([...wanted][0]));
    const ends = word.endsWith("*") || !(isPart([...wanted].at(-1)) && isPart(after));
    if (begins && ends) return true;
  }
  return false;
}

test("words are found where a slow search finds one of them", () => {
  fc.assert(
    fc.property(
      fc.array(someWord, { minLength: 1, maxLength: 6 }),
      someText(12),
      someText(6),
      (words, before, after) => {
        fc.pre(searchWords(words) !== undefined);
        const hidden = words[0]?.replaceAll("*", "") ?? "";
        const text = before + hidden + after;
        const found = searchWords(words)?.finds(prepareText(text));
        expect(found).toBe(words.some((word) => findSlowly(word, text)));
      },
    ),
    { numRuns: 2_000 },
  );
});

test("nothing is found any more in a masked text, which has as many characters as before", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(someWord, { minLength: 1, maxLength: 4 }),
      someText(16),
      async (words, text) => {
        const search = searchWords(words.filter((word) => !word.replaceAll("*", "").match(/^[\W_]*$/u)));
        fc.pre(search !== undefined && words.some((word) => word.match(/\p{L}/u)));
        const prepared = prepareText(text);
        if (search === undefined || !search.finds(prepared)) return;
        const masked = mask(text, await search.locate(prepared));
        expect([...masked]).toHaveLength([...text].length);
        expect(masked).not.toBe(text);
      },
    ),
    { numRuns: 2_000 },
  );
});

test("a text that is folded by its parts is folded as a whole", () => {
  fc.assert(
    fc.property(someText(20), (text) => {
      expect(foldWithPlaces(text).folded).toBe(fold(text));
    }),
    { numRuns: 3_000 },
  );
});

test.each([
  ["bad", "a BAD word", true],
  ["bad", "badminton", false],
  ["bad*", "badminton", true],
  ["*bad", "very-notbad!", true],
  ["*bad*", "xbadx", true],
  ["bad", "b\u200ba\u00add", true],
  ["bad", "ｂａｄ", true],
  ["straße", "STRASSE", true],
  ["buy now", "buy \n\u3000now", true],
  ["욕설", "욕설이다", false],
  ["욕설*", "욕설이다", true],
  ["욕설", "욕설", true],
  ["ㅅㅂ", "ㅅㅂ!", true],
  ["🖕", "a🖕🏽b", true],
  ["c++", "I like C++.", true],
])("the word %j and the text %j", (word, text, expected) => {
  expect(searchWords([word])?.finds(prepareText(text))).toBe(expected);
});

test("a mask covers what was found, with its marks and invisible characters", async () => {
  const search = searchWords(["bad", "buy now"]);
  const masked = async (text: string) => mask(text, (await search?.locate(prepareText(text))) ?? []);
  expect(await masked("A b\u200bad, BAD 😀 bad!")).toBe("A ****, *** 😀 ***!");
  expect(await masked("buy   now")).toBe("*********");
  expect(await masked("nothing")).toBe("nothing");
});

test.each([
  ["casino*", "Two Casinos, one casino", "Two *******, one ******"],
  ["*bad", "very-notbad!", "very-******!"],
  ["*bad*", "unbadly bad", "******* ***"],
  // The 😀 is no part of a word, and the letters of Deseret are, each of two units.
  ["bad*", "😀bad\u{10428}\u{10429}😀", "😀*****😀"],
  ["*bad", "\u{10428}bad", "****"],
  // The whole word is masked if one of the words asks for it.
  ["bad|badm*", "badminton bad", "********* ***"],
  ["욕설*", "욕설이다 욕설", "**** **"],
])("%j masks the whole word where it continues: %j", async (words, text, expected) => {
  expect(mask(text, (await searchWords(words.split("|"))?.locate(prepareText(text))) ?? [])).toBe(expected);
});

test("a mask of as many words as a text has characters takes a time that grows with its length only", async () => {
  const text = "a".repeat(65_536);
  const startedAt = performance.now();
  expect(mask(text, (await searchWords(["*a*"])?.locate(prepareText(text))) ?? [])).toBe("*".repeat(65_536));
  // A search for the end of the word from each of its characters takes minutes.
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});

test("a word of invisible characters is invalid", () => {
  for (const word of ["*", "\u200b", "* *"]) expect(searchWords([word])).toBeUndefined();
});

test("10,000 words in a text of 65,536 characters take a time that does not grow with their number", () => {
  const words = Array.from(
    { length: 10_000 },
    (_, index) => `*${"a".repeat(index % 90)}${index.toString(36)}z*`,
  );
  const search = searchWords(words);
  const text = prepareText("a".repeat(65_536));
  const startedAt = performance.now();
  expect(search?.finds(text)).toBe(false);
  // A search for one word after the other takes seconds.
  expect(performance.now() - startedAt).toBeLessThan(500);
});

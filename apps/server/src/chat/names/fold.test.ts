import fc from "fast-check";
import { expect, test } from "vitest";
import { scale } from "../../../test/support/report";
import { fold, foldInSteps } from "./fold";

test.each([
  ["Straße", "STRASSE"],
  ["ẞ", "ss"],
  ["ΟΔΟΣ", "οδος"],
  ["ὀδός", "ὈΔΌΣ"],
  ["ＡＢＣ１２", "abc12"],
  ["ﬁn", "FIN"],
  ["한국", "\u1112\u1161\u11ab\u1100\u116e\u11a8"],
  ["ｶﾞ", "ガ"],
  ["é", "E\u0301"],
  ["①", "1"],
  ["K", "k"],
  ["Ꭰ", "ꭰ"],
  ["㎏", "kg"],
  // A half-width letter, one in a circle, and a part of a syllable.
  ["ﾻ", "ㅋ"],
  ["㉠", "ㄱ"],
  ["\u11aa", "ㄳ"],
  ["İ", "i"],
  ["i̇", "I"],
  ["soft\u00ad\u200b hyphen\ufe0f", "soft hyphen"],
])("%j and %j are the same text", (one, other) => {
  expect(fold(one)).toBe(fold(other));
});

test.each([
  ["ı", "i"],
  ["한", "하"],
  ["é", "e"],
  ["が", "か"],
  ["ㅎㅏ", "하"],
  ["고마워ㄳ", "고마웏"],
])("%j and %j are different texts", (one, other) => {
  expect(fold(one)).not.toBe(fold(other));
});

/** Nothing folds surrogates, private characters and those that Unicode does not have. */
const characters = Array.from({ length: 0x110000 }, (_, point) => String.fromCodePoint(point)).filter(
  (one) => !/[\p{Cs}\p{Co}\p{Cn}]/u.test(one),
);

test("folding a folded text changes nothing", () => {
  for (const character of characters) {
    const folded = fold(character);
    if (fold(folded) !== folded) expect.fail(`U+${character.codePointAt(0)?.toString(16)}`);
  }
});

test("the folded text is bounded, however often a character that becomes eighteen is repeated", () => {
  for (const character of ["ﷺ", "ﷻ"]) {
    expect(fold(character.repeat(8_192)).length).toBeLessThan(20_000);
    expect(fold(`${"a ".repeat(500)}${character}`)).toContain(fold(character));
  }
});

test.each(["\u0301\u0323", "\u0301ﾞ"])(
  "a long run of the marks %j takes no longer to fold than other texts, and its beginning is compared",
  (pair) => {
    // NFKC sorts them, which takes seconds for all of these.
    const run = `é${pair.repeat(32_700)}`;
    const before = process.cpuUsage();
    const folded = fold(`${run}b`);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(500);
    expect(folded.startsWith(fold(run.slice(0, 257)))).toBe(true);
    expect(folded.endsWith(" b")).toBe(true);
  },
);

test("a run of as many marks as a query may have is folded whole, also of those with two UTF-16 units", () => {
  for (const mark of ["\u0301", "\u{1d165}"]) {
    const run = mark.repeat(256);
    expect(fold(`x${run}y`)).toContain(`${mark}y`);
    expect(fold(`x${run}${mark}y`)).toContain(`${mark} y`);
  }
});

/** What `fold` does, to the whole text at once and written for clarity alone. */
function foldWhole(text: string): string {
  const marks = /[\p{M}\uff9e\uff9f\u{16d67}\u{16d68}]+/gu;
  return text
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replace(marks, (run) => ([...run].length > 256 ? `${[...run].slice(0, 256).join("")} ` : run))
    .replace(/[\uffa1-\uffdc]/g, (narrow) => letters.get(narrow.normalize("NFKC")) ?? narrow)
    .split(/([\u3131-\u318e]+)/)
    .map((part, index) => (index % 2 === 1 ? part : foldOthers(part)))
    .join("");
}

const foldOthers = (text: string) =>
  [...text.normalize("NFKC")]
    .map((character) =>
      !/\p{Changes_When_Casefolded}/u.test(character)
        ? character
        : /\p{Script=Cherokee}/u.test(character)
          ? character.toUpperCase()
          : character.toLowerCase().toUpperCase().toLowerCase(),
    )
    .join("")
    .replace(/i\u0307+/g, "i")
    .normalize("NFKC")
    .replace(/[\u1100-\u1112\u1161-\u1175\u11a8-\u11c2]/g, (part) => letters.get(initialOf(part)) ?? part);

/** The letters of Korean by what NFKC makes of them: an initial, or a vowel, or a final of those that begin no syllable. */
const letters = new Map(
  Array.from({ length: 51 }, (_, index) => String.fromCharCode(0x3131 + index)).map((one) => [
    one.normalize("NFKC"),
    one,
  ]),
);
/** A final whose letter is an initial, too: ㄱ to ㅎ have no others between them. */
function initialOf(part: string): string {
  const finals = "ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ";
  return finals[part.charCodeAt(0) - 0x11a8]?.normalize("NFKC") ?? part;
}

/** Characters whose folding depends on their neighbours or that become others, and any others. */
const hostile = fc.oneof(
  fc.constantFrom(
    ..."ΣσςᾼᾳİiıIßﬃ\u0345\u0307\u0301\u0323\u0338\u093c\u09be\u09d7\u3099゛がかﾞﾟｶﾊ\u1100\u1112\u1161\u1175\u11a8\u11c2가힣각㉠㉮㈎ㅎㅠㄳﾡￂￜ\u115f\u1160\u3164\u00ad\u200b\u200d\ufe0f\u034f 1aA\n",
    "\u{1e900}",
    "\u{1d165}",
    "\u{110ba}",
    "\u{11127}",
    "\u{16d63}",
    "\u{16d67}",
    "\u{16d68}",
    "\u{13a0}",
    "\u{1f468}",
  ),
  fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
);

test("a long text is folded in small steps, as if it were folded at once", () => {
  const piece = fc.tuple(fc.array(hostile, { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 400 }));
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), (pieces) => {
      const text = pieces.map(([characters, times]) => characters.join("").repeat(times)).join("");
      expect(fold(text)).toBe(foldWhole(text));
    }),
    { numRuns: scale(300, 3_000) },
  );
});

test("nothing but marks and parts of Korean syllables joins or is sorted before what precedes it", () => {
  // A composition is a character and the last one of its decomposition.
  const joining = new Set(
    characters
      .filter((one) => one.normalize("NFC") === one)
      .flatMap((one) => [...one.normalize("NFD")].slice(1).at(-1) ?? []),
  );
  expect(joining.size).toBeGreaterThan(100);
  const isJoined = /[\p{M}\u1161-\u1175\u11a8-\u11c2\uff9e\uff9f\u{16d67}\u{16d68}]/u;
  for (const one of characters) {
    if (isJoined.test(one)) continue;
    const [first = ""] = fold(one).normalize("NFD");
    const isSorted = `\u0345${first}`.normalize("NFD") !== `\u0345${first}`;
    if (joining.has(first) || isSorted) expect.fail(`U+${one.codePointAt(0)?.toString(16)}`);
  }
});

test.each(["\u{1e900}", "Σ", "ᾼ", "\u0301a", "ﬃ", "\u1161", "\ufdfa"])(
  "no step folds more than a small part of a long text of %j",
  (character) => {
    let steps = 0;
    for (const _ of foldInSteps(character.repeat(65_536 / character.length))) steps += 1;
    expect(steps).toBeGreaterThan(65_536 / 1_600);
  },
);

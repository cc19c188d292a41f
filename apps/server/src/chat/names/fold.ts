/**
 * How texts are compared: NFKC and full case folding, without invisible characters (soft hyphens, zero-width spaces, variation selectors).
 * JavaScript has no case folding; changing the case of each character three times has the same result, which a test compares with the
 * tables of Unicode. Two things differ from Unicode:
 *
 * - Letters of Korean that stand alone, as in ㅎㅎ or ㅠㅠ, stay letters: NFKC would make syllables of them and of their neighbours.
 * - The dot of İ is left out, so that `istanbul` finds İstanbul. The letter ı stays another one than i.
 *
 * Two characters become eighteen and eight. In a long text of them, only the first ones are folded, and the others are spaces. All
 * other texts grow to at most six times their length. Of a long run of marks, only the first ones are folded, and the others are a
 * space: NFKC sorts a run, in a time that grows with the square of its length.
 */
export function fold(text: string): string {
  const steps = foldInSteps(text);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The same in steps of a fraction of a millisecond. */
export function* foldInSteps(text: string): Generator<undefined, string> {
  if (isPlain.test(text)) return text.toLowerCase();
  const visible = text.replace(invisible, "");
  let ligatures = 0;
  const limitLigatures = (slice: string) =>
    slice.replace(ligature, (character) => (++ligatures > maxLigatures ? " " : character));
  let folded = "";
  let at = 0;
  while (at < visible.length) {
    yield;
    nextSlice.lastIndex = at;
    const [slice = ""] = nextSlice.exec(visible) ?? [];
    at += slice.length;
    folded += limitMarks(limitLigatures(slice)).replace(halfWidth, toLetter).replace(betweenLetters, foldRun);
  }
  return folded;
}

/** A folded text, and where in the text each of its characters (UTF-16 code units) comes from. */
export interface LocatedFold {
  readonly folded: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/**
 * Folds a text by its smallest parts that nothing joins with their neighbours: a character with its marks, or the letters of a syllable.
 * What is found in a part of the result is masked by masking these parts of the text.
 */
export function foldWithPlaces(text: string): LocatedFold {
  let folded = "";
  const starts: number[] = [];
  const ends: number[] = [];
  const { visible, places } = removeInvisible(text);
  const place = (start: number, end: number) => {
    starts.push(places[start] ?? 0);
    ends.push((places[end - 1] ?? 0) + 1);
  };
  for (const { 0: part, index } of visible.matchAll(plainRunOrSmallestPart)) {
    if (isPlain.test(part)) {
      // Each character becomes one.
      folded += part.toLowerCase();
      for (let at = index; at < index + part.length; at++) place(at, at + 1);
    } else {
      const foldedPart = limitMarks(part).replace(halfWidth, toLetter).replace(betweenLetters, foldRun);
      folded += foldedPart;
      for (let count = foldedPart.length; count > 0; count--) place(index, index + part.length);
    }
  }
  return { folded, starts, ends };
}

/** The text without invisible characters, and where each of the others was. */
function removeInvisible(text: string) {
  const places: number[] = [];
  let visible = "";
  let at = 0;
  const keep = (end: number) => {
    visible += text.slice(at, end);
    for (; at < end; at++) places.push(at);
  };
  for (const { 0: run, index } of text.matchAll(invisible)) {
    keep(index);
    at += run.length;
  }
  keep(text.length);
  return { visible, places };
}

const invisible = /\p{Default_Ignorable_Code_Point}+/gu;

const ligature = /[\ufdfa\ufdfb]/gu;
const maxLigatures = 512;

/** Marks, with the two of half-width kana of which NFKC makes marks, and two vowels of Kirat Rai that are joined like them. */
const mark = "[\\p{M}\\uff9e\\uff9f\\u{16d67}\\u{16d68}]";
/**
 * Some characters that no normalization joins with what follows them: nothing but a mark, or a vowel or a final of Korean, joins what is
 * before it. A vowel joins only what is directly before it, and a final the same or this vowel.
 */
const nextSlice = new RegExp(`(?:[^][\\u1161-\\u1175]?[\\u11a8-\\u11c2]?${mark}{0,3}){1,256}${mark}*`, "uy");

/** More than a query has characters. */
const maxMarks = 256;
const longRun = new RegExp(`(?<!${mark})${mark}{${maxMarks + 1},}`, "gu");

const limitMarks = (slice: string) =>
  slice.replace(longRun, (run) => `${[...run.slice(0, 2 * maxMarks)].slice(0, maxMarks).join("")} `);

const rangeOf = (from: number, length: number) =>
  Array.from({ length }, (_, index) => String.fromCharCode(from + index));
/** Letters that stand alone: 30 consonants, then 21 vowels. */
const letters = rangeOf(0x3131, 51);
const halfWidth = /[\uffa1-\uffdc]/g;
const letterOfHalfWidth = new Map(
  rangeOf(0xffa1, 60).map((narrow) => [
    narrow,
    letters.find((letter) => letter.normalize("NFKC") === narrow.normalize("NFKC")),
  ]),
);
const toLetter = (narrow: string) => letterOfHalfWidth.get(narrow) ?? narrow;

const betweenLetters = /[^\u3131-\u318e]+/g;
const initials = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ";
const finals = "ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ";
const partOfSyllable = /[\u1100-\u1112\u1161-\u1175\u11a8-\u11c2]/g;

/** Folds a text without letters that stand alone. Parts of a syllable that make none become letters. */
const foldRun = (run: string) =>
  run
    .normalize("NFKC")
    .replace(changesWhenFolded, foldCharacter)
    .replace(/i\u0307+/g, "i")
    .normalize("NFKC")
    .replace(partOfSyllable, (part) => {
      const code = part.charCodeAt(0);
      const letter = code < 0x1113 ? initials[code - 0x1100] : finals[code - 0x11a8];
      return letter ?? letters[code - 0x1161 + 30] ?? part;
    });

/**
 * Characters of which folding changes only A to Z, whatever stands beside them: ASCII, and most letters, syllables and ideographs of
 * Korean, Japanese and Chinese. As in a bracket of a regular expression, in JavaScript and in PostgreSQL.
 */
export const plainCharacters =
  "\\u0001-\\u007f\\u3041-\\u3096\\u30a1-\\u30fa\\u30fc\\u3131-\\u3163\\u3165-\\u318e\\u4e00-\\u9fff\\uac00-\\ud7a3";
const isPlain = new RegExp(`^[${plainCharacters}]*$`);
/** The last of some plain characters is not in their run if something joins it. */
const plainRunOrSmallestPart = new RegExp(
  `[${plainCharacters}]+(?![\\u1161-\\u1175\\u11a8-\\u11c2]|${mark})|[^][\\u1161-\\u1175]?[\\u11a8-\\u11c2]?${mark}*`,
  "gu",
);
const changesWhenFolded = /\p{Changes_When_Casefolded}/gu;
/** Unicode has about 1,500 of them. */
const foldedCharacters = new Map<string, string>();

/** Each character alone, because the lower case of a sigma depends on its neighbours. Cherokee folds to upper case. */
function foldCharacter(character: string): string {
  const known = foldedCharacters.get(character);
  if (known !== undefined) return known;
  const isCherokee = /\p{Script=Cherokee}/u.test(character);
  const folded = isCherokee ? character.toUpperCase() : character.toLowerCase().toUpperCase().toLowerCase();
  foldedCharacters.set(character, folded);
  return folded;
}

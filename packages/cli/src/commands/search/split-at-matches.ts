/** A part of a text, and whether it is one of the terms that were searched for. */
export interface Part {
  readonly part: string;
  readonly isMatch: boolean;
}

const graphemes = new Intl.Segmenter();
/** How much of a long text is shown before its first match, and in all, in characters as people count them. */
const maxBefore = 40;
const maxShown = 200;

/**
 * The text in parts, with an ellipsis for what is left out of a long one. The server compares texts after NFKC and case
 * folding, without invisible characters; here each character is folded alone, so that a match can be found in the text itself.
 */
export function splitAtMatches(text: string, query: string): Part[] {
  const characters = [...graphemes.segment(text)].map(({ segment }) => segment);
  const isMatched = findMatched(characters, query.split(/\p{White_Space}+/u).map(foldEach));
  const first = Math.max(0, isMatched.indexOf(true) - maxBefore);
  const start = characters.length <= maxShown ? 0 : first;
  const end = Math.min(characters.length, start + maxShown);
  const parts: Part[] = start > 0 ? [{ part: "…", isMatch: false }] : [];
  for (let index = start; index < end; ) {
    let next = index;
    while (next < end && isMatched[next] === isMatched[index]) next += 1;
    parts.push({ part: characters.slice(index, next).join(""), isMatch: isMatched[index] === true });
    index = next;
  }
  return end < characters.length ? [...parts, { part: "…", isMatch: false }] : parts;
}

/** Whether each character is in one of the terms. */
function findMatched(characters: readonly string[], terms: readonly string[]): boolean[] {
  let folded = "";
  /** The index of the character of each code unit of the folded text. */
  const origins: number[] = [];
  for (const [index, character] of characters.entries()) {
    const own = fold(character);
    folded += own;
    for (let unit = 0; unit < own.length; unit++) origins.push(index);
  }
  const isMatched = characters.map(() => false);
  for (const term of terms.filter((each) => each !== ""))
    for (let at = folded.indexOf(term); at !== -1; at = folded.indexOf(term, at + term.length))
      for (const origin of origins.slice(at, at + term.length)) isMatched[origin] = true;
  return isMatched;
}

const foldEach = (text: string) =>
  Array.from(graphemes.segment(text), ({ segment }) => fold(segment)).join("");

const fold = (character: string) =>
  character
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .normalize("NFKC")
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replace(/i\u0307+/g, "i")
    .normalize("NFKC");

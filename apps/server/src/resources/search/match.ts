/** The terms of a query, as `fold` returns them. */
export const termsOf = (query: string): string[] =>
  fold(query)
    .split(/\p{White_Space}+/u)
    .filter((term) => term !== "");

/** Whether a text contains every term. Text is compared as `fold` returns it. */
export const createMatcher =
  (terms: readonly string[]) =>
  (text: string): boolean => {
    const folded = fold(text);
    return terms.every((term) => folded.includes(term));
  };

/**
 * NFKC and full case folding. JavaScript has no case folding; changing the case of each character three times has the same
 * result, which a test compares with the tables of Unicode. White space is not normalized, because terms contain none.
 */
export function fold(text: string): string {
  if (isAscii.test(text)) return text.toLowerCase();
  return text.normalize("NFKC").replace(changesWhenFolded, foldCharacter).normalize("NFKC");
}

const isAscii = /^[\0-\x7f]*$/;
const changesWhenFolded = /\p{Changes_When_Casefolded}/gu;

/** Each character alone, because the lower case of a sigma depends on its neighbours. Cherokee folds to upper case. */
function foldCharacter(character: string): string {
  if (/\p{Script=Cherokee}/u.test(character)) return character.toUpperCase();
  return character.toLowerCase().toUpperCase().toLowerCase();
}

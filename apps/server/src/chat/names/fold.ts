/**
 * NFKC and full case folding. JavaScript has no case folding; changing the case of each character three times has the same
 * result, which a test compares with the tables of Unicode.
 *
 * Two characters become eighteen and eight. In a long text of them, only the first ones are folded, and the others are spaces. All
 * other texts grow to at most six times their length. Of a long run of marks, only the first ones are folded, and the others are a
 * space: NFKC sorts a run, in a time that grows with the square of its length.
 */
export function fold(text: string): string {
  if (isPlain.test(text)) return text.toLowerCase();
  return limitMarks(limitLigatures(text))
    .normalize("NFKC")
    .replace(changesWhenFolded, foldCharacter)
    .normalize("NFKC");
}

const ligature = /[\ufdfa\ufdfb]/gu;
const maxLigatures = 512;

function limitLigatures(text: string): string {
  let count = 0;
  return text.replace(ligature, (character) => (++count > maxLigatures ? " " : character));
}

/** With the two sound marks of half-width kana, which NFKC makes marks of. */
const marks = /[\p{M}\uff9e\uff9f]+/gu;
/** More than a query has characters. */
const maxMarks = 256;

function limitMarks(text: string): string {
  return text.replace(marks, (run) => {
    const first = [...run].slice(0, maxMarks).join("");
    return first === run ? run : `${first} `;
  });
}

/**
 * Characters of which folding changes only A to Z, whatever stands beside them: ASCII, and most syllables and ideographs of Korean,
 * Japanese and Chinese. As in a bracket of a regular expression, in JavaScript and in PostgreSQL.
 */
export const plainCharacters =
  "\\u0001-\\u007f\\u3041-\\u3096\\u30a1-\\u30fa\\u30fc\\u4e00-\\u9fff\\uac00-\\ud7a3";
const isPlain = new RegExp(`^[${plainCharacters}]*$`);
const changesWhenFolded = /\p{Changes_When_Casefolded}/gu;

/** Each character alone, because the lower case of a sigma depends on its neighbours. Cherokee folds to upper case. */
function foldCharacter(character: string): string {
  if (/\p{Script=Cherokee}/u.test(character)) return character.toUpperCase();
  return character.toLowerCase().toUpperCase().toLowerCase();
}

/**
 * NFKC and full case folding. JavaScript has no case folding; changing the case of each character three times has the same
 * result, which a test compares with the tables of Unicode.
 *
 * Two characters become eighteen and eight. In a long text of them, only the first ones are folded, and the others are spaces:
 * its folded text would have 147,456 characters. All other texts grow to at most six times their length.
 */
export function fold(text: string): string {
  if (isPlain.test(text)) return text.toLowerCase();
  return limitLigatures(text).normalize("NFKC").replace(changesWhenFolded, foldCharacter).normalize("NFKC");
}

const ligature = /[\ufdfa\ufdfb]/gu;
const maxLigatures = 512;

function limitLigatures(text: string): string {
  let count = 0;
  return text.replace(ligature, (character) => (++count > maxLigatures ? " " : character));
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

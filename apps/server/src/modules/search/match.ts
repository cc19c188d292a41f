import { fold } from "../../chat/names/fold";

const whiteSpace = /\p{White_Space}+/gu;

/** The terms of a query, folded. A term contains a space if folding makes one of a character: U+309B, and ligatures of Arabic. */
export const termsOf = (query: string): string[] =>
  query
    .split(whiteSpace)
    .filter((term) => term !== "")
    .map((term) => joinSpaces(fold(term)));

/** Whether a text contains every term. Text is compared as `fold` returns it, with runs of white space as one space. */
export function createMatcher(terms: readonly string[]): (text: string) => boolean {
  // Hardly any term has a space. For the others, white space in the text makes no difference.
  const prepare = terms.some((term) => term.includes(" ")) ? (text: string) => joinSpaces(fold(text)) : fold;
  return (text) => {
    const prepared = prepare(text);
    return terms.every((term) => prepared.includes(term));
  };
}

const joinSpaces = (text: string) => text.replace(whiteSpace, " ");

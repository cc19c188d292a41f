import { fold, foldInSteps } from "../../chat/names/fold";

const whiteSpace = /\p{White_Space}+/gu;

/**
 * The terms of a query, folded, without those of invisible characters alone. A term contains a space if folding makes one of a character:
 * U+309B, and ligatures of Arabic.
 */
export const termsOf = (query: string): string[] =>
  query
    .split(whiteSpace)
    .map((term) => joinSpaces(fold(term)))
    .filter((term) => term !== "");

/** Whether a text contains every term, found out in small steps. */
export type Matcher = (text: string) => Generator<undefined, boolean>;

/** Text is compared as `fold` returns it, with runs of white space as one space. */
export function createMatcher(terms: readonly string[]): Matcher {
  // Hardly any term has a space. For the others, white space in the text makes no difference.
  const hasSpaces = terms.some((term) => term.includes(" "));
  return function* (text) {
    const folded = yield* foldInSteps(text);
    const prepared = hasSpaces ? yield* joinSpacesInSteps(folded) : folded;
    for (const term of terms) if (!(yield* containsInSteps(prepared, term))) return false;
    return true;
  };
}

const joinSpaces = (text: string) => text.replace(whiteSpace, " ");

const charactersPerStep = 8_192;

function* joinSpacesInSteps(text: string): Generator<undefined, string> {
  let joined = "";
  for (let at = 0; at < text.length; at += charactersPerStep) {
    if (at > 0) yield;
    const part = joinSpaces(text.slice(at, at + charactersPerStep));
    joined += joined.endsWith(" ") && part.startsWith(" ") ? part.slice(1) : part;
  }
  return joined;
}

/** Some texts and terms take a hundred comparisons for each character. */
function* containsInSteps(text: string, term: string): Generator<undefined, boolean> {
  for (let at = 0; at < text.length; at += charactersPerStep) {
    if (at > 0) yield;
    if (text.slice(at, at + charactersPerStep + term.length - 1).includes(term)) return true;
  }
  return false;
}

import { RE2JS } from "re2js";
import { runSteps } from "../../turns/in-slices";
import type { Range, Search } from "./search";

/**
 * How large a compiled pattern may be. The time of a search grows with the length of the text and with this; a repetition such as
 * `{500}` counts as often as it repeats.
 */
const maxInstructions = 250;

/**
 * How many characters are read at most to locate all matches in a text. The search for one takes linear time, but may read the whole text:
 * `buy.*now|buy` looks for `now` up to its end, and then finds `buy`.
 */
const maxCharactersRead = 2 ** 24;

/** Searches with a regular expression in the syntax of RE2. Returns what is wrong with it as a sentence. */
export function searchPattern(pattern: string): Search | string {
  const compiled = compile(pattern);
  if (typeof compiled === "string") return compiled;
  if (compiled.programSize() > maxInstructions) return "Is too large: repeat fewer things less often.";
  // `\b` matches nothing of the second one.
  if (["", "a"].some((text) => hasEmptyMatch(compiled, text))) return "Must not match an empty text.";
  return {
    finds: ({ original }) => compiled.matcher(original).find(),
    locate: ({ original }) => runSteps(locateInSteps(compiled, original)),
  };
}

function hasEmptyMatch(compiled: RE2JS, text: string): boolean {
  const matcher = compiled.matcher(text);
  while (matcher.find()) if (matcher.end() === matcher.start()) return true;
  return false;
}

/** After very many matches in a long text, the rest of it counts as one. */
function* locateInSteps(compiled: RE2JS, text: string): Generator<undefined, Range[]> {
  const ranges: Range[] = [];
  const matcher = compiled.matcher(text);
  for (let left = maxCharactersRead; matcher.find(); left -= text.length) {
    const isLast = left < text.length;
    ranges.push({ start: matcher.start(), end: isLast ? text.length : matcher.end() });
    if (isLast) break;
    yield;
  }
  return ranges;
}

function compile(pattern: string): RE2JS | string {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    return `Is not a regular expression in RE2's syntax (${Object(error).message}).`;
  }
}

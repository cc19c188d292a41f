import { RE2JS } from "re2js";
import type { Range, Search } from "./search";

/**
 * How large a compiled pattern may be. The time of a search grows with the length of the text and with this; a repetition such as
 * `{500}` counts as often as it repeats.
 */
const maxInstructions = 250;

/** Searches with a regular expression in the syntax of RE2. Returns what is wrong with it as a sentence. */
export function searchPattern(pattern: string): Search | string {
  const compiled = compile(pattern);
  if (typeof compiled === "string") return compiled;
  if (compiled.programSize() > maxInstructions) return "Is too large: repeat fewer things less often.";
  if (compiled.matcher("").find()) return "Must not match an empty text.";
  const locate = (text: string): Range[] => {
    const ranges: Range[] = [];
    const matcher = compiled.matcher(text);
    while (matcher.find()) {
      const [start, end] = [matcher.start(), matcher.end()];
      if (end > start) ranges.push({ start, end });
    }
    return ranges;
  };
  return {
    finds: ({ original }) => {
      const matcher = compiled.matcher(original);
      while (matcher.find()) if (matcher.end() > matcher.start()) return true;
      return false;
    },
    locate: ({ original }) => locate(original),
  };
}

function compile(pattern: string): RE2JS | string {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    return `Is not a regular expression in RE2's syntax (${Object(error).message}).`;
  }
}

import { fold } from "../../chat/names/fold";

/** A part of a text, in UTF-16 code units. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A text in the forms in which filters search it. */
export interface SearchedText {
  readonly original: string;
  readonly folded: string;
}

/** What a filter finds. Both take a time that grows with the length of the text, whatever the filter and the text are. */
export interface Search {
  finds(text: SearchedText): boolean;
  /** Where, perhaps with overlaps. */
  locate(text: SearchedText): Promise<Range[]>;
}

/** Folds when the first filter of words asks for it. */
export function prepareText(original: string): SearchedText {
  let folded: string | undefined;
  return {
    original,
    get folded() {
      folded ??= foldForWords(original);
      return folded;
    },
  };
}

/** How words are compared: folded, with a run of white space as one space. */
export const foldForWords = (text: string): string => fold(text).replace(/\p{White_Space}+/gu, " ");

/** Puts `*` in place of each character of the ranges. */
export function mask(text: string, ranges: readonly Range[]): string {
  let masked = "";
  let at = 0;
  for (const { start, end } of ranges.toSorted((one, other) => one.start - other.start)) {
    if (end <= at) continue;
    const from = Math.max(at, start);
    masked += text.slice(at, from) + "*".repeat([...text.slice(from, end)].length);
    at = end;
  }
  return masked + text.slice(at);
}

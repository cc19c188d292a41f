import measure from "fast-string-width";

const graphemes = new Intl.Segmenter();

/** How many columns of a terminal a text takes: Hangul and emoji take two each. */
export function widthOf(text: string): number {
  return measure(text);
}

/** A text that takes exactly this many columns: filled with spaces, or cut with an ellipsis. */
export function fit(text: string, width: number): string {
  const missing = width - widthOf(text);
  if (missing >= 0) return text + " ".repeat(missing);
  let kept = "";
  for (const { segment } of graphemes.segment(text)) {
    if (widthOf(kept + segment) > width - 1) break;
    kept += segment;
  }
  return fit(`${kept}…`, width);
}

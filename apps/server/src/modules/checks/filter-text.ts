import { setImmediate } from "node:timers/promises";
import type { Filter } from "./filter-set";
import { mask, prepareText, type Range } from "./search";

/** What filters find in a text. */
export interface Filtered {
  /** The first filter that rejects the text. */
  readonly rejectedBy: Filter | undefined;
  /** The text with `*` in place of what filters mask. */
  readonly text: string;
  /** The filters that ask for a report. */
  readonly reportedBy: readonly Filter[];
  /** All that found something, up to the one that rejects the text. */
  readonly hits: readonly Filter[];
}

/** So many characters of texts are searched before other requests have a turn. */
const charactersPerTurn = 16_384;

/**
 * Compares a text with filters. `before` is the end of what it continues: it is searched too. What reaches the end of the
 * text may still continue, so it counts with the next text, and not with this one.
 */
export async function filterText(
  filters: readonly Filter[],
  text: string,
  before?: string,
): Promise<Filtered> {
  const searched = prepareText((before ?? "") + text);
  const ranges: Range[] = [];
  const reportedBy: Filter[] = [];
  const hits: Filter[] = [];
  let characters = 0;
  for (const filter of filters) {
    characters += searched.original.length;
    if (characters > charactersPerTurn) {
      characters = 0;
      await setImmediate();
    }
    if (!filter.search.finds(searched)) continue;
    const found =
      filter.action === "mask" || before !== undefined ? await filter.search.locate(searched) : [];
    const counted =
      before === undefined
        ? found
        : found.filter(({ end }) => end >= before.length && end < searched.original.length);
    if (before !== undefined && counted.length === 0) continue;
    hits.push(filter);
    if (filter.action === "reject") return { rejectedBy: filter, text, reportedBy, hits };
    if (filter.action === "report") reportedBy.push(filter);
    else ranges.push(...counted);
  }
  const masked = ranges.length === 0 ? searched.original : mask(searched.original, ranges);
  // A mask has as many code points as what it replaces, but perhaps fewer code units.
  const kept = before === undefined ? masked : [...masked].slice([...before].length).join("");
  return { rejectedBy: undefined, text: kept, reportedBy, hits };
}

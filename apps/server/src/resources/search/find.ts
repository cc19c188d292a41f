import { runInSlices } from "../../http/in-slices";
import { type Position, positionsDescending } from "../../paging/position";

/** A message that is read to be compared. */
export interface Candidate extends Position {
  readonly channelPk: number;
  readonly channelId: string;
  /** Its content or the name of its file. Null if it is excluded, by its sender or because its channel is deleted. */
  readonly text: string | null;
}

/** Messages of a channel that have to be read: those after `from` and before `before`. */
export interface Range {
  readonly channelPk: number;
  readonly from: Position;
  readonly before: Position;
  /** About how many messages it has. */
  readonly size: number;
}

/** The ranges in which messages may match, in any order. Ranges of a channel may overlap. */
export interface Ranges<Found extends Range> {
  readonly ranges: readonly Found[];
  /** They are complete after this position. Undefined: down to the oldest message. */
  readonly floor: Position | undefined;
}

/** Where a search looks for messages. */
export interface Source<Found extends Range = Range> {
  /** Finds ranges before a position. A greater `effort` finds more of them. */
  findRanges(before: Position, effort: number): Promise<Ranges<Found>>;
  /** The newest messages of each range, up to a number. */
  readRanges(ranges: readonly Found[], limit: number): Promise<(readonly Candidate[])[]>;
}

interface Search<Found extends Range> {
  readonly source: Source<Found>;
  readonly matches: (text: string) => boolean;
  readonly limit: number;
  readonly before: Position;
}

/** How long a request reads. The last read may end later. */
const maxReadMs = 120;
const firstSize = 512;
const maxSize = 4_096;
/** A find or a read that takes longer is not followed by a larger one. */
const maxGrowingMs = 20;
const maxEffort = 256;

/** The matching messages, newest first, and before which position the search goes on. It has ended if that is undefined. */
export async function findMatches<Found extends Range>(
  search: Search<Found>,
): Promise<{ found: readonly Candidate[]; next: Position | undefined }> {
  const { source, matches, limit } = search;
  const found: Candidate[] = [];
  let { before } = search;
  let pending: Ranges<Found> | undefined;
  let readMs = 0;
  let effort = 1;
  let size = firstSize;
  while (readMs < maxReadMs) {
    const startedAt = performance.now();
    if (pending === undefined) {
      pending = await source.findRanges(before, effort);
      if (performance.now() - startedAt < maxGrowingMs) effort = Math.min(2 * effort, maxEffort);
    }
    const chosen = chooseRanges(pending.ranges, size);
    const read = chosen.ranges.length === 0 ? [] : await source.readRanges(chosen.ranges, chosen.limitOfEach);
    const tookMs = performance.now() - startedAt;
    readMs += tookMs;
    if (tookMs < maxGrowingMs) size = Math.min(2 * size, maxSize);
    const floor = highest([
      ...read
        .flatMap((messages) => (messages.length < chosen.limitOfEach ? [] : messages.slice(-1)))
        .map(lastBefore),
      ...chosen.nextPositions,
      ...(pending.floor === undefined ? [] : [pending.floor]),
    ]);
    const matching = new Map<number, Candidate>();
    await runInSlices(read.flat(), (one) => {
      const isKnown = floor === undefined || positionsDescending(one, floor) < 0;
      if (isKnown && one.text !== null && matches(one.text)) matching.set(one.pk, one);
    });
    for (const candidate of [...matching.values()].sort(positionsDescending)) {
      const last = found.at(-1);
      // Only now is it known that there is another one.
      if (found.length === limit) return { found, next: last };
      found.push(candidate);
    }
    if (floor === undefined) return { found, next: undefined };
    before = after(floor);
    const isFloorOfAll = pending.floor !== undefined && positionsDescending(floor, pending.floor) === 0;
    pending = isFloorOfAll ? undefined : { ...pending, ranges: endBefore(pending.ranges, before) };
  }
  return { found, next: before };
}

/**
 * The ranges to read next: the newest of each channel, for about `size` messages in all, and the positions at which the ones
 * that are left out begin.
 */
export function chooseRanges<Found extends Range>(
  ranges: readonly Found[],
  size: number,
): { ranges: Found[]; limitOfEach: number; nextPositions: Position[] } {
  const sorted = ranges.toSorted((one, other) => positionsDescending(one.before, other.before));
  const byChannel = Map.groupBy(sorted, ({ channelPk }) => channelPk);
  const channels = [...byChannel.values()];
  const isFirst = ({ before }: Range) =>
    sorted[0] !== undefined && positionsDescending(before, sorted[0].before) === 0;
  const limitOfEach = Math.max(minOfEach, Math.floor(size / Math.max(1, channels.length)));
  const chosen: Found[] = [];
  const nextPositions: Position[] = [];
  for (const [index, ofChannel] of channels.entries()) {
    let left = limitOfEach;
    for (const range of ofChannel) {
      // Those that begin at the same position are read at once: otherwise the search would not advance.
      if (index >= size / minOfEach && !isFirst(range)) left = 0;
      if (left <= 0) {
        nextPositions.push(lastBefore(range.before));
        break;
      }
      chosen.push(range);
      left -= range.size;
    }
  }
  return { ranges: chosen, limitOfEach, nextPositions };
}

const minOfEach = 4;

/** What is left of the ranges before a position. */
function endBefore<Found extends Range>(ranges: readonly Found[], before: Position): Found[] {
  return ranges.flatMap((range) => {
    if (positionsDescending(after(range.from), before) <= 0) return [];
    return positionsDescending(range.before, before) < 0 ? { ...range, before } : range;
  });
}

const highest = (positions: readonly Position[]) => positions.toSorted(positionsDescending)[0];

/** Nothing is between a position and the one after it. */
export const after = ({ createdAt, pk }: Position): Position => ({ createdAt, pk: pk + 1 });
const lastBefore = ({ createdAt, pk }: Position): Position => ({ createdAt, pk: pk - 1 });

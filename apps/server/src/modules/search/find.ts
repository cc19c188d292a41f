import { maxPageBytes } from "../../paging/page-bytes";
import { isNewer, type Position, positionsDescending } from "../../paging/position";
import { runSteps } from "../../turns/in-slices";
import type { Matcher } from "./match";

/** A message to compare with the terms. */
export interface Candidate extends Position {
  readonly channelPk: number;
  readonly channelId: string;
  /** The content, or the name of the file. Null if the sender or a deleted channel excludes the message. */
  readonly text: string | null;
  /** Whether the range may have older messages, because those that were read have much text. */
  readonly isCut?: boolean;
}

/** Messages to read: those after `from` and before `before`. */
export interface Range {
  /** The same value in the ranges of one channel. A range of a whole schema is a group of its own. */
  readonly group: unknown;
  readonly from: Position;
  readonly before: Position;
  /** The approximate number of messages. */
  readonly size: number;
}

/** Ranges that may contain matching messages, in any order. Ranges of a group can overlap. */
export interface Ranges<Found extends Range> {
  readonly ranges: readonly Found[];
  /** All matching messages after this position are in `ranges`. Undefined: all matching messages are. */
  readonly floor: Position | undefined;
}

/** Where a search looks for messages. */
export interface Source<Found extends Range = Range> {
  /** Finds ranges before a position. `effort` multiplies how many are looked for. */
  findRanges(before: Position, effort: number): Promise<Ranges<Found>>;
  /** The newest messages of each range, up to a number, and up to a number of bytes of text. */
  readRanges(ranges: readonly Found[], limit: number, maxBytes: number): Promise<(readonly Candidate[])[]>;
}

interface Search<Found extends Range> {
  readonly source: Source<Found>;
  readonly matches: Matcher;
  readonly limit: number;
  readonly before: Position;
  /** How many messages the first read has. */
  readonly firstSize?: number | undefined;
}

/** A request starts no further read after this time of reading and comparing. */
const maxReadMs = 120;
/** A request compares no further message after this time. */
const maxMs = 200;
const defaultFirstSize = 512;
const maxSize = 4_096;
/** `effort` and the number of messages per read double only after reads that were faster than this. */
const maxGrowingMs = 20;
const maxEffort = 256;
/** Of all ranges. Each range returns at least one message. */
const bytesPerRead = 4 * 2 ** 20;

/**
 * Returns matching messages, newest first, and the position before which the next request continues. Without that position
 * the search is complete.
 *
 * Each round reads some ranges and determines `floor`: every message after it was read, so the matches after it are final
 * and in order. The next round continues at the floor.
 */
export async function findMatches<Found extends Range>(
  search: Search<Found>,
): Promise<{ found: readonly Candidate[]; next: Position | undefined }> {
  const { source, matches, limit } = search;
  const found: Candidate[] = [];
  let bytes = 0;
  let { before } = search;
  let pending: Ranges<Found> | undefined;
  let spentMs = 0;
  let effort = 1;
  let size = search.firstSize ?? defaultFirstSize;
  while (spentMs < maxReadMs) {
    const startedAt = performance.now();
    if (pending === undefined) {
      pending = await source.findRanges(before, effort);
      if (performance.now() - startedAt < maxGrowingMs) effort = Math.min(2 * effort, maxEffort);
    }
    const chosen = chooseRanges(pending.ranges, size);
    const read =
      chosen.ranges.length === 0
        ? []
        : await source.readRanges(
            chosen.ranges,
            chosen.limitOfEach,
            Math.ceil(bytesPerRead / chosen.ranges.length),
          );
    const tookMs = performance.now() - startedAt;
    spentMs += tookMs;
    if (tookMs < maxGrowingMs) size = Math.min(2 * size, maxSize);
    const floor = newestOf([
      ...read.flatMap((messages) => positionBeforeLast(messages, chosen.limitOfEach)),
      ...chosen.nextPositions,
      ...(pending.floor === undefined ? [] : [pending.floor]),
    ]);
    const compared = await runSteps(compare(finalOnes(read, floor), matches, maxMs - spentMs));
    for (const match of compared.matching) {
      // A page is full when one more match exists, so the last page has no cursor.
      if (found.length === limit || bytes >= maxPageBytes) return { found, next: found.at(-1) };
      found.push(match);
      bytes += Buffer.byteLength(match.text ?? "");
    }
    if (compared.stoppedAt !== undefined) return { found, next: compared.stoppedAt };
    spentMs += compared.tookMs;
    if (floor === undefined) return { found, next: undefined };
    before = positionAfter(floor);
    const isFloorOfAll = pending.floor !== undefined && positionsDescending(floor, pending.floor) === 0;
    pending = isFloorOfAll ? undefined : { ...pending, ranges: cutAt(pending.ranges, before) };
  }
  return { found, next: before };
}

/** A range that returned `limit` messages, or much text, may have older ones. */
function positionBeforeLast(messages: readonly Candidate[], limit: number): Position[] {
  const last = messages.at(-1);
  return last !== undefined && (messages.length >= limit || last.isCut) ? [positionBefore(last)] : [];
}

/** The messages after the floor, newest first. Ranges overlap, so a message can have been read twice. */
function finalOnes(
  read: readonly (readonly Candidate[])[],
  floor: Position | undefined,
): readonly Candidate[] {
  const byPk = new Map(read.flat().map((one) => [one.pk, one]));
  return [...byPk.values()]
    .filter((one) => floor === undefined || isNewer(one, floor))
    .sort(positionsDescending);
}

interface Compared {
  readonly matching: readonly Candidate[];
  /** The last message that was compared. Undefined: all of them were. */
  readonly stoppedAt: Position | undefined;
  /** Without the time of other requests. */
  readonly tookMs: number;
}

/** Compares messages in order, at least one, until the time is over. A text can take many steps. */
function* compare(
  messages: readonly Candidate[],
  matches: Matcher,
  maxTookMs: number,
): Generator<undefined, Compared> {
  const matching: Candidate[] = [];
  let tookMs = 0;
  let compared = 0;
  for (const one of messages) {
    if (compared > 0 && tookMs >= maxTookMs) break;
    const steps = matches(one.text ?? "");
    for (let isDone = one.text === null; !isDone; ) {
      const startedAt = performance.now();
      const next = steps.next();
      tookMs += performance.now() - startedAt;
      isDone = next.done === true;
      if (next.value) matching.push(one);
      yield;
    }
    compared += 1;
  }
  return { matching, stoppedAt: compared < messages.length ? messages[compared - 1] : undefined, tookMs };
}

/**
 * Chooses the ranges to read next: the newest of each group, about `size` messages in all. `nextPositions` are the newest
 * positions of the ranges that were not chosen.
 */
function chooseRanges<Found extends Range>(
  ranges: readonly Found[],
  size: number,
): { ranges: Found[]; limitOfEach: number; nextPositions: Position[] } {
  const sorted = ranges.toSorted((one, other) => positionsDescending(one.before, other.before));
  const groups = [...Map.groupBy(sorted, ({ group }) => group).values()];
  const isFirst = ({ before }: Range) =>
    sorted[0] !== undefined && positionsDescending(before, sorted[0].before) === 0;
  const limitOfEach = Math.max(minOfEach, Math.floor(size / Math.max(1, groups.length)));
  const chosen: Found[] = [];
  const nextPositions: Position[] = [];
  for (const [index, ofGroup] of groups.entries()) {
    let left = index < size / minOfEach ? limitOfEach : 0;
    for (const range of ofGroup) {
      // All ranges that start at the newest position are chosen: otherwise the floor would not move.
      if (left <= 0 && !isFirst(range)) {
        nextPositions.push(positionBefore(range.before));
        break;
      }
      chosen.push(range);
      left -= range.size;
    }
  }
  return { ranges: chosen, limitOfEach, nextPositions };
}

const minOfEach = 4;

/** Cuts the ranges at a position and omits those that are empty afterwards. */
function cutAt<Found extends Range>(ranges: readonly Found[], before: Position): Found[] {
  return ranges.flatMap((range) => {
    if (!isNewer(before, positionAfter(range.from))) return [];
    return isNewer(range.before, before) ? { ...range, before } : range;
  });
}

const newestOf = (positions: readonly Position[]) => positions.toSorted(positionsDescending)[0];

/** The adjacent positions: no message is between them. */
export const positionAfter = ({ createdAt, pk }: Position): Position => ({ createdAt, pk: pk + 1 });
const positionBefore = ({ createdAt, pk }: Position): Position => ({ createdAt, pk: pk - 1 });

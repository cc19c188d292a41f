import { type Range, readParts } from "./read-parts";

const quote = 0x22;
const lineFeed = 0x0a;

export interface RecordOptions {
  /** Whether a line break between quotes belongs to a record, as in CSV. */
  readonly isQuoted: boolean;
  readonly range?: Range | undefined;
}

/** The records of a text file, without their line breaks, in batches. Memory does not grow with the file. */
export async function* readRecords(
  path: string,
  { isQuoted, range }: RecordOptions,
): AsyncGenerator<string[]> {
  const findBreak = createBreakFinder(isQuoted);
  let rest: Buffer = Buffer.alloc(0);
  for await (const part of readParts(path, range)) {
    const batch: string[] = [];
    let start = 0;
    for (let end = findBreak(part, start); end !== -1; end = findBreak(part, start)) {
      const piece = part.subarray(start, end);
      batch.push(decode(rest.length === 0 ? piece : Buffer.concat([rest, piece])));
      rest = rest.subarray(0, 0);
      start = end + 1;
    }
    rest = Buffer.concat([rest, part.subarray(start)]);
    const records = batch.filter((record) => record !== "");
    if (records.length > 0) yield records;
  }
  if (rest.length > 0) yield [decode(rest)];
}

const decode = (bytes: Buffer) => bytes.toString("utf8").replace(/\r$/, "");

/** Finds the end of a record at or after a byte. It is called with all bytes of a file, in order. */
function createBreakFinder(isQuoted: boolean): (bytes: Buffer, from: number) => number {
  if (!isQuoted) return (bytes, from) => bytes.indexOf(lineFeed, from);
  let isOpen = false;
  return (bytes, from) => {
    for (let at = from; at < bytes.length; at += 1)
      if (bytes[at] === quote) isOpen = !isOpen;
      else if (bytes[at] === lineFeed && !isOpen) return at;
    return -1;
  };
}

/** The same from the last record to the first: the file is read once for the positions, and then block by block. */
export async function* readRecordsReversed(
  path: string,
  { isQuoted, range }: RecordOptions,
): AsyncGenerator<string[]> {
  const blocks = await findBlocks(path, { isQuoted, range });
  for (const block of blocks.reverse()) {
    const records: string[] = [];
    for await (const batch of readRecords(path, { isQuoted, range: block })) records.push(...batch);
    if (records.length > 0) yield records.reverse();
  }
}

const blockBytes = 1 << 18;

/** Blocks of whole records. */
async function findBlocks(path: string, { isQuoted, range }: RecordOptions): Promise<Range[]> {
  const findBreak = createBreakFinder(isQuoted);
  const blocks: Range[] = [];
  let partStart = range?.start ?? 0;
  let start = partStart;
  for await (const part of readParts(path, range)) {
    for (let at = findBreak(part, 0); at !== -1; at = findBreak(part, at + 1)) {
      const end = partStart + at + 1;
      if (end - start < blockBytes) continue;
      blocks.push({ start, end });
      start = end;
    }
    partStart += part.length;
  }
  if (partStart > start) blocks.push({ start, end: partStart });
  return blocks;
}

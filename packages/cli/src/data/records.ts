import { createReadStream } from "node:fs";

const quote = 0x22;
const lineFeed = 0x0a;

/** A range of a text file: one record, without its line break. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface RecordOptions {
  /** Whether a line break between quotes belongs to a record, as in CSV. */
  readonly isQuoted: boolean;
  readonly range?: Range | undefined;
}

/** The records of a text file, in batches. Memory does not grow with the file. */
export async function* readRecords(
  path: string,
  { isQuoted, range }: RecordOptions,
): AsyncGenerator<string[]> {
  let rest = Buffer.alloc(0);
  let isOpen = false;
  // `end` of a stream is inclusive.
  const limits = range && { start: range.start, end: range.end - 1 };
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 18, ...limits })) {
    const bytes = Buffer.concat([rest, chunk]);
    const batch: string[] = [];
    let start = 0;
    for (let at = rest.length; at < bytes.length; at += 1) {
      if (isQuoted && bytes[at] === quote) isOpen = !isOpen;
      else if (bytes[at] === lineFeed && !isOpen) {
        batch.push(decode(bytes.subarray(start, at)));
        start = at + 1;
      }
    }
    rest = bytes.subarray(start);
    const records = batch.filter((record) => record !== "");
    if (records.length > 0) yield records;
  }
  if (rest.length > 0) yield [decode(rest)];
}

const decode = (bytes: Buffer) => bytes.toString("utf8").replace(/\r$/, "");

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

const blockBytes = 1 << 19;

/** Blocks of whole records. */
async function findBlocks(path: string, { isQuoted, range }: RecordOptions): Promise<Range[]> {
  const blocks: Range[] = [];
  let start = range?.start ?? 0;
  let at = start;
  let isOpen = false;
  const limits = range && { start: range.start, end: range.end - 1 };
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 18, ...limits })) {
    for (const byte of chunk as Buffer) {
      at += 1;
      if (isQuoted && byte === quote) isOpen = !isOpen;
      else if (byte === lineFeed && !isOpen && at - start >= blockBytes) {
        blocks.push({ start, end: at });
        start = at;
      }
    }
  }
  if (at > start) blocks.push({ start, end: at });
  return blocks;
}

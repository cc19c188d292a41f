import { isUtf8 } from "node:buffer";
import type { FileHandle } from "node:fs/promises";
import type { Problem } from "../tables/tables";
import { openFile, readParts } from "./read-parts";

/** A record of a text file, without its line break, and the line that it begins in. */
export interface TextRecord {
  readonly line: number;
  readonly text: string;
}

export interface RecordOptions {
  /** Whether a line break between quotes belongs to a record, as in CSV. */
  readonly isQuoted: boolean;
  readonly isReversed: boolean;
}

/** Ten times the size of the largest row that the service accepts. */
const maxRecordBytes = 1_000_000;
const blockBytes = 1 << 18;

const quote = 0x22;
const lineFeed = 0x0a;

/**
 * The records of a text file in batches, from either end, without empty lines. The file is read once for the positions of
 * its records, and then block by block: memory does not grow with the file.
 */
export async function* readRecords(
  path: string,
  { isQuoted, isReversed }: RecordOptions,
): AsyncGenerator<(TextRecord | Problem)[]> {
  const blocks = await findBlocks(path, isQuoted);
  if (!Array.isArray(blocks)) return yield [blocks];
  const file = await openFile(path);
  try {
    let buffer = Buffer.allocUnsafe(0);
    for (const { start, end, line } of isReversed ? blocks.reverse() : blocks) {
      // One buffer for all blocks: Node collects much garbage outside of the heap at a time.
      if (buffer.length < end - start) buffer = Buffer.allocUnsafe(end - start);
      const bytes = buffer.subarray(0, end - start);
      await readFully(file, bytes, start);
      const records = [...splitRecords(bytes, line, isQuoted)];
      yield isReversed ? records.reverse() : records;
    }
  } finally {
    await file.close();
  }
}

/** Whole records of a file, in bytes, and the line of the first one. */
interface Block {
  readonly start: number;
  readonly end: number;
  readonly line: number;
}

async function findBlocks(path: string, isQuoted: boolean): Promise<Block[] | Problem> {
  const blocks: Block[] = [];
  let block = { start: 0, line: 1 };
  let record = block;
  let line = 1;
  let isOpen = false;
  let partStart = 0;
  const tooLong = () => ({
    line: record.line,
    problem: `the line has more than ${maxRecordBytes.toLocaleString("en-US")} bytes${isOpen ? ": a quote is not closed" : ""}.`,
  });
  for await (const part of readParts(path)) {
    for (let at = findNext(part, 0, isQuoted); at !== -1; at = findNext(part, at + 1, isQuoted)) {
      if (part[at] === quote) {
        isOpen = !isOpen;
        continue;
      }
      line += 1;
      if (isOpen) continue;
      const end = partStart + at + 1;
      if (end - record.start > maxRecordBytes) return tooLong();
      record = { start: end, line };
      if (end - block.start < blockBytes) continue;
      blocks.push({ ...block, end });
      block = record;
    }
    partStart += part.length;
    if (partStart - record.start > maxRecordBytes) return tooLong();
  }
  if (isOpen) return { line: record.line, problem: "a quote is not closed." };
  if (partStart > block.start) blocks.push({ ...block, end: partStart });
  return blocks;
}

/** The next line break, or in CSV the next quote, whichever comes first. */
function findNext(bytes: Buffer, from: number, isQuoted: boolean): number {
  if (!isQuoted) return bytes.indexOf(lineFeed, from);
  for (let at = from; at < bytes.length; at += 1)
    if (bytes[at] === quote || bytes[at] === lineFeed) return at;
  return -1;
}

async function readFully(file: FileHandle, bytes: Buffer, start: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, at, bytes.length - at, start + at);
    if (bytesRead === 0) throw new Error("The file became shorter while it was read.");
    at += bytesRead;
  }
}

function* splitRecords(bytes: Buffer, firstLine: number, isQuoted: boolean): Generator<TextRecord | Problem> {
  const badLines = isUtf8(bytes) ? undefined : findBadLines(bytes, firstLine);
  let record: { line: number; text: string } | undefined;
  let isOpen = false;
  for (const [index, text] of bytes.toString("utf8").split("\n").entries()) {
    const line = firstLine + index;
    if (badLines?.has(line)) yield { line, problem: "the text is not UTF-8. Save the file as UTF-8." };
    record = record === undefined ? { line, text } : { ...record, text: `${record.text}\n${text}` };
    if (isQuoted && text.split('"').length % 2 === 0) isOpen = !isOpen;
    if (isOpen) continue;
    const whole = record.text.replace(/\r$/, "");
    if (whole !== "" && !badLines?.has(line)) yield { line: record.line, text: whole };
    record = undefined;
  }
}

function findBadLines(bytes: Buffer, firstLine: number): Set<number> {
  const found = new Set<number>();
  for (let start = 0, line = firstLine; start < bytes.length; line += 1) {
    const end = bytes.indexOf(lineFeed, start);
    const next = end === -1 ? bytes.length : end + 1;
    if (!isUtf8(bytes.subarray(start, next))) found.add(line);
    start = next;
  }
  return found;
}

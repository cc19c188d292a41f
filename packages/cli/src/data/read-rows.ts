import { stat } from "node:fs/promises";
import { CommandError } from "../exit-codes";
import { toPlainText } from "../output/plain-text";
import { byteOrderMark, parseCells, parseCsvRow } from "./csv";
import { readParquet } from "./parquet";
import { type RecordOptions, readRecords, readRecordsReversed } from "./records";
import { type Kind, type Row, tables } from "./tables";

export const formats = ["ndjson", "csv", "parquet"] as const;
export type Format = (typeof formats)[number];

/** The rows of a file, in batches, from either end. */
export function readRows(path: string, kind: Kind, isReversed = false): AsyncGenerator<Row[]> {
  if (path.endsWith(".parquet")) return readParquet(path, tables[kind], isReversed);
  return path.endsWith(".csv") ? readCsv(path, kind, isReversed) : readNdjson(path, isReversed);
}

async function* readNdjson(path: string, isReversed: boolean): AsyncGenerator<Row[]> {
  for await (const lines of read(path, { isQuoted: false }, isReversed))
    yield lines.map((line) => parse(path, line, parseObject));
}

function parseObject(line: string): Row {
  // Only at the beginning: a text may contain one.
  const row: unknown = JSON.parse(line.startsWith(byteOrderMark) ? line.slice(1) : line);
  if (typeof row !== "object" || row === null || Array.isArray(row)) throw new Error("It must be an object.");
  return { ...row };
}

/** Parses a record. The error names the file and quotes the record: there may be a million. */
function parse(path: string, record: string, parseRow: (record: string) => Row): Row {
  try {
    return parseRow(record);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(`${path}: ${toPlainText(record.slice(0, 80))}: ${toPlainText(reason)}`);
  }
}

async function* readCsv(path: string, kind: Kind, isReversed: boolean): AsyncGenerator<Row[]> {
  const header = await readHeader(path);
  if (header === undefined) return;
  const columns = header.names.map((name) => tables[kind].find((column) => column.name === name));
  const parseRow = (record: string) => parseCsvRow(columns, record);
  const range = { start: header.bytes, end: (await stat(path)).size };
  if (range.start >= range.end) return;
  for await (const records of read(path, { isQuoted: true, range }, isReversed))
    yield records.map((record) => parse(path, record, parseRow));
}

function read(path: string, options: RecordOptions, isReversed: boolean): AsyncGenerator<string[]> {
  return isReversed ? readRecordsReversed(path, options) : readRecords(path, options);
}

/** The names of the columns, and how many bytes they take. */
async function readHeader(path: string): Promise<{ names: string[]; bytes: number } | undefined> {
  for await (const [line = ""] of readRecords(path, { isQuoted: true })) {
    const names = parseCells(line.replace(byteOrderMark, ""));
    const lineBreak = (await hasCarriageReturn(path, Buffer.byteLength(line))) ? 2 : 1;
    return { names, bytes: Buffer.byteLength(line) + lineBreak };
  }
  return undefined;
}

async function hasCarriageReturn(path: string, at: number): Promise<boolean> {
  for await (const [record = ""] of readRecords(path, { isQuoted: false, range: { start: at, end: at + 2 } }))
    return record.startsWith("\r");
  // Decoding a record removes its carriage return.
  return true;
}

import { stat } from "node:fs/promises";
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
    yield lines.map((line) => {
      const row: unknown = JSON.parse(line);
      if (typeof row !== "object" || row === null || Array.isArray(row))
        throw new Error(`${path}: a line is not an object: ${line.slice(0, 80)}`);
      return { ...row };
    });
}

async function* readCsv(path: string, kind: Kind, isReversed: boolean): AsyncGenerator<Row[]> {
  const header = await readHeader(path);
  if (header === undefined) return;
  const columns = header.names.map((name) => tables[kind].find((column) => column.name === name));
  const range = { start: header.bytes, end: (await stat(path)).size };
  if (range.start >= range.end) return;
  for await (const records of read(path, { isQuoted: true, range }, isReversed))
    yield records.map((record) => parseCsvRow(columns, record));
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

import { CommandError } from "../exit-codes";
import { messageOf } from "../output/describe-error";
import { byteOrderMark, parseCells, parseCsvRow } from "./csv";
import { readParquet } from "./parquet";
import { readRecords, type TextRecord } from "./read-records";
import { explainUnknownColumn, type Kind, type Problem, type Row, type RowEntry, tables } from "./tables";

export const formats = ["ndjson", "csv", "parquet"] as const;
export type Format = (typeof formats)[number];

/** The rows of a file in batches, from either end. What is not a row is a problem. */
export function readEntries(
  path: string,
  kind: Kind,
  isReversed = false,
): AsyncGenerator<(RowEntry | Problem)[]> {
  if (path.endsWith(".parquet")) return readParquet(path, tables[kind], isReversed);
  return path.endsWith(".csv") ? readCsv(path, kind, isReversed) : readNdjson(path, isReversed);
}

/** The same for a file without problems: the first one is an error. */
export async function* readRows(path: string, kind: Kind): AsyncGenerator<Row[]> {
  for await (const entries of readEntries(path, kind))
    yield entries.map((entry) => {
      if ("row" in entry) return entry.row;
      throw new CommandError(`${locate(path, entry.line)}: ${entry.problem}`);
    });
}

/** A line as compilers name it. */
export const locate = (path: string, line: number) => (line === 0 ? path : `${path}:${line}`);

async function* readNdjson(path: string, isReversed: boolean): AsyncGenerator<(RowEntry | Problem)[]> {
  for await (const records of readRecords(path, { isQuoted: false, isReversed }))
    yield records.map((record) => parse(record, parseObject));
}

function parseObject({ line, text }: TextRecord): Row {
  const row: unknown = JSON.parse(line === 1 && text.startsWith(byteOrderMark) ? text.slice(1) : text);
  if (typeof row !== "object" || row === null || Array.isArray(row))
    throw new Error("the line must be an object in JSON.");
  return { ...row };
}

function parse(record: TextRecord | Problem, parseRow: (record: TextRecord) => Row): RowEntry | Problem {
  if ("problem" in record) return record;
  try {
    return { line: record.line, row: parseRow(record) };
  } catch (error) {
    return { line: record.line, problem: messageOf(error) };
  }
}

async function* readCsv(
  path: string,
  kind: Kind,
  isReversed: boolean,
): AsyncGenerator<(RowEntry | Problem)[]> {
  const names = await readHeader(path);
  const [, separator] = names.length === 1 ? (/([;\t|])/.exec(names.join()) ?? []) : [];
  if (separator !== undefined)
    return yield [
      {
        line: 1,
        problem: `the cells are separated by ${separator === "\t" ? "tabs" : separator}. Save the file with commas.`,
      },
    ];
  const columns = names.map((name) => tables[kind].find((column) => column.name === name));
  const unknown = names.filter((_, index) => columns[index] === undefined);
  if (unknown.length > 0) yield unknown.map((name) => explainUnknownColumn(1, name, tables[kind]));
  for await (const records of readRecords(path, { isQuoted: true, isReversed }))
    yield records
      // The header is there already.
      .filter((record) => record.line !== 1 || "problem" in record)
      .map((record) => parse(record, ({ text }) => parseCsvRow(columns, text)));
}

async function readHeader(path: string): Promise<string[]> {
  for await (const [record] of readRecords(path, { isQuoted: true, isReversed: false }))
    return record !== undefined && "text" in record ? parseCells(record.text.replace(byteOrderMark, "")) : [];
  return [];
}

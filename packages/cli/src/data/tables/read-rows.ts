import { CommandError } from "../../terminal/exit-codes";
import { messageOf } from "../../terminal/output/describe-error";
import { readRecords, type TextRecord } from "../files/read-records";
import { columnOf, type Row } from "./column";
import { parseCells, parseCsvRow, withoutMark } from "./csv";
import { readParquet } from "./parquet";
import { type Kind, type Problem, type RowEntry, tables } from "./tables";

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
  const row: unknown = JSON.parse(line === 1 ? withoutMark(text) : text);
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
  const { line, names } = await readHeader(path);
  const problems = findProblems(names);
  if (problems.length > 0) return yield problems.map((problem) => ({ line, problem }));
  const columns = names.map((name) => tables[kind].find((column) => column.name === name) ?? columnOf(name));
  for await (const records of readRecords(path, { isQuoted: true, isReversed }))
    yield records
      .filter((record) => record.line > line || "problem" in record)
      .map((record) => parse(record, ({ text }) => parseCsvRow(columns, text)));
}

/** The first line that is not empty. */
async function readHeader(path: string): Promise<{ line: number; names: string[] }> {
  for await (const records of readRecords(path, { isQuoted: true, isReversed: false }))
    for (const record of records) {
      if ("problem" in record) return { line: record.line, names: [] };
      const text = record.line === 1 ? withoutMark(record.text) : record.text;
      if (text !== "") return { line: record.line, names: parseCells(text) };
    }
  return { line: 1, names: [] };
}

function findProblems(names: readonly string[]): string[] {
  const [, separator] = names.length === 1 ? (/([;\t|])/.exec(names.join()) ?? []) : [];
  if (separator !== undefined)
    return [
      `the cells are separated by ${separator === "\t" ? "tabs" : separator}. Save the file with commas.`,
    ];
  const repeated = new Set(names.filter((name, index) => name !== "" && names.indexOf(name) < index));
  return [...repeated].map((name) => `the column ${JSON.stringify(name)} is there twice.`);
}

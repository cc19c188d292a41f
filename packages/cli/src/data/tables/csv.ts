import { fromCsvCell, toCsvCell, toJsonCell } from "@madang/contract/csv";
import { parseTime } from "../../commands/operations/parse-value";
import { type Column, type Row, toCells, toRow } from "./column";

/** Excel reads a file as UTF-8 only with this mark at its beginning. */
export const byteOrderMark = "\ufeff";

/** A text without the mark at its beginning. */
export const withoutMark = (text: string): string => (text.startsWith(byteOrderMark) ? text.slice(1) : text);

export function formatCsvHeader(columns: readonly Column[]): string {
  return `${columns.map(({ name }) => name).join(",")}\r\n`;
}

/** A record of RFC 4180. Times are ISO 8601, or from the year 10000 on milliseconds; metadata is JSON. */
export function formatCsvRow(columns: readonly Column[], row: Row): string {
  const values = toCells(columns, row);
  return `${columns.map((column, index) => formatCell(column, values[index])).join(",")}\r\n`;
}

function formatCell({ type }: Column, value: unknown): string {
  if (value === undefined || value === null) return "";
  if (type === "time") return formatTime(Number(value));
  if (type === "json") return toJsonCell(value);
  // Numbers may be negative.
  return type === "text" ? toCsvCell(String(value)) : String(value);
}

const maxIsoTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const formatTime = (ms: number) => (ms > maxIsoTime ? String(ms) : new Date(ms).toISOString());

/** The row of a record that `formatCsvRow` wrote, or a spreadsheet. */
export function parseCsvRow(columns: readonly Column[], record: string): Row {
  const cells = parseCells(record);
  if (cells.length !== columns.length)
    throw new Error(`the line has ${cells.length} cells, and the header has ${columns.length}.`);
  return toRow(
    columns,
    columns.map((column, index) => parseCell(column, cells[index] ?? "")),
  );
}

export function parseCells(record: string): string[] {
  const cells: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y;
  for (let isLast = false; !isLast; ) {
    const [found, quoted, plain = "", end] = cell.exec(record) ?? [];
    if (found === undefined) throw new Error('a cell that contains " must be quoted as a whole.');
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    isLast = end === "";
  }
  return cells;
}

function parseCell({ name, type }: Column, text: string): unknown {
  if (text === "") return undefined;
  if (type === "text") return fromCsvCell(text);
  try {
    if (type === "time") return parseTime(text);
    // Numbers, true and false are JSON; a spreadsheet writes TRUE.
    return JSON.parse(type === "boolean" ? text.toLowerCase() : text);
  } catch (error) {
    if (type === "time" && error instanceof Error) throw new Error(`${name}: ${error.message}`);
    throw new Error(`${name} must be ${type === "json" ? "JSON" : `a ${type}`}.`);
  }
}

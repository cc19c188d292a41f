import { type Column, type Row, toRow, valueAt } from "./tables";

/** Excel reads a file as UTF-8 only with this mark at its beginning. */
export const byteOrderMark = "\ufeff";

/** The beginnings of cells that spreadsheets run as a formula. An apostrophe makes them text. */
const formula = /^'*[=+\-@\t\r]/;

export function formatCsvHeader(columns: readonly Column[]): string {
  return `${columns.map(({ name }) => name).join(",")}\r\n`;
}

/** A record of RFC 4180. Times are ISO 8601, metadata is JSON. */
export function formatCsvRow(columns: readonly Column[], row: Row): string {
  return `${columns.map((column) => formatCell(column, valueAt(row, column))).join(",")}\r\n`;
}

function formatCell({ type }: Column, value: unknown): string {
  if (value === undefined || value === null) return "";
  if (type === "time") return new Date(Number(value)).toISOString();
  if (type === "json") return quote(JSON.stringify(value));
  const text = String(value);
  return quote(type === "text" && formula.test(text) ? `'${text}` : text);
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The row of a record that `formatCsvRow` wrote, or a spreadsheet. */
export function parseCsvRow(columns: readonly (Column | undefined)[], record: string): Row {
  const cells = parseCells(record);
  const known = columns.flatMap((column, index) => (column ? [{ column, text: cells[index] ?? "" }] : []));
  return toRow(
    known.map(({ column }) => column),
    known.map(({ column, text }) => parseCell(column, text)),
  );
}

export function parseCells(record: string): string[] {
  const cells: string[] = [];
  // Each cell follows a comma, or nothing at the beginning.
  for (const [, quoted, plain = ""] of `,${record}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g))
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
  return cells;
}

function parseCell({ name, type }: Column, text: string): unknown {
  if (text === "") return undefined;
  if (type === "integer") return Number(text);
  if (type === "boolean") return text.toLowerCase() === "true";
  if (type === "time") return parseTime(name, text);
  if (type === "json") return JSON.parse(text);
  return formula.test(text) && text.startsWith("'") ? text.slice(1) : text;
}

function parseTime(name: string, text: string): number {
  const ms = /^\d+$/.test(text) ? Number(text) : Date.parse(text);
  if (Number.isNaN(ms)) throw new Error(`${name} is not a time: ${text}`);
  return ms;
}

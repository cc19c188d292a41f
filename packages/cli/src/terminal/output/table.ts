import type { Row } from "../../data/tables/column";
import { secretFields } from "../../generated/operations";
import { formatTime, formatValue, isEndless, isTime } from "./format-value";
import { toPlainText } from "./plain-text";
import { fit, widthOf } from "./width";

export interface Column {
  readonly name: string;
  /** The name as it is printed. */
  readonly label: string;
  readonly width: number;
}

const gap = "  ";

/**
 * The columns of a table that shows these rows: every field that has a value in one of them, except those left out on
 * purpose. Within a terminal of a given width the widest columns are cut first; columns that do not fit even so are left
 * out.
 */
export function layOut(
  rows: readonly Row[],
  terminalWidth: number | undefined,
  omitted: readonly string[] = [],
): Column[] {
  const found = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter(
    (name) => !omitted.includes(name),
  );
  // Times come last, and those that every resource has at the end: they are the first to be left out.
  const names = found.toSorted((one, other) => rankOf(one) - rankOf(other));
  const columns = names
    .map((name) => {
      const widths = rows.map((row) => widthOf(formatCell(name, row[name])));
      return {
        name,
        label: isTime(name) ? `${toPlainText(name)} (UTC)` : toPlainText(name),
        maxWidth: Math.max(0, ...widths),
      };
    })
    .filter(({ maxWidth }) => maxWidth > 0)
    .map(({ name, label, maxWidth }) => ({ name, label, width: Math.max(maxWidth, widthOf(label)) }));
  return terminalWidth === undefined ? columns : shrink(columns, terminalWidth);
}

export function formatHeader(columns: readonly Column[]): string {
  return formatCells(columns, ({ label }) => label);
}

export function formatRow(columns: readonly Column[], row: Row): string {
  return formatCells(columns, ({ name }) => formatCell(name, row[name]));
}

function formatCells(columns: readonly Column[], cell: (column: Column) => string): string {
  return columns
    .map((column) => fit(cell(column), column.width))
    .join(gap)
    .trimEnd();
}

/** A secret is shown in part: a table may be visible on a screen for a long time. */
function formatCell(name: string, value: unknown): string {
  // The header has the time zone.
  if (isTime(name) && typeof value === "number" && !isEndless(name, value)) return formatTime(value);
  const text = formatValue(name, value);
  return secretFields.includes(name) && text !== "" ? `${text.slice(0, 3)}…${text.slice(-4)}` : text;
}

function shrink(columns: readonly Column[], available: number): Column[] {
  const kept = [...columns];
  while (kept.length > 1 && totalOf(kept.map(minWidthOf)) > available) kept.pop();
  const widths = kept.map(({ width }) => width);
  const minWidths = kept.map(minWidthOf);
  while (totalOf(widths) > available) {
    const excess = widths.map((width, index) => width - (minWidths[index] ?? 0));
    const maxExcess = Math.max(...excess);
    if (maxExcess === 0) break;
    const widest = excess.indexOf(maxExcess);
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return kept.map((column, index) => ({ ...column, width: widths[index] ?? 0 }));
}

/** The width below which a column is of no use: half an id, half a time or half a name is none. */
function minWidthOf({ name, label, width }: Column): number {
  return Math.max(widthOf(label), Math.min(width, isTime(name) || name.endsWith("_id") ? 30 : 10));
}

function rankOf(name: string): number {
  if (name === "created_at" || name === "updated_at") return 2;
  // An entry of the audit log begins with its time.
  return isTime(name) && name !== "at" ? 1 : 0;
}

function totalOf(widths: readonly number[]): number {
  return widths.reduce((total, width) => total + width, 0) + gap.length * (widths.length - 1);
}

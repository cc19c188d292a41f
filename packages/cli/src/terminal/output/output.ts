import { styleText } from "node:util";
import type { Column as CsvColumn, Row } from "../../data/tables/column";
import { byteOrderMark, formatCsvHeader, formatCsvRow } from "../../data/tables/csv";
import { type Io, write } from "../io";
import { clearProgress } from "../progress";
import { formatDetails } from "./details";
import { formatValue } from "./format-value";
import { toJsonLine, toPlainText } from "./plain-text";
import { type Column, formatHeader, formatRow, layOut } from "./table";

export type Style = "bold" | "dim" | "green" | "red" | "yellow";

/** What commands print: data to standard output, everything else to standard error. */
export class Output {
  readonly #io: Io;
  readonly #isJson: () => boolean;

  constructor(io: Io, isJson: () => boolean) {
    this.#io = io;
    this.#isJson = isJson;
  }

  /** One resource: a line of JSON, or a line for each field. */
  async item(value: unknown): Promise<void> {
    const isObject = typeof value === "object" && value !== null;
    if (this.#isJson()) await this.#data(toJsonLine(value));
    else await this.#data(isObject ? formatDetails(value) : `${formatValue("", value)}\n`);
  }

  /** The pages of a list: lines of JSON, or a table whose columns fit the rows of the first page, without those omitted. */
  async list(
    pages: AsyncIterable<readonly unknown[]> | Iterable<readonly unknown[]>,
    omitted: readonly string[] = [],
  ): Promise<void> {
    const { stdout } = this.#io;
    let columns: Column[] | undefined;
    for await (const page of pages) {
      if (page.length === 0) continue;
      if (this.#isJson()) {
        await this.#data(page.map(toJsonLine).join(""));
        continue;
      }
      // Every item of a list is an object.
      const rows = page as readonly Row[];
      if (columns === undefined) {
        columns = layOut(rows, stdout.isTTY ? stdout.columns || 80 : undefined, omitted);
        await this.#data(`${this.styleData("bold", formatHeader(columns))}\n`);
      }
      const laidOut = columns;
      await this.#data(rows.map((row) => `${formatRow(laidOut, row)}\n`).join(""));
    }
    if (columns === undefined && !this.#isJson()) this.note("There are none.");
  }

  /** The pages of a list as CSV. Cells that a spreadsheet would run as a formula are text. */
  async csv(
    pages: AsyncIterable<readonly unknown[]> | Iterable<readonly unknown[]>,
    columns: readonly CsvColumn[],
  ): Promise<void> {
    await this.#data(byteOrderMark + formatCsvHeader(columns));
    // Every item of a list is an object.
    for await (const page of pages)
      await this.#data((page as readonly Row[]).map((row) => formatCsvRow(columns, row)).join(""));
  }

  /** A line of data that has its form already. */
  async line(text: string): Promise<void> {
    await this.#data(`${text}\n`);
  }

  /** A message for users, on one line. */
  note(text: string): void {
    this.#message(toPlainText(text));
  }

  warn(text: string): void {
    const label = "Warning:";
    const isColoured = this.#isColoured(this.#io.stderr);
    const styled = isColoured ? styleText("yellow", label, { validateStream: false }) : label;
    this.#message(`${styled} ${toPlainText(text)}`);
  }

  /** A text for standard output, in a colour if colours are enabled. */
  styleData(style: Style, text: string): string {
    return this.#isColoured(this.#io.stdout) ? styleText(style, text, { validateStream: false }) : text;
  }

  #message(line: string): void {
    clearProgress(this.#io.stderr);
    this.#io.stderr.write(`${line}\n`);
  }

  /** NO_COLOR turns colours off unless it is empty (https://no-color.org). */
  #isColoured({ isTTY }: { readonly isTTY?: boolean }): boolean {
    const { NO_COLOR = "", TERM } = this.#io.env;
    return isTTY === true && NO_COLOR === "" && TERM !== "dumb";
  }

  async #data(text: string): Promise<void> {
    await write(this.#io.stdout, text);
  }
}

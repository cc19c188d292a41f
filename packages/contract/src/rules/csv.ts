// Without Zod: the `madang` command and the console write the same cells.

/** The characters with which a spreadsheet begins a formula, or which it skips before one. Some programs read the wide ones, too. */
const start = "[=+\\-@＝＋－＠\\t\\r\\n]";

/** Where a cell begins: where `;` separates cells, also behind one. */
const unmarked = new RegExp(`(^|;)(?='*${start})`, "g");
const marked = new RegExp(`(^|;)'(?='*${start})`, "g");
const beforeFormula = new RegExp(`;(?='*${start})`, "g");

/** The cell of a text (RFC 4180). An apostrophe keeps a spreadsheet from running a text as a formula. */
export const toCsvCell = (text: string): string => quote(text.replace(unmarked, "$1'"));

/** The cell of a value as JSON. */
export const toJsonCell = (value: unknown): string =>
  quote(JSON.stringify(value).replace(beforeFormula, "\\u003b"));

/** The text of an unquoted cell, without the apostrophes that `toCsvCell` added. */
export const fromCsvCell = (cell: string): string => cell.replace(marked, "$1");

const quote = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

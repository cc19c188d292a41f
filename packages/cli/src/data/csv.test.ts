import { expect, test } from "vitest";
import { formatCsvRow, parseCsvRow } from "./csv";

const columns = [{ name: "reason", path: ["reason"], type: "text" }] as const;

// The console has the same cases: apps/console/src/pages/audit/csv.test.ts.
test.each([
  ["=1+1", "'=1+1"],
  ["+1", "'+1"],
  ["-1", "'-1"],
  ["@SUM(1)", "'@SUM(1)"],
  ["\t=1", "'\t=1"],
  ["\r=1", '"\'\r=1"'],
  ["'=1", "''=1"],
  ["''=1", "'''=1"],
  ["'90s", "'90s"],
  ["1=1", "1=1"],
  ['=A("x")', `"'=A(""x"")"`],
])("the text %j is the cell %j, and is read back", (reason, cell) => {
  expect(formatCsvRow(columns, { reason })).toBe(`${cell}\r\n`);
  expect(parseCsvRow(columns, cell)).toEqual({ reason });
});

import { toCsvCell } from "@madang/contract/csv";
import { expect, test } from "vitest";
import { formatCsvRow, parseCsvRow } from "./csv";

const columns = [{ name: "reason", path: ["reason"], type: "text" }] as const;

test.each(["=1+1", "'=1", "\n=1", "a;=1", "'90s", "-1"])("the text %j is read back", (reason) => {
  const row = formatCsvRow(columns, { reason });
  expect(row).toBe(`${toCsvCell(reason)}\r\n`);
  expect(parseCsvRow(columns, row.slice(0, -2))).toEqual({ reason });
});

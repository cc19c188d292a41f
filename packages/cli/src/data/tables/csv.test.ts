import { toCsvCell } from "@madang/contract/csv";
import { expect, test } from "vitest";
import { formatCsvRow, parseCsvRow } from "./csv";
import { tables } from "./tables";

const columns = [{ name: "reason", path: ["reason"], type: "text" }] as const;

test.each(["=1+1", "'=1", "\n=1", "a;=1", "'90s", "-1"])("the text %j is read back", (reason) => {
  const row = formatCsvRow(columns, { reason });
  expect(row).toBe(`${toCsvCell(reason)}\r\n`);
  expect(parseCsvRow(columns, row.slice(0, -2))).toEqual({ reason });
});

test.each([0, 253_402_300_799_999, 253_402_300_800_000, Number.MAX_SAFE_INTEGER])(
  "the end %d of a suspension is read back",
  (suspended_until) => {
    const row = formatCsvRow(tables.users, { user_id: "kim_01", suspended_until });
    expect(parseCsvRow(tables.users, row.slice(0, -2))).toEqual({ user_id: "kim_01", suspended_until });
  },
);

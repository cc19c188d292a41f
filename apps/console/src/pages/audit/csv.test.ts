import { expect, test } from "vitest";
import { toCsv } from "./csv";

// The `madang` command has the same cases: packages/cli/src/data/csv.test.ts.
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
])("the reason %j is the cell %j", (reason, cell) => {
  const entry = { entry_id: "1", at: 0, operation: "users.get", method: "GET", status: 200 } as const;
  const [, row] = toCsv([{ ...entry, kind: "master", address: "::1", reason }]).split("\r\n");
  expect(row).toBe(`1,1970-01-01T00:00:00.000Z,users.get,GET,200,,master,,,${cell},::1,,,`);
});

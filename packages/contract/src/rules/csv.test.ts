import { expect, test } from "vitest";
import { fromCsvCell, toCsvCell, toJsonCell } from "./csv";

test.each([
  ["=1+1", "'=1+1"],
  ["+1", "'+1"],
  ["-1", "'-1"],
  ["@SUM(1)", "'@SUM(1)"],
  ["＝1+1", "'＝1+1"],
  ["＋1", "'＋1"],
  ["－1", "'－1"],
  ["＠SUM(1)", "'＠SUM(1)"],
  ["\t=1", "'\t=1"],
  ["\r=1", '"\'\r=1"'],
  ["\n=1", '"\'\n=1"'],
  ["a;=1", "a;'=1"],
  ["a;＝1;@b", "a;'＝1;'@b"],
  ["a;'=1", "a;''=1"],
  ["'=1", "''=1"],
  ["''=1", "'''=1"],
  ["'90s", "'90s"],
  ["1=1; 2", "1=1; 2"],
  ['=A("x")', `"'=A(""x"")"`],
])("the text %j is the cell %j", (text, cell) => {
  expect(toCsvCell(text)).toBe(cell);
});

const unquote = (cell: string) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);

test("every text is read back", () => {
  let texts = [""];
  for (let length = 1; length <= 4; length++) {
    texts = texts.flatMap((text) => [..."';=＝\n\"a"].map((character) => text + character));
    for (const text of texts) expect(fromCsvCell(unquote(toCsvCell(text)))).toBe(text);
  }
});

test("JSON has no cell that begins like a formula either, and is the same value", () => {
  const value = { note: "a;=1;'@b;c" };
  const cell = toJsonCell(value);
  expect(cell).not.toMatch(/;'*[=@]/);
  expect(JSON.parse(unquote(cell))).toEqual(value);
});

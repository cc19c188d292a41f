import { describe, expect, test } from "vitest";
import type { Row } from "../../data/tables/column";
import { formatHeader, formatRow, layOut } from "./table";
import { fit, widthOf } from "./width";

function print(rows: readonly Row[], terminalWidth?: number): string[] {
  const columns = layOut(rows, terminalWidth);
  return [formatHeader(columns), ...rows.map((row) => formatRow(columns, row))];
}

const created_at = Date.UTC(2026, 0, 31, 12);
const messages = [
  {
    message_id: "1700000000000-1",
    user: { user_id: "kim_01", name: "김", created_at },
    created_at,
    content: "점심 먹을까요? 👍".repeat(9),
  },
  {
    message_id: "1700000000000-2",
    user: { user_id: "park_03", name: "박", created_at },
    created_at,
    content: "ok",
    meta: {},
  },
];

test("columns line up when texts have Hangul and emoji, which take two columns each", () => {
  expect(
    print([
      { name: "김민준", size: 1 },
      { name: "Kim 👍", size: 22 },
    ]),
  ).toEqual(["name    size", "김민준  1", "Kim 👍  22"]);
});

test("without a terminal nothing is cut; an object is its id; a column without values is left out", () => {
  const lines = print(messages);
  expect(lines[0]).toMatch(/^message_id +user +content +created_at \(UTC\)$/);
  expect(lines[1]).toContain("점심 먹을까요? 👍".repeat(9));
  expect(lines[2]).toMatch(/^1700000000000-2 +park_03 +ok +2026-01-31 12:00:00$/);
});

test.each([20, 40, 80, 81, 120])(
  "in a terminal of %i columns no line is longer, and ids are whole",
  (width) => {
    const lines = print(messages, width);
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
    expect(lines[1]).toMatch(/^1700000000000-1/);
  },
);

test("in 80 columns no name of a column is cut; what does not fit is left out, the times of every resource first", () => {
  const members = [{ user_id: "kim_01", total_message_count: 2, meta: { team: "blue ".repeat(20) } }].map(
    (row) => ({ ...row, total_file_count: 1, created_at, updated_at: created_at, joined_at: created_at }),
  );
  expect(print(members, 80)[0]).toMatch(
    /^user_id +total_message_count +meta +total_file_count +joined_at \(UTC\)$/,
  );
  expect(print(members, 60)[0]).toMatch(/^user_id +total_message_count +meta +total_file_count$/);
});

test("a file is its name, metadata is its pairs, and a column can be left out", () => {
  const rows = [
    { channel_id: "room_1", file: { name: "a.png", size: 1 }, meta: { user_id: "x", name: "y" } },
  ];
  const columns = layOut(rows, undefined, ["channel_id"]);
  expect(rows.map((row) => formatRow(columns, row))).toEqual(["a.png  user_id=x name=y"]);
});

test("an entry of the audit log begins with its time", () => {
  const [header] = print([{ entry_id: "1", at: created_at, operation: "users.get", created_at }], 80);
  expect(header).toMatch(/^entry_id +at \(UTC\) +operation +created_at \(UTC\)$/);
});

test("a secret is shown in part", () => {
  expect(print([{ key: "sk_0123456789abcdef" }])[1]).toBe("sk_…cdef");
});

describe("a text that has to fit", () => {
  test.each([
    ["안녕하세요", 6, "안녕… "],
    ["안녕하세요", 5, "안녕…"],
    ["👨‍👩‍👧👍", 3, "👨‍👩‍👧…"],
    ["한글", 8, "한글    "],
    ["abc", 1, "…"],
  ])("%s in %i columns is %j", (text, width, expected) => {
    expect(fit(text, width)).toBe(expected);
    expect(widthOf(fit(text, width))).toBe(width);
  });
});

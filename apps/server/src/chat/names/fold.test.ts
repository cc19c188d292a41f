import { expect, test } from "vitest";
import { fold } from "./fold";

test.each([
  ["Straße", "STRASSE"],
  ["ẞ", "ss"],
  ["ΟΔΟΣ", "οδος"],
  ["ὀδός", "ὈΔΌΣ"],
  ["ＡＢＣ１２", "abc12"],
  ["ﬁn", "FIN"],
  ["한국", "\u1112\u1161\u11ab\u1100\u116e\u11a8"],
  ["ｶﾞ", "ガ"],
  ["é", "E\u0301"],
  ["①", "1"],
  ["K", "k"],
  ["Ꭰ", "ꭰ"],
  ["㎏", "kg"],
])("%j and %j are the same text", (one, other) => {
  expect(fold(one)).toBe(fold(other));
});

test.each([
  ["ı", "i"],
  ["한", "하"],
  ["é", "e"],
  ["が", "か"],
])("%j and %j are different texts", (one, other) => {
  expect(fold(one)).not.toBe(fold(other));
});

test("folding a folded text changes nothing", () => {
  for (let point = 0; point <= 0x10ffff; point++) {
    if (point >= 0xd800 && point <= 0xdfff) continue;
    const folded = fold(String.fromCodePoint(point));
    if (fold(folded) !== folded) expect.fail(`U+${point.toString(16)}`);
  }
});

test("the folded text is bounded, however often a character that becomes eighteen is repeated", () => {
  for (const character of ["ﷺ", "ﷻ"]) {
    expect(fold(character.repeat(8_192)).length).toBeLessThan(20_000);
    expect(fold(`${"a ".repeat(500)}${character}`)).toContain(fold(character));
  }
});

test.each(["\u0301\u0323", "\u0301ﾞ"])(
  "a long run of the marks %j takes no longer to fold than other texts, and its beginning is compared",
  (pair) => {
    // NFKC sorts them, which takes seconds for all of these.
    const run = `é${pair.repeat(32_700)}`;
    const before = process.cpuUsage();
    const folded = fold(`${run}b`);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(500);
    expect(folded.startsWith(fold(run.slice(0, 257)))).toBe(true);
    expect(folded.endsWith(" b")).toBe(true);
  },
);

test("a run of as many marks as a query may have is folded whole, also of those with two UTF-16 units", () => {
  for (const mark of ["\u0301", "\u{1d165}"]) {
    const run = mark.repeat(256);
    expect(fold(`x${run}y`)).toContain(`${mark}y`);
    expect(fold(`x${run}${mark}y`)).toContain(`${mark} y`);
  }
});

import { expect, test } from "vitest";
import { createMatcher, fold, termsOf } from "./match";

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

test.each([
  ["noon", "See you at NOON.", true],
  ["you noon", "See you at noon.", true],
  ["noon  you\u3000at", "See you at noon.", true],
  ["noon tomorrow", "See you at noon.", false],
  ["학교", "내일 학교에서 만나요", true],
  ["100%", "100% sure", true],
  ["100_", "100% sure", false],
  ["a\\b", "A\\B", true],
  // Folding makes a space and a combining character of each of these.
  ["か゛", "か \u3099", true],
  ["か゛", "か \n\u3000\u3099", true],
  ["か゛", "\u3099 か", false],
  ["゛", "か\u3099", false],
  // One character that stands for four words.
  ["ﷺ", "صلى  الله عليه وسلم", true],
  ["ﷺ", "صلى الله وسلم عليه", false],
])("the query %j, the text %j: %j", (query, text, expected) => {
  expect(createMatcher(termsOf(query))(text)).toBe(expected);
});

test("the folded text is bounded, however often a character that becomes eighteen is repeated", () => {
  for (const character of ["ﷺ", "ﷻ"]) {
    const folded = fold(character.repeat(8_192));
    expect(folded.length).toBeLessThan(20_000);
    expect(createMatcher(termsOf(character))(`${"a ".repeat(500)}${character}`)).toBe(true);
  }
});

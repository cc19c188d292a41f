import { expect, test } from "vitest";
import { createMatcher, termsOf } from "./match";

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

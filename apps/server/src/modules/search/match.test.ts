import { expect, test } from "vitest";
import { runSteps } from "../../turns/in-slices";
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
  ["ㅠㅠ", "그래ㅎㅠㅠ", true],
  ["고마워", "고마워ㄳ", true],
  ["ㅎ", "한ㅏ", false],
  ["istanbul", "İstanbul", true],
  ["ıstanbul", "istanbul", false],
  ["shipping", "ship\u00adping", true],
  ["ship\u200bping", "shipping", true],
  // Folding makes a space and a combining character of each of these.
  ["か゛", "か \u3099", true],
  ["か゛", "か \n\u3000\u3099", true],
  ["か゛", "\u3099 か", false],
  ["゛", "か\u3099", false],
  // One character that stands for four words.
  ["ﷺ", "صلى  الله عليه وسلم", true],
  ["ﷺ", "صلى الله وسلم عليه", false],
])("the query %j, the text %j: %j", async (query, text, expected) => {
  expect(await runSteps(createMatcher(termsOf(query))(text))).toBe(expected);
});

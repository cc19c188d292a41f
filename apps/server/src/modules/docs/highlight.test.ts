import { expect, test } from "vitest";
import { highlight } from "./highlight";

test.each([
  [
    "json",
    '{ "a": ["<b>", 1, true] }',
    [
      ["key", '"a"'],
      ["string", '"<b>"'],
      ["number", "1"],
      ["word", "true"],
    ],
  ],
  [
    "typescript",
    'for await (const item of chat.users.list()) log("of"); // for',
    [
      ["word", "for"],
      ["word", "await"],
      ["word", "const"],
      ["word", "of"],
      ["string", '"of"'],
      ["comment", "// for"],
    ],
  ],
  [
    "shell",
    `curl -X PUT "http://a" -d '{"a-b":1}'`,
    [
      ["word", "curl"],
      ["word", "-X"],
      ["string", '"http://a"'],
      ["word", "-d"],
      ["string", `'{"a-b":1}'`],
    ],
  ],
] as const)("in %s, the parts of %s are marked", (language, code, expected) => {
  const { text } = highlight(code, language);
  const spans = [...text.matchAll(/<span class="(\w+)">(.*?)<\/span>/g)];
  expect(spans.map(([, kind, content = ""]) => [kind, decode(content)])).toEqual(expected);
  expect(decode(text.replaceAll(/<[^>]*>/g, ""))).toBe(code);
});

function decode(text: string): string {
  const entities: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };
  return text.replaceAll(/&(.*?);/g, (_, name) => entities[name] ?? "");
}

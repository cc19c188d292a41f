import type { Rule } from "./variants";

/** 4 to 80 characters; lower-case letters, digits and `_` only. */
export const idRule = {
  accepts: {
    "of 4 characters": "kim1",
    "of 80 characters": "k".repeat(80),
    "of letters, digits and _": "_az_09_",
  },
  refuses: {
    "of 3 characters": "kim",
    "of 81 characters": "k".repeat(81),
    "with an upper-case letter": "Kim_01",
    "with a hyphen": "kim-01",
    "with a dot": "kim.01",
    "with a slash": "kim/01",
    "with Hangul": "kim_김김",
    "with a full-width digit": "kim_０１",
    "with a space at the end": "kim_01 ",
    "with a line break at the end": "kim_01\n",
    "with a NUL": "kim_01\0",
  },
} satisfies Rule<string>;

/** In a body an id may also be of another type, or be empty. */
export const bodyIdRule = {
  accepts: idRule.accepts,
  refuses: { ...idRule.refuses, "that is empty": "", "that is a number": 12_345, "that is null": null },
} satisfies Rule<string>;

/** What neither UTF-8 nor the database can hold. */
const unstorable = {
  "with a NUL": "Kim\0",
  "with a lone high surrogate": "Kim\ud83d",
  "with a lone low surrogate": "\ude00Kim",
};

const wrongTypes = {
  "that is a number": 1,
  "that is null": null,
  "that is an array": ["Kim"],
  "that is an object": {},
};

/** Characters are code points: an emoji is one, whatever UTF-16 makes of it. */
export function textRule({ minLength, maxLength }: { minLength: 0 | 1; maxLength: number }): Rule<string> {
  const empty = { "that is empty": "" };
  return {
    accepts: {
      ...(minLength === 0 && empty),
      "of 1 character": "김",
      [`of ${maxLength} letters`]: "n".repeat(maxLength),
      [`of ${maxLength} emoji`]: "😀".repeat(maxLength),
      "of only spaces": "  ",
      "of text that looks like markup, SQL and escapes": `<b>'; DROP TABLE users; --\\u0000"\t\n%00`,
    },
    refuses: {
      ...(minLength === 1 && empty),
      [`of ${maxLength + 1} letters`]: "n".repeat(maxLength + 1),
      [`of ${maxLength + 1} emoji`]: "😀".repeat(maxLength + 1),
      ...unstorable,
      ...wrongTypes,
    },
  };
}

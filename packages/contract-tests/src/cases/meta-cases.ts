import type { Interaction, Interactions } from "../interaction";
import { invalid } from "../problem";

/**
 * Metadata has at most 10 pairs. A key has 1 to 100 bytes of letters, Hangul, `_` and `-`; a value has at most 200 bytes.
 * The response to `accepted` contains the metadata that the request sends.
 */
export function metaCases({ given, request, response }: Interaction): Interactions {
  const cases: Record<string, Interaction> = {};
  for (const [name, meta] of Object.entries(validMeta))
    cases[`accepts meta ${name}`] = {
      given,
      request: { ...request, body: { ...Object(request?.body), meta } },
      response: { ...response, body: { ...Object(response.body), meta } },
    };
  for (const [name, { path, meta }] of Object.entries(invalidMeta))
    cases[`rejects meta ${name}`] = {
      request: { ...request, body: { ...Object(request?.body), meta } },
      response: invalid("body", path),
    };
  return cases;
}

/** `count` pairs with the keys `key-a`, `key-b` and so on. */
export function pairs(count: number, value = "v"): Readonly<Record<string, string>> {
  const letters = [..."abcdefghijk"].slice(0, count);
  return Object.fromEntries(letters.map((letter) => [`key-${letter}`, value]));
}

const validMeta: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "of 10 pairs": pairs(10),
  "that is empty": {},
  "with a key of 1 byte": { a: "v" },
  "with a key of 100 bytes": { ["k".repeat(100)]: "v" },
  "with a key of 100 bytes of Hangul": { [`${"가".repeat(33)}k`]: "v" },
  "with a key of every kind of character": { "Az-_한글": "v" },
  "with a key of Hangul letters": { ㄱㅏ: "v" },
  "with a value of 200 bytes": { key: "v".repeat(200) },
  "with a value of 200 bytes of Hangul": { key: `${"가".repeat(66)}vv` },
  "with a value of 200 bytes of emoji": { key: "😀".repeat(50) },
  "with an empty value": { key: "" },
  // In an object literal `__proto__` would set the prototype; `["__proto__"]` is a key.
  "with the names of object members as keys": {
    ["__proto__"]: "kept",
    constructor: "kept",
    toString: "kept",
    hasOwnProperty: "kept",
  },
};

const invalidMeta: Readonly<Record<string, { readonly path: string; readonly meta: unknown }>> = {
  "of 11 pairs": { path: "meta", meta: pairs(11) },
  "with an empty key": { path: "meta.", meta: { "": "v" } },
  "with a key of 101 bytes": { path: `meta.${"k".repeat(101)}`, meta: { ["k".repeat(101)]: "v" } },
  "with a key of 102 bytes of Hangul": {
    path: `meta.${"가".repeat(34)}`,
    meta: { ["가".repeat(34)]: "v" },
  },
  "with a digit in a key": { path: "meta.key1", meta: { key1: "v" } },
  "with a space in a key": { path: "meta.a key", meta: { "a key": "v" } },
  "with an accent in a key": { path: "meta.clé", meta: { clé: "v" } },
  "with Kana in a key": { path: "meta.キー", meta: { キー: "v" } },
  "with a NUL in a key": { path: "meta.key\0", meta: { "key\0": "v" } },
  "with a value of 201 bytes": { path: "meta.key", meta: { key: "v".repeat(201) } },
  "with a value of 201 bytes of Hangul": { path: "meta.key", meta: { key: "가".repeat(67) } },
  "with a NUL in a value": { path: "meta.key", meta: { key: "v\0" } },
  "with a lone surrogate in a value": { path: "meta.key", meta: { key: "v\ud83d" } },
  "with a number as value": { path: "meta.key", meta: { key: 1 } },
  "with null as value": { path: "meta.key", meta: { key: null } },
  "with an object as value": { path: "meta.key", meta: { key: {} } },
  "set to null": { path: "meta", meta: null },
  "set to an array": { path: "meta", meta: [] },
  "set to a string": { path: "meta", meta: "meta" },
};

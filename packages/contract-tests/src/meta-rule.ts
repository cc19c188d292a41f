import type { Interaction, Interactions } from "./interaction";
import { invalid } from "./refusal";
import { each, refused } from "./variants";

type Meta = Readonly<Record<string, string>>;

/** At most 10 pairs; a key of letters, Hangul, `_` and `-` in at most 100 bytes; a value of at most 200 bytes. */
export function metaRule(take: (meta: Meta) => Interaction): Interactions {
  return {
    ...each(acceptedMeta, (name) => `accepts meta ${name}`, take),
    ...Object.fromEntries(
      Object.entries(refusedMeta).map(([name, [meta, key]]) => [
        `refuses meta ${name}`,
        // What the types forbid is just what the service must refuse.
        refused(take(meta as Meta), invalid("body", key === undefined ? "meta" : `meta.${key}`)),
      ]),
    ),
  };
}

/** `count` pairs with keys of letters: `key-a`, `key-b` and on. */
export function pairs(count: number, value = "v"): Meta {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`key-${letter(index)}`, value]));
}

function letter(index: number): string {
  return "abcdefghijklmnopqrstuvwxyz".charAt(index);
}

const acceptedMeta: Readonly<Record<string, Meta>> = {
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
  // `Object.fromEntries` makes an own field even of `__proto__`.
  "with keys that JavaScript knows": Object.fromEntries(
    ["__proto__", "constructor", "toString", "hasOwnProperty"].map((key) => [key, "kept"]),
  ),
};

/** What is wrong, and in which key; without one it is the whole. */
const refusedMeta: Readonly<Record<string, readonly [meta: unknown, key?: string]>> = {
  "of 11 pairs": [pairs(11)],
  "with an empty key": [{ "": "v" }, ""],
  "with a key of 101 bytes": [{ ["k".repeat(101)]: "v" }, "k".repeat(101)],
  "with a key of 102 bytes of Hangul": [{ ["가".repeat(34)]: "v" }, "가".repeat(34)],
  "with a digit in a key": [{ key1: "v" }, "key1"],
  "with a space in a key": [{ "a key": "v" }, "a key"],
  "with an accent in a key": [{ clé: "v" }, "clé"],
  "with Kana in a key": [{ キー: "v" }, "キー"],
  "with a NUL in a key": [{ "key\0": "v" }, "key\0"],
  "with a value of 201 bytes": [{ key: "v".repeat(201) }, "key"],
  "with a value of 201 bytes of Hangul": [{ key: "가".repeat(67) }, "key"],
  "with a NUL in a value": [{ key: "v\0" }, "key"],
  "with a lone surrogate in a value": [{ key: "v\ud83d" }, "key"],
  "with a number as value": [{ key: 1 }, "key"],
  "with null as value": [{ key: null }, "key"],
  "with an object as value": [{ key: {} }, "key"],
  "that is null": [null],
  "that is an array": [[]],
  "that is a text": ["meta"],
};

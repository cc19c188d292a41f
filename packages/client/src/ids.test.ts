import { channelId, userId } from "@madang/contract";
import { describe, expect, test } from "vitest";
import { ids } from "./index";

const names = [
  "김민수",
  "a",
  "42",
  "kim@example.com",
  "550E8400-e29b-41d4-a716-446655440000",
  "Kim",
  "b32_kim",
  "b32_",
  "한글이름이열다섯자인사람의이름",
  "\u0000",
  "\uFEFFkim",
  "🙂".repeat(11),
  `${"x".repeat(46)}X`,
  "sha_kim",
];

describe("ids.encode", () => {
  test.each(names)("%j has an id that the contract accepts, and decode returns the name", (name) => {
    const id = ids.encode(name);
    expect(userId.safeParse(id).success).toBe(true);
    expect(channelId.safeParse(id).success).toBe(true);
    expect(ids.decode(id)).toBe(name);
  });

  test("different names have different ids", () => {
    const encoded = ["김민수", "Kim", "b32_kim"].map(ids.encode);
    const all = [...names, ...encoded, "kim", "KIM", "김".normalize("NFD"), "김"];
    expect(new Set([...new Set(all)].map(ids.encode)).size).toBe(new Set(all).size);
  });

  test.each(["kim_01", "_____", "a".repeat(80), "0123"])("%s is a valid id and stays as it is", (id) => {
    expect(ids.encode(id)).toBe(id);
    expect(ids.decode(id)).toBe(id);
  });

  test("names of more than 47 bytes have different ids, which are hashes", () => {
    const long = [
      "X".repeat(48),
      "X".repeat(49),
      "김".repeat(16),
      `sha_${"a".repeat(52)}`,
      "Y".repeat(100_000),
    ];
    const encoded = long.map(ids.encode);
    expect(new Set([...encoded, ...encoded.map(ids.encode)]).size).toBe(2 * long.length);
    for (const id of encoded) {
      expect(userId.safeParse(id).success).toBe(true);
      expect(() => ids.decode(id)).toThrow(/is a hash/);
    }
    // Fixed for ever: applications store it.
    expect(encoded[0]).toBe("sha_uwrkyuzjj3hggv6y6fntrlwurml3ee2spfvxbcrgj4d5cnewwxna");
  });

  test.each(["", "lone \ud800 surrogate"])("%j is rejected", (name) => {
    expect(() => ids.encode(name)).toThrow(/well-formed text of at least 1/);
  });
});

test.each([
  "b32_",
  "b32_a",
  "b32_A",
  "b32_nnuw22a",
  "b32_nnuw2===",
  "b32_77777777",
  "Kim",
  "",
  "abc",
  "b32_nnuw2xzqge",
])("ids.decode rejects %j, which encode never returns", (id) => {
  expect(() => ids.decode(id)).toThrow(/not one of ids\.encode/);
});

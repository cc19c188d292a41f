import { expect, test } from "vitest";
import { createKeyMask } from "./mask-keys";

const subKey = `sk_${"Ab3-_".repeat(13)}`;
const masterKey = "correct/horse.battery";
const mask = createKeyMask([masterKey]);
const encode = (text: string) =>
  [...text].map((character) => `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`).join("");

test.each([
  [`/v1/users/${subKey}`, "/v1/users/sk_…"],
  [`/v1/users/${subKey.replace("_", "%5F")}`, "/v1/users/sk_…"],
  [`/v1/users/${subKey.replace("_", "%5f")}/meta`, "/v1/users/sk_…/meta"],
  [`/v1/users/${subKey.replace("_", "%255F")}`, "/v1/users/sk_…"],
  [`/v1/users/${encode(subKey)}`, "/v1/users/sk_…"],
  [`/v1/users/${encode(encode(subKey))}`, "/v1/users/sk_…"],
  [`/v1/users/${subKey.toUpperCase()}`, "/v1/users/SK_…"],
  [`/v1/users/mk_${"a".repeat(24)}`, "/v1/users/mk_…"],
  [`/v1/users/${masterKey}`, "/v1/users/…"],
  [`/v1/users/x${encodeURIComponent(masterKey)}y`, "/v1/users/x…y"],
  [`/v1/users/${encode(masterKey)}`, "/v1/users/…"],
])("%s is logged as %s", (path, logged) => {
  expect(mask(path)).toBe(logged);
});

test.each([
  "/v1/users/kim_01",
  "/v1/users/sk_short",
  "/v1/users/a%20b%2Fc",
  "/v1/users/%ff%zz%",
  "/v1/users/%25",
])("%s is logged unchanged", (path) => {
  expect(mask(path)).toBe(path);
});

test("a character that is encoded many times is decoded in one pass", () => {
  expect(mask(`/v1/users/${subKey.replace("_", `%${"25".repeat(8_000)}5F`)}`)).toBe("/v1/users/sk_…");
});

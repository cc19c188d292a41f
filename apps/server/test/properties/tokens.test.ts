import { randomBytes } from "node:crypto";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { firstKeySet } from "../../src/security/key-set";
import { createKeyMaker } from "../../src/security/secret";
import { createUserTokens, type UserToken } from "../../src/security/user-tokens";

const [current, previous, other] = ["mk_current_0123456789", "mk_previous_0123456789", "mk_other_0123456789"];
const secret = randomBytes(32);

/** The tokens of a service that accepts these master keys. */
const tokensOf = (masterKeys: readonly string[], ofDatabase = secret) => {
  const [first = ""] = masterKeys;
  return createUserTokens(
    createKeyMaker(masterKeys, firstKeySet(first), randomBytes),
    ofDatabase,
    randomBytes,
  );
};
const service = tokensOf([current]);
const token: UserToken = { userId: "kim_01", userPk: 7, expiresAt: 1_700_000_000_000, revocation: 3 };

const ids = fc.stringMatching(/^[a-z0-9_]{4,80}$/);
const anyToken: fc.Arbitrary<UserToken> = fc.record({
  userId: ids,
  userPk: fc.nat(),
  expiresAt: fc.nat(),
  revocation: fc.nat(),
  keyDigest: fc.option(fc.base64String(), { nil: undefined }),
});

test("a token is opened as it was sealed, and two of the same user differ", () => {
  fc.assert(
    fc.property(anyToken, (each) => {
      expect(service.open(service.seal(each))).toEqual(JSON.parse(JSON.stringify(each)));
      expect(service.seal(each)).not.toBe(service.seal(each));
    }),
  );
});

test("a token that was truncated, extended or changed in any character is not opened", () => {
  const sealed = service.seal(token);
  for (let length = 0; length < sealed.length; length++) {
    expect(service.open(sealed.slice(0, length))).toBeUndefined();
    for (const character of "A_z9-") {
      const changed = sealed.slice(0, length) + character + sealed.slice(length + 1);
      if (changed !== sealed) expect(service.open(changed)).toBeUndefined();
    }
  }
  for (const more of ["A", "AA", "AAAA", "=", "==", "\n", " ", "%00"])
    expect(service.open(sealed + more)).toBeUndefined();
  expect(service.open(sealed.toUpperCase())).toBeUndefined();
  expect(service.open(sealed.replace("ut_", "sk_"))).toBeUndefined();
  expect(service.open(sealed.replace("ut_", ""))).toBeUndefined();
});

test("every bit of a token counts", () => {
  const sealed = service.seal(token);
  const bytes = Buffer.from(sealed.slice(3), "base64url");
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const flipped = Buffer.from(bytes);
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(service.open(`ut_${flipped.toString("base64url")}`)).toBeUndefined();
  }
});

test("any other text is no token", () => {
  fc.assert(fc.property(fc.string(), (text) => void expect(service.open(text)).toBeUndefined()));
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(service.open(`ut_${Buffer.from(bytes).toString("base64url")}`)).toBeUndefined();
    }),
  );
});

test("a token is of one master key and one database, and of the previous master key while that is accepted", () => {
  const sealed = tokensOf([previous]).seal(token);
  expect(tokensOf([current, previous]).open(sealed)).toEqual(token);
  expect(service.open(sealed)).toBeUndefined();
  expect(tokensOf([other]).open(sealed)).toBeUndefined();
  expect(tokensOf([previous], randomBytes(32)).open(sealed)).toBeUndefined();
});

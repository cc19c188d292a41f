import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { type ConsoleSession, createConsoleSessions } from "./console-sessions";
import { firstKeySet } from "./key-set";
import { createKeyMaker } from "./secret";

const [oldKey, newKey] = ["mk_the-master-key-0001", "mk_the-master-key-0002"];
const secret = randomBytes(32);
const session: ConsoleSession = {
  id: "session_1",
  keyDigest: "the digest of a key",
  actor: "Jane Doe",
  expiresAt: 1,
  isSecure: true,
};

const sessionsOf = (masterKeys: readonly string[], ofService = secret) =>
  createConsoleSessions(createKeyMaker(masterKeys, firstKeySet(oldKey), randomBytes), {
    secret: ofService,
    basePath: "",
    randomBytes,
  });

test("a sealed session opens in every process of its service, and shows nothing", () => {
  const sealed = sessionsOf([oldKey]).seal(session);
  expect(sessionsOf([oldKey]).open(sealed)).toEqual(session);
  const bytes = Buffer.from(sealed, "base64url");
  for (const value of [session.id, session.keyDigest, session.actor])
    expect(bytes.includes(value)).toBe(false);
});

test("a session of a service with another database or another master key does not open", () => {
  const sealed = sessionsOf([oldKey]).seal(session);
  expect(sessionsOf([oldKey], randomBytes(32)).open(sealed)).toBeUndefined();
  expect(sessionsOf([newKey]).open(sealed)).toBeUndefined();
});

test("a changed session does not open", () => {
  const { seal, open } = sessionsOf([oldKey]);
  const sealed = Buffer.from(seal(session), "base64url");
  for (let index = 0; index < sealed.length; index += 1) {
    const changed = Buffer.from(sealed);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(open(changed.toString("base64url"))).toBeUndefined();
    expect(open(sealed.subarray(0, index).toString("base64url"))).toBeUndefined();
  }
  for (const more of ["=", "\n", "."]) expect(open(seal(session) + more)).toBeUndefined();
  expect(open("not a session")).toBeUndefined();
});

test("a session opens while its master key is accepted, and ends with it", () => {
  const before = sessionsOf([oldKey]).seal(session);
  const during = sessionsOf([newKey, oldKey]);
  expect(during.open(before)).toEqual(session);
  const after = sessionsOf([newKey]);
  expect(after.open(during.seal(session))).toEqual(session);
  expect(after.open(before)).toBeUndefined();
});

test("only the digests of accepted master keys are those of a master key", () => {
  const maker = (keys: readonly string[]) => createKeyMaker(keys, firstKeySet(oldKey), randomBytes);
  const both = maker([newKey, oldKey]);
  const after = maker([newKey]);
  expect([both.isMasterDigest(both.digest(oldKey)), both.isMasterDigest(both.digest(newKey))]).toEqual([
    true,
    true,
  ]);
  expect([after.isMasterDigest(both.digest(oldKey)), after.isMasterDigest(both.digest(newKey))]).toEqual([
    false,
    true,
  ]);
});

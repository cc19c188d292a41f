import { createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from "node:crypto";
import type { Db } from "../db/db";
import { deriveKey, type KeySet, type MasterKeys, openKeySet, reloadKeySet } from "./key-set";
import { createKeyMask } from "./mask-keys";
import { openWithAny, seal } from "./seal";

/** The functions that depend on the master key. */
export interface KeyMaker {
  /** Identifies the owner of sub keys without revealing anything. It does not change with the master key. */
  readonly masterId: Buffer<ArrayBuffer>;
  isMaster(key: string): boolean;
  /** Whether a master key has this digest. */
  isMasterDigest(digest: Buffer): boolean;
  /** A new sub key: `sk_`, 256 random bits and their signature (HMAC) under a key derived from the master key. */
  make(): string;
  /** A new secret of a webhook, in the form of Standard Webhooks: `whsec_` and 256 random bits. */
  makeWebhookSecret(): string;
  /** Whether the signature is valid. A key without one was never created here and needs no lookup. */
  isSigned(key: string): boolean;
  /** The digest that the database stores for lookups. */
  digest(key: string): Buffer;
  /** Identifies a sub key in responses, logs and metrics without revealing it. */
  idOf(key: string): string;
  /** Encrypts a text for the database. */
  seal(text: string): Buffer;
  open(sealed: Uint8Array): Promise<string>;
  /** The same text encrypted with the newest seal key, or undefined if it already is. */
  reseal(sealed: Uint8Array): Promise<Buffer | undefined>;
  /** Derives a 256-bit key for a purpose. It does not change with the master key. */
  derive(purpose: string): Buffer;
  /** Derives a key for a purpose from each accepted master key, the current one first. What it protects ends with its master key. */
  deriveFromMasters(purpose: string): readonly Buffer[];
  /** Removes API keys from a client's text before it is logged. */
  mask(text: string): string;
}

export const keyIdPrefix = "key_";

const prefix = "sk_";
const randomLength = 32;
const signatureLength = 16;
const maxCachedKeys = 1_000;
/** 64 bits: enough to distinguish keys, and no help in guessing one. */
const idLength = 16;

interface CheckedKey {
  readonly isMaster: boolean;
  readonly isSigned: boolean;
  readonly digest: Buffer;
  readonly id: string;
}

/** `masterKeys` are the accepted ones. `reload` returns the key set after another process may have changed it. */
export function createKeyMaker(
  masterKeys: readonly string[],
  keySet: KeySet,
  randomBytes: (length: number) => Buffer,
  reload: () => Promise<KeySet> = async () => keySet,
): KeyMaker {
  let { sealKeys } = keySet;
  const derive = (purpose: string, length?: number) => deriveKey(keySet.root, purpose, length);
  // From bytes, Node would create a key object for every digest.
  const keyFor = (purpose: string) => createSecretKey(derive(purpose));
  const masterDigestKey = keyFor("compare");
  const signatureKey = keyFor("mark");
  const digestKey = keyFor("digest");
  const hmac = (key: KeyObject, value: string | Buffer) => createHmac("sha256", key).update(value).digest();
  const masterDigests = masterKeys.map((masterKey) => hmac(masterDigestKey, masterKey));
  const storedMasterDigests = masterKeys.map((masterKey) => hmac(digestKey, masterKey));
  const sign = (random: Buffer) => hmac(signatureKey, random).subarray(0, signatureLength);

  const isSigned = (key: string) => {
    const bytes = Buffer.from(key.slice(prefix.length), "base64url");
    const isWellFormed =
      bytes.length === randomLength + signatureLength && key === prefix + bytes.toString("base64url");
    return (
      isWellFormed && timingSafeEqual(bytes.subarray(randomLength), sign(bytes.subarray(0, randomLength)))
    );
  };

  // Cached by a hash, so that the time of a lookup reveals nothing about the key. Only valid keys are cached, so that
  // guesses do not fill the memory.
  const checkedKeys = new Map<string, CheckedKey>();
  const check = (key: string): CheckedKey => {
    const name = hash("sha256", key, "base64");
    const cached = checkedKeys.get(name);
    if (cached !== undefined) return cached;
    // Compares digests of equal length, so that the time does not reveal the key or its length.
    const compared = hmac(masterDigestKey, key);
    const isMaster = masterDigests.filter((digest) => timingSafeEqual(compared, digest)).length > 0;
    const id = keyIdPrefix + hash("sha256", key).slice(0, idLength);
    const checked = { isMaster, isSigned: isSigned(key), digest: hmac(digestKey, key), id };
    if ((isMaster || checked.isSigned) && checkedKeys.size < maxCachedKeys) checkedKeys.set(name, checked);
    return checked;
  };

  const newestSealKey = () => {
    const [newest] = sealKeys;
    if (newest === undefined) throw new Error("A key set contains at least one seal key.");
    return newest;
  };
  const sealNow = (text: string) => seal(newestSealKey(), text, randomBytes);
  const openSealed = async (sealed: Uint8Array) => {
    const text = openWithAny(sealKeys, sealed);
    if (text !== undefined) return text;
    // Another process may have sealed it after a change of the master key.
    ({ sealKeys } = await reload());
    const reloaded = openWithAny(sealKeys, sealed);
    if (reloaded === undefined) throw new Error("A stored secret cannot be decrypted with this master key.");
    return reloaded;
  };

  return {
    masterId: Buffer.from(derive("master id", 16)),
    isMaster: (key) => check(key).isMaster,
    isMasterDigest: (digest) => storedMasterDigests.some((known) => known.equals(digest)),
    make() {
      const random = randomBytes(randomLength);
      return prefix + Buffer.concat([random, sign(random)]).toString("base64url");
    },
    makeWebhookSecret: () => `whsec_${randomBytes(randomLength).toString("base64")}`,
    isSigned: (key) => check(key).isSigned,
    digest: (key) => check(key).digest,
    idOf: (key) => check(key).id,
    seal: sealNow,
    open: openSealed,
    async reseal(sealed) {
      const text = await openSealed(sealed);
      return openWithAny([newestSealKey()], sealed) === undefined ? sealNow(text) : undefined;
    },
    derive,
    deriveFromMasters: (purpose) => masterKeys.map((masterKey) => deriveKey(masterKey, purpose)),
    mask: createKeyMask(masterKeys),
  };
}

/** The keys of a database. Throws a `SettingError` if the master key is not that of the database. */
export async function openKeyMaker(
  db: Db,
  { current, previous }: MasterKeys,
  randomBytes: (length: number) => Buffer,
): Promise<KeyMaker> {
  const keySet = await openKeySet(db, { current, previous }, randomBytes);
  const accepted = previous === undefined ? [current] : [current, previous];
  return createKeyMaker(accepted, keySet, randomBytes, () => reloadKeySet(db, current));
}

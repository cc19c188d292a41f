import { createHmac, createSecretKey, hash, hkdfSync, type KeyObject, timingSafeEqual } from "node:crypto";
import { createKeyMask } from "./mask-keys";
import { open, seal } from "./seal";

/** The functions that depend on the master key. Sub keys of another master key are not valid. */
export interface KeyMaker {
  /** Identifies the master key without revealing it. Sub keys refer to it. */
  readonly masterId: Buffer;
  isMaster(key: string): boolean;
  /** A new sub key: `sk_`, 256 random bits and their signature (HMAC) under a key derived from the master key. */
  make(): string;
  /** A new secret of a webhook, in the form of Standard Webhooks: `whsec_` and 256 random bits. */
  makeWebhookSecret(): string;
  /** Whether the signature is valid. A key without one was never created here and needs no lookup. */
  isSigned(key: string): boolean;
  /** The digest that the database stores for lookups. */
  digest(key: string): Buffer;
  /** Encrypts a sub key, or another text with its own key, for the database. */
  seal(text: string, sealKey?: Buffer): Buffer;
  open(sealed: Uint8Array): string;
  /** Derives a 256-bit key for a purpose. */
  derive(purpose: string): Buffer;
  /** Removes API keys from a client's text before it is logged. */
  mask(text: string): string;
}

const prefix = "sk_";
const randomLength = 32;
const signatureLength = 16;
const maxCachedKeys = 1_000;

interface CheckedKey {
  readonly isMaster: boolean;
  readonly isSigned: boolean;
  readonly digest: Buffer;
}

export function createKeyMaker(masterKey: string, randomBytes: (length: number) => Buffer): KeyMaker {
  const derive = (purpose: string, length = 32) =>
    Buffer.from(hkdfSync("sha256", masterKey, "madang", purpose, length));
  // From bytes, Node would create a key object for every digest.
  const keyFor = (purpose: string) => createSecretKey(derive(purpose));
  const masterDigestKey = keyFor("compare");
  const signatureKey = keyFor("mark");
  const digestKey = keyFor("digest");
  const sealKey = derive("seal");
  const hmac = (key: KeyObject, value: string | Buffer) => createHmac("sha256", key).update(value).digest();
  const masterDigest = hmac(masterDigestKey, masterKey);
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
    const isMaster = timingSafeEqual(hmac(masterDigestKey, key), masterDigest);
    const checked = { isMaster, isSigned: isSigned(key), digest: hmac(digestKey, key) };
    if ((isMaster || checked.isSigned) && checkedKeys.size < maxCachedKeys) checkedKeys.set(name, checked);
    return checked;
  };

  return {
    masterId: derive("master id", 16),
    isMaster: (key) => check(key).isMaster,
    make() {
      const random = randomBytes(randomLength);
      return prefix + Buffer.concat([random, sign(random)]).toString("base64url");
    },
    makeWebhookSecret: () => `whsec_${randomBytes(randomLength).toString("base64")}`,
    isSigned: (key) => check(key).isSigned,
    digest: (key) => check(key).digest,
    seal: (text, key = sealKey) => seal(key, text, randomBytes),
    open: (sealed) => open(sealKey, sealed),
    derive,
    mask: createKeyMask(masterKey),
  };
}

import { createHmac, createSecretKey, hash, hkdfSync, type KeyObject, timingSafeEqual } from "node:crypto";
import { createKeyMask } from "./mask-keys";
import { open, seal } from "./seal";

/** Everything that depends on the master key. A new master key knows none of the sub keys of the old one. */
export interface KeyMaker {
  /** Names the master key without telling it; sub keys belong to it. */
  readonly masterId: Buffer;
  isMaster(key: string): boolean;
  /** A new sub key: `sk_`, 256 random bits and a mark that only the holder of the master key can make. */
  make(): string;
  /** A new secret of a webhook, in the form of Standard Webhooks: `whsec_` and 256 random bits. */
  makeWebhookSecret(): string;
  /** Whether the key bears our mark. One that does not was never ours, and needs no look-up. */
  isMarked(key: string): boolean;
  /** What the database looks a key up by. */
  digest(key: string): Buffer;
  /** A key, or another text under a key of its own, as the database may hold it. */
  seal(text: string, sealKey?: Buffer): Buffer;
  open(sealed: Uint8Array): string;
  /** A key of 256 bits for a purpose of its own. */
  derive(purpose: string): Buffer;
  /** The text of a client as the log may show it: without API keys. */
  mask(text: string): string;
}

const prefix = "sk_";
const randomLength = 32;
const markLength = 16;
const rememberedKeys = 1_000;

/** What a key says about itself. */
interface Reading {
  readonly isMaster: boolean;
  readonly isMarked: boolean;
  readonly digest: Buffer;
}

export function createKeyMaker(masterKey: string, randomBytes: (length: number) => Buffer): KeyMaker {
  const derive = (purpose: string, length = 32) =>
    Buffer.from(hkdfSync("sha256", masterKey, "madang", purpose, length));
  // A key object is made once; from bytes, Node would make one anew for every digest.
  const keyFor = (purpose: string) => createSecretKey(derive(purpose));
  const masterDigestKey = keyFor("compare");
  const markKey = keyFor("mark");
  const digestKey = keyFor("digest");
  const sealKey = derive("seal");
  const hmac = (key: KeyObject, value: string | Buffer) => createHmac("sha256", key).update(value).digest();
  const masterDigest = hmac(masterDigestKey, masterKey);
  const mark = (random: Buffer) => hmac(markKey, random).subarray(0, markLength);

  const isMarked = (key: string) => {
    const bytes = Buffer.from(key.slice(prefix.length), "base64url");
    const isWhole =
      bytes.length === randomLength + markLength && key === prefix + bytes.toString("base64url");
    return isWhole && timingSafeEqual(bytes.subarray(randomLength), mark(bytes.subarray(0, randomLength)));
  };

  // Read once, then found again by a hash, whose place in a table tells nothing about the key. Only keys that we made
  // are remembered, so that nobody fills the memory by guessing.
  const readings = new Map<string, Reading>();
  const read = (key: string): Reading => {
    const name = hash("sha256", key, "base64");
    const known = readings.get(name);
    if (known !== undefined) return known;
    // Digests of one length are compared, so that the time tells neither the key nor its length.
    const isMaster = timingSafeEqual(hmac(masterDigestKey, key), masterDigest);
    const reading = { isMaster, isMarked: isMarked(key), digest: hmac(digestKey, key) };
    if ((isMaster || reading.isMarked) && readings.size < rememberedKeys) readings.set(name, reading);
    return reading;
  };

  return {
    masterId: derive("master id", 16),
    isMaster: (key) => read(key).isMaster,
    make() {
      const random = randomBytes(randomLength);
      return prefix + Buffer.concat([random, mark(random)]).toString("base64url");
    },
    makeWebhookSecret: () => `whsec_${randomBytes(randomLength).toString("base64")}`,
    isMarked: (key) => read(key).isMarked,
    digest: (key) => read(key).digest,
    seal: (text, key = sealKey) => seal(key, text, randomBytes),
    open: (sealed) => open(sealKey, sealed),
    derive,
    mask: createKeyMask(masterKey),
  };
}

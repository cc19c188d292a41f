import { hkdfSync } from "node:crypto";

/** A key for one purpose, derived from a master key. Stored data depend on the result: it must not change. */
export function deriveKey(masterKey: string, purpose: string, length = 32): Buffer {
  return Buffer.from(hkdfSync("sha256", masterKey, "madang", purpose, length));
}

import { createCipheriv, createDecipheriv } from "node:crypto";

const nonceLength = 12;
const tagLength = 16;

/** Encrypts and authenticates values for clients, which send them back. Every process of the service opens them. */
export interface Sealer<Content> {
  seal(content: Content): string;
  /** Undefined if the text was changed, or was sealed by another service or with a master key that is not accepted. */
  open(text: string): Content | undefined;
}

/** The first key seals, and each of them opens. */
export function createSealer<Content>(
  keys: readonly Buffer[],
  randomBytes: (length: number) => Buffer,
): Sealer<Content> {
  const [current] = keys;
  if (current === undefined) throw new Error("There is at least one master key.");
  return {
    seal: (content) => seal(current, JSON.stringify(content), randomBytes).toString("base64url"),
    open(text) {
      const bytes = Buffer.from(text, "base64url");
      // Other texts may decode to the same bytes.
      const opened = text === bytes.toString("base64url") ? openWithAny(keys, bytes) : undefined;
      // Only `seal` encrypts with these keys.
      return opened === undefined ? undefined : (JSON.parse(opened) as Content);
    },
  };
}

/** Encrypts and authenticates a text with AES-256-GCM. */
export function seal(key: Buffer, text: string, randomBytes: (length: number) => Buffer): Buffer {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  return Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
}

function open(key: Buffer, sealed: Uint8Array): string {
  const bytes = Buffer.from(sealed);
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceLength), {
    // Otherwise a text with a shorter tag, which is easier to guess, would be accepted.
    authTagLength: tagLength,
  });
  decipher.setAuthTag(bytes.subarray(-tagLength));
  const text = decipher.update(bytes.subarray(nonceLength, -tagLength));
  return Buffer.concat([text, decipher.final()]).toString("utf8");
}

/** The text, if any of the keys decrypts it. */
export function openWithAny(keys: readonly Buffer[], sealed: Uint8Array): string | undefined {
  for (const key of keys) {
    try {
      return open(key, sealed);
    } catch {
      // Sealed with another key, or changed.
    }
  }
  return undefined;
}
